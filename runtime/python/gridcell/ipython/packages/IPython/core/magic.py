"""Decorators and base class for magics of users and libraries."""
import sys as _sys

import _gridcell_kernel as _kernel

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
        kwargs.setdefault("local_ns", _sys._getframe(1).f_locals)
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


class Magics:
    """Base of classes that hold magics."""

    registered = False
    magics = {"line": {}, "cell": {}}
    options_table = None

    def __init__(self, shell=None, **kwargs):
        self.shell = shell if shell is not None else _kernel.get_ipython()
        if not type(self).registered:
            raise ValueError("Magics subclass without registration - did you forget to apply @magics_class?")
        self.magics = {kind: {name: getattr(self, method) for name, method in table.items()}
                       for kind, table in type(self).magics.items()}

    def arg_err(self, function):
        print("Error in arguments:")
        print(function.__doc__)

    def default_option(self, name, text):
        self.options_table = {**(self.options_table or {}), name: text}

    def parse_options(self, text, short, *long, mode="string", list_all=0, posix=True,
                      preserve_non_opts=False, strict=True, **kwargs):
        """Options as attributes, and the rest of the line."""
        import getopt
        import shlex
        words = shlex.split(text, posix=posix)
        try:
            pairs, rest = getopt.getopt(words, short, long)
        except getopt.GetoptError as error:
            from IPython.core.error import UsageError
            raise UsageError(f'{error} ( allowed: "{short}" {" ".join(long)})') from None
        options = Options()
        for name, value in pairs:
            name = name.lstrip("-")
            if name in options and list_all:
                old = options[name]
                options[name] = (old if isinstance(old, list) else [old]) + [value]
            else:
                options[name] = [value] if list_all else value
        if mode == "list":
            return options, rest
        if not pairs:
            return options, text.strip()
        return options, " ".join(rest) if not preserve_non_opts else text.split(None, 2 * len(pairs))[-1]


class Options(dict):
    """Options of a magic: a dict whose items are attributes too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__
