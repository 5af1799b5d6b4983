"""Rules: games as plain functions over one numpy record, and what dragon makes of them."""
