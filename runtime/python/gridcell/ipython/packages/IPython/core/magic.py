"""Decorators and base class for magics of users and libraries."""
import getopt
import re
import sys

import _gridcell_kernel as _kernel
from gridcell.ipython.paths import fall_through as _fall_through
from gridcell.ipython.shell import MagicsManager  # noqa: F401
from IPython.core.error import UsageError
from IPython.utils.ipstruct import Struct
from IPython.utils.process import arg_split

try:
    from traitlets.config.configurable import Configurable as _Base
except ImportError:
    _Base = object

__getattr__ = _fall_through(__name__)

BUILT_IN = "IPython.core.magics"  # the module of the built-in magics' classes
magic_kinds = ("line", "cell")
magic_spec = ("line", "cell", "line_cell")


def magics_class(cls):
    """Collects the methods that are marked as magics."""
    cls.registered = True
    cls.magics = {"line": {}, "cell": {}}
    for base in reversed(cls.__mro__):
        for attribute, method in vars(base).items():
            for kind, name in getattr(method, "_gridcell_magics", ()):
                cls.magics[kind][name or attribute] = attribute
    return cls


def _mark(kind):
    kinds = magic_kinds if kind == "line_cell" else (kind,)

    def decorator(argument=None):
        def mark(function, name=None):
            marks = list(getattr(function, "_gridcell_magics", ()))
            function._gridcell_magics = marks + [(each, name) for each in kinds]
            return function

        if callable(argument):
            return mark(argument, argument.__name__)
        return lambda function: mark(function, argument or function.__name__)

    return decorator


line_magic, cell_magic, line_cell_magic = _mark("line"), _mark("cell"), _mark("line_cell")


def _register(kind):
    def decorator(argument=None):
        def register(function, name=None):
            _kernel.get_ipython().register_magic_function(function, kind, name)
            return function

        if callable(argument):
            return register(argument, argument.__name__)
        return lambda function: register(function, argument or function.__name__)

    return decorator


register_line_magic = _register("line")
register_cell_magic = _register("cell")
register_line_cell_magic = _register("line_cell")


def needs_local_scope(function):
    """The magic wants the namespace as `local_ns`."""
    import functools

    @functools.wraps(function)
    def call(*args, **kwargs):
        # the magic is called from C: the frame below is the one that holds the cell's names
        kwargs.setdefault("local_ns", sys._getframe(1).f_locals)
        return function(*args, **kwargs)

    return call


def no_var_expand(function):
    """The magic wants its line as typed."""
    function._ipython_magic_no_var_expand = True
    return function


def output_can_be_silenced(function):
    """The magic's result is hidden by a trailing semicolon."""
    function._ipython_magic_output_can_be_silenced = True
    return function


def on_off(tag):
    return ("OFF", "ON")[bool(tag)]


def compress_dhist(history):
    return history


class Magics(_Base):
    """Base of classes that hold magics. Where traitlets is installed they may have traits."""

    registered = False
    magics = {"line": {}, "cell": {}}
    options_table = None

    def __init__(self, shell=None, **kwargs):
        if not type(self).registered:
            raise ValueError("Magics subclass without registration - did you forget to apply @magics_class?")
        self.shell = shell if shell is not None else _kernel.get_ipython()
        self.options_table = {}
        # methods by name, as the class has them; what an object has made of them before comes here as it is
        self.magics = {kind: {name: getattr(self, method) if isinstance(method, str) else method
                              for name, method in table.items()} for kind, table in self.magics.items()}
        if _Base is not object:
            parent = kwargs.setdefault("parent", self.shell)
            if not isinstance(parent, _Base):
                kwargs.pop("parent", None)
                kwargs.setdefault("config", getattr(self.shell, "config", None))
            super().__init__(**kwargs)
        configurables = getattr(self.shell, "configurables", None)
        if type(self).__module__ != BUILT_IN and configurables is not None and self not in configurables:
            configurables.append(self)

    def arg_err(self, function):
        print("Error in arguments:")
        print(function.__doc__)

    def default_option(self, name, text):
        self.options_table[name] = text

    def format_latex(self, text):
        """Text with what LaTeX treats specially escaped."""
        return re.sub(r"([%_$&#])", r"\\\1", text.replace("\\n", "@@newline@@"))

    def parse_options(self, arg_str, opt_str, *long_opts, mode="string", list_all=0, posix=True,
                      preserve_non_opts=False, strict=True, **_):
        """Options as attributes, and the rest of the line."""
        caller = sys._getframe(1).f_code.co_name
        defaults = (self.options_table or {}).get(caller, "")
        text = f"{defaults} {arg_str}"
        options = Struct()
        words = arg_split(text, posix, strict)
        try:
            pairs, rest = getopt.getopt(words, opt_str, long_opts)
        except getopt.GetoptError as error:
            raise UsageError(f'{error} (allowed: "{opt_str}" {" ".join(long_opts)})') from None
        for name, value in pairs:
            name = name.lstrip("-")
            if name in options:
                old = options[name]
                options[name] = (old if isinstance(old, list) else [old]) + [value]
            else:
                options[name] = [value] if list_all else value
        if mode == "list":
            return options, rest
        if preserve_non_opts and rest:
            starts = (match.start() for match in re.finditer(r"\S+", text))
            return options, next(text[start:] for start in starts
                                 if arg_split(text[start:], posix, strict) == rest)
        return options, " ".join(rest)
