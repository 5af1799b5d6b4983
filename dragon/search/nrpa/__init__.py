"""Nested rollout policy adaptation: settings and run, both forms, and what they share."""
