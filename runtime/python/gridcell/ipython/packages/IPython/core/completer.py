"""Completion, as far as libraries configure it."""
import contextlib

from gridcell.ipython.custom_completers import CompletionContext, SimpleCompletion  # noqa: F401
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)


class ProvisionalCompleterWarning(FutureWarning):
    """Named by programs that silence it."""


class Completion:
    """One completion of the text from start to end."""

    def __init__(self, start, end, text, *, type=None, _origin="", signature=""):
        self.start, self.end, self.text = start, end, text
        self.type, self._origin, self.signature = type, _origin, signature

    def __repr__(self):
        return f"<Completion start={self.start} end={self.end} text={self.text!r} type={self.type!r}>"


class Completer:
    """Settings of completion."""

    greedy = False
    evaluation = "limited"
    use_jedi = True
    jedi_compute_type_timeout = 400
    backslash_combining_completions = True
    auto_close_dict_keys = False


class IPCompleter(Completer):
    """Settings of completion in a notebook."""

    merge_completions = True
    omit__names = 2
    limit_to__all__ = False
    suppress_competing_matchers = None
    disable_matchers = []
    custom_completers = None


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
