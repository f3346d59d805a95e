"""The settings of completion, and jedi: analysis of code for which no objects exist yet."""
import _thread
import sys
import time

import _gridcell_kernel as kernel
from gridcell.ipython.traits import Configurable

PATIENCE = 0.9  # seconds; front ends drop what comes after one second
QUIET = 1.0  # seconds without a completion before jedi is loaded ahead of its use


class Completer(Configurable):
    """What is configured as Completer.greedy and the like."""


class IPCompleter(Completer):
    """get_ipython().Completer: what %config IPCompleter changes, and completion from Python."""

    def __init__(self):
        self.use_jedi, self.jedi_compute_type_timeout = True, 400
        self.omit__names, self.limit_to__all__ = 2, False
        self.greedy, self.evaluation, self.auto_close_dict_keys = False, "limited", False
        self.backslash_combining_completions, self.debug = True, False
        self.merge_completions, self.suppress_competing_matchers = True, None
        self.disable_matchers, self.policy_overrides = [], {}

    def __setattr__(self, name, value):
        if name == "omit__names" and value not in (0, 1, 2):
            raise ValueError("omit__names is 0, 1 or 2")
        super().__setattr__(name, value)

    @property
    def custom_matchers(self):
        """Functions of a word, or of a context, to completions."""
        from gridcell.ipython.custom_completers import matchers
        return matchers

    @custom_matchers.setter
    def custom_matchers(self, functions):
        from gridcell.ipython.custom_completers import matchers
        matchers[:] = functions or []

    @property
    def custom_completers(self):
        """What set_hook("complete_command", ...) added."""
        from gridcell.ipython.custom_completers import commands
        return commands

    @property
    def matchers(self):
        return [*self.custom_matchers, self.python_matches]

    @property
    def namespace(self):
        return kernel.state("user_ns")

    global_namespace = namespace
    splitter = None

    @property
    def shell(self):
        return kernel.get_ipython()

    def python_matches(self, text):
        """The names and attributes that begin so."""
        return self.complete(text)[1]

    global_matches = attr_matches = python_matches

    def complete(self, text=None, line_buffer=None, cursor_pos=None):
        """The text that is replaced, and the matches."""
        line = line_buffer or text or ""
        typed_alone[0] = text if line_buffer is None else None
        try:
            reply = kernel.complete(line if cursor_pos is None else line[:cursor_pos])
        finally:
            typed_alone[0] = None
        return line[reply["cursor_start"]:reply["cursor_end"]], reply["matches"]

    def completions(self, text, offset):
        """Matches with their place and type, as objects."""
        from IPython.core.completer import Completion
        reply = kernel.complete(text[:offset])
        for entry in reply["metadata"]["_jupyter_types_experimental"]:
            yield Completion(**entry)

    def all_completions(self, text):
        """The matches of a text."""
        return self.complete(text)[1]


IPCompleter.__module__ = Completer.__module__ = "IPython.core.completer"
settings = IPCompleter()
typed_alone = [None]  # the text that complete() is asked about without a line around it
_busy = _thread.allocate_lock()
_last = 0.0
_is_warm = False
_is_warming = False


def _load():
    """jedi, with its caches filled; None where it is not installed."""
    global _is_warm
    try:
        import jedi
    except ImportError:
        settings.use_jedi = False
        return None
    if not _is_warm:
        # properties of the user's objects are not for us to call
        jedi.settings.allow_unsafe_interpreter_executions = False
        _is_warm = True
        jedi.Interpreter("''.s", [{}]).complete()
    return jedi


def _warm_when_quiet():
    while time.monotonic() - _last < QUIET:
        time.sleep(QUIET)
    with _busy:
        _load()


def warm_up():
    """Loads jedi in the background, once nobody has completed anything for a second."""
    global _last, _is_warming
    _last = time.monotonic()
    if settings.use_jedi and not _is_warming:
        _is_warming = True
        _thread.start_new_thread(_warm_when_quiet, ())


def _signature(completion):
    if completion.type not in ("function", "class"):
        return ""
    signatures = completion.get_signatures()
    if not signatures:
        return ""
    return "(" + ", ".join(p.to_string().partition(" ")[2] or p.name for p in signatures[0].params) + ")"


def _is_harmless(value):
    """Whether looking for attributes runs nothing of the user's."""
    kind = type(value)
    return kind.__getattribute__ in (object.__getattribute__, type.__getattribute__,
                                     type(sys).__getattribute__) and not hasattr(kind, "__getattr__")


def _run(code, namespace, found, done):
    try:
        with _busy:
            jedi = _load()
            completions = jedi.Interpreter(code, [namespace]).complete() if jedi else []
            found.extend((c.name_with_symbols, c.type, "") for c in completions)
            deadline = time.monotonic() + settings.jedi_compute_type_timeout / 4000
            for i, completion in enumerate(completions):
                if time.monotonic() > deadline:
                    break
                found[i] = (*found[i][:2], _signature(completion))
    except Exception:  # jedi fails on some code that nobody has finished
        pass
    finally:
        done.release()


def analyse(code):
    """(name, type, signature) of what may stand at the end of the code; empty when it takes too long."""
    if not settings.use_jedi or sys.is_finalizing():
        return []
    found, done = [], _thread.allocate_lock()
    done.acquire()
    # a thread, so that a time limit leaves jedi's caches whole
    namespace = {name: value for name, value in kernel.state("user_ns").items() if _is_harmless(value)}
    _thread.start_new_thread(_run, (code, namespace, found, done))
    done.acquire(timeout=PATIENCE)
    return list(found)
