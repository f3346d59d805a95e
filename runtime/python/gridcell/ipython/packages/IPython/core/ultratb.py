"""Tracebacks, for libraries that format their own."""
import traceback
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


class AutoFormattedTB:
    """Formats exceptions as Python does."""

    valid_modes = ["Plain", "Context", "Verbose", "Minimal", "Docs", "Doctest"]

    def __init__(self, mode="Plain", *args, **kwargs):
        self.mode, self.tb_offset = mode, 0

    def text(self, etype, value, tb, tb_offset=None, context=5):
        return "".join(traceback.format_exception(etype, value, tb))

    def structured_traceback(self, etype, value, tb, tb_offset=None, context=5, *args):
        return traceback.format_exception(etype, value, tb)

    def stb2text(self, lines):
        return "".join(lines)

    def __call__(self, etype=None, value=None, tb=None, *args):
        traceback.print_exception(etype, value, tb)


FormattedTB = VerboseTB = ListTB = SyntaxTB = ColorTB = AutoFormattedTB
