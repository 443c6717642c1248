"""Run a module as `python -m` does, with discord.py's two base addresses replaced.

python tests/bot/launch.py API_ADDRESS GATEWAY_ADDRESS MODULE
"""

import runpy
import sys
from pathlib import Path

PROJECT = Path(__file__).parent.parent.parent


def main() -> None:
    """Replace the addresses, then become the module."""
    api, gateway, module = sys.argv[1:]
    sys.path[0] = str(PROJECT)

    # Only now: the folder of this script had to leave the path first.
    import discord
    import yarl

    discord.http.Route.BASE = api
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    sys.argv = [module]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
