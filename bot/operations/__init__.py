"""Running the bot: ingestion, health and the registration of commands."""
