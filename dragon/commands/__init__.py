"""The core's commands, one file each; `dragon.cli` imports the one that is asked for."""
