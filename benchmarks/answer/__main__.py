"""How fast answers come and what they cost: `python -m benchmarks.answer [--json] [SECTION …]`.

Imports nothing but where it is run itself: every process that reads or embeds books loads this module again.
"""

if __name__ == "__main__":
    from benchmarks.answer.sections import main

    main()
