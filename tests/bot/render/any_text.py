"""Texts that nobody planned for, and how often each law of rendering is tried on them."""

from hypothesis import settings
from hypothesis import strategies as st

rendering = settings(max_examples=60)
"""Each law is tried on sixty texts; the profile of the other tests stays as it is."""

anything = st.text(st.characters(), max_size=60) | st.builds(
    lambda piece, times: piece * times,
    st.text(st.characters() | st.sampled_from("*_`~|>#[]()<@\\\n .!?"), min_size=1, max_size=12),
    st.integers(1, 400),
)
