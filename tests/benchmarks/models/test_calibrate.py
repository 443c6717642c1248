"""What a calibration tells of each threshold."""

from benchmarks.models.calibrate import Look, best_threshold, calibration_rows


def test_a_threshold_is_told_by_what_it_shows_and_loses_of_what_was_asked_about() -> None:
    looks = [
        Look(id="1", true=True, word=True, sure=0.97),
        Look(id="2", true=True, word=False, sure=0.45),
        Look(id="3", true=False, word=True, sure=0.65),
        Look(id="4", true=False, word=False, sure=None),
    ]
    rows = {row["least sure"]: row for row in calibration_rows(looks)}
    told = {least: (row["true shown"], row["true lost"], row["false shown"]) for least, row in rows.items()}
    assert told["plain words"] == (1, 1, 1)
    assert (told[0.4], told[0.7], told[0.98]) == ((2, 0, 1), (1, 1, 0), (0, 2, 0))


def test_a_threshold_is_set_where_it_beats_plain_words_in_both_halves() -> None:
    told_apart = [
        Look(id="", true=true, word=True, sure=0.95 if true else 0.65) for true in (True, False) * 4
    ]
    halves = [look for look in told_apart for _ in range(2)]
    assert best_threshold(halves) == 0.7
    alike = [look.model_copy(update={"sure": 0.9}) for look in halves]
    assert best_threshold(alike) is None
