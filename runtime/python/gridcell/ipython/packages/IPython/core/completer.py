"""Completion, as far as libraries configure it."""
import contextlib

from gridcell.ipython.completing import Completer, IPCompleter  # noqa: F401
from gridcell.ipython.custom_completers import CompletionContext, SimpleCompletion  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


class ProvisionalCompleterWarning(FutureWarning):
    """Named by programs that silence it."""


class Completion:
    """One completion of the text from start to end."""

    def __init__(self, start, end, text, *, type=None, _origin="", signature=""):
        self.start, self.end, self.text = start, end, text
        self.type, self._origin, self.signature = type, _origin, signature

    def __eq__(self, other):
        """As front ends see it: what it inserts, and where."""
        return isinstance(other, Completion) and (self.start, self.end, self.text) == (other.start, other.end, other.text)

    def __hash__(self):
        return hash((self.start, self.end, self.text))

    def __repr__(self):
        return f"<Completion start={self.start} end={self.end} text={self.text!r} type={self.type!r}>"


@contextlib.contextmanager
def provisionalcompleter(action="ignore"):
    """Nothing warns here."""
    yield


def rectify_completions(text, completions, *, _debug=False):
    """Ours have one common range already."""
    return completions


def completion_matcher(*, priority=None, identifier=None, api_version=1):
    """Marks a function of a word to texts, or of a context to completions."""
    def mark(function):
        function.matcher_api_version = api_version
        function.matcher_priority = priority or 0
        function.matcher_identifier = identifier or function.__qualname__
        return function
    return mark


def context_matcher(*, priority=None, identifier=None):
    """Marks a function of a context to completions."""
    return completion_matcher(priority=priority, identifier=identifier, api_version=2)
