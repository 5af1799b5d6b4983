from attrs import frozen
from dragon.notation import BaseNotation
@frozen(eq=False)
class NexNotation(BaseNotation):
    board: object
    layers: object
    settle: object
    swap: int
