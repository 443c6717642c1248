"""`python -m benchmarks.models`: chat models of many manners, and what becomes of what they say."""
