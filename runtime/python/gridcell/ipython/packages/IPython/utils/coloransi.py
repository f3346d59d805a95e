"""Colours of a terminal, under an older name."""
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


class TermColors:
    """Escape sequences by name."""

    NoColor, Normal = "", "\033[0m"
    Black, Red, Green, Brown = "\033[0;30m", "\033[0;31m", "\033[0;32m", "\033[0;33m"
    Blue, Purple, Cyan, LightGray = "\033[0;34m", "\033[0;35m", "\033[0;36m", "\033[0;37m"
    DarkGray, LightRed, LightGreen, Yellow = "\033[1;30m", "\033[1;31m", "\033[1;32m", "\033[1;33m"
    LightBlue, LightPurple, LightCyan, White = "\033[1;34m", "\033[1;35m", "\033[1;36m", "\033[1;37m"
