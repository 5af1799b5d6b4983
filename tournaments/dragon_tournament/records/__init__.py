"""The records of games: their form, their files, and their replay.

`record` is one game, with an `attempt` for each player of a race. `store` writes the folder of a
run, `files` reads it, `event_log` has what happened beside the games, and `in_flight` the notes of
games in progress. `replay` plays a record again.
"""
