"""The referees: one game, one race or one estimate, played and judged.

`match` plays a game move by move. `race` derives from `solo`, where players work alone, as does the
referee of estimates. All ask players by a `seat`, under a `guard` and a `stopwatch`; `reference`
asks a trusted search for the truth.
"""
