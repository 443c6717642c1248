"""Letters at Low Water: the sample game, its sources, and the script that sets its books."""
