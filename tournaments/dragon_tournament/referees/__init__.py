"""Referees: how one game, one race, one estimate is played and judged."""
