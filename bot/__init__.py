"""The Discord bot: rules questions asked with `/rules`, answered from the group's own books."""
