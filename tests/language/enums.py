"""Enums that several files of the suite pass to compiled code."""
import enum


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 7


class Level(enum.IntEnum):
    LOW = -3
    HIGH = 5
