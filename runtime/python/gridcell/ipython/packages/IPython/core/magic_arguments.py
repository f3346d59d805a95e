"""Magics that declare their arguments as argparse does.

Decorators are classes, whose instances the magic keeps in `decorators`, nearest to the function first:
libraries read them, to find which options a magic takes.
"""
import argparse
import re

from gridcell.ipython.paths import fall_through as _fall_through
from IPython.core.error import UsageError
from IPython.utils.process import arg_split
from IPython.utils.text import dedent

__getattr__ = _fall_through(__name__)
NAME_RE = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]*$")


class MagicHelpFormatter(argparse.RawDescriptionHelpFormatter):
    """The usage as a block of code, and a description whose paragraphs stay as they are written."""

    def _fill_text(self, text, width, indent):
        lines = dedent(text).split("\n")
        return "\n".join(indent + line if line else line for line in lines)

    def _format_action_invocation(self, action):
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, action.dest.upper())
        value = value if NAME_RE.match(value) else f"<{value}>"
        return ", ".join(f"{option} {value}" for option in action.option_strings)

    def add_usage(self, usage, actions, groups, prefix="::\n\n  %"):
        super().add_usage(usage, actions, groups, prefix)


class MagicArgumentParser(argparse.ArgumentParser):
    """Errors become UsageError; no -h of its own."""

    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(),
                 formatter_class=MagicHelpFormatter, prefix_chars="-", argument_default=None,
                 conflict_handler="error", add_help=False, **options):
        super().__init__(prog=prog, usage=usage, description=description, epilog=epilog, parents=parents,
                         formatter_class=formatter_class, prefix_chars=prefix_chars,
                         argument_default=argument_default, conflict_handler=conflict_handler,
                         add_help=add_help, **options)

    def error(self, message):
        raise UsageError(message)

    def parse_argstring(self, argstring, *, partial=False):
        """The arguments of a line; with `partial`, also the words that are none."""
        words = arg_split(argstring)
        return self.parse_known_args(words) if partial else self.parse_args(words)


def construct_parser(magic_func):
    """The parser that a magic's decorators describe. The magic's docstring becomes its help."""
    options = {"description": magic_func.__doc__, **getattr(magic_func, "argcmd_kwds", {})}
    parser = MagicArgumentParser(real_name(magic_func), **options)
    group = None
    for decorator in reversed(magic_func.decorators):
        group = decorator.add_to_parser(parser, group) or group
    magic_func.__doc__ = parser.format_help()
    return parser


def parse_argstring(magic_func, argstring, *, partial=False):
    """The arguments of a magic's line."""
    return magic_func.parser.parse_argstring(argstring, partial=partial)


def real_name(magic_func):
    """The name that a magic is called by."""
    return getattr(magic_func, "argcmd_name", magic_func.__name__.removeprefix("magic_"))


def _collect(function):
    """Marks a function as one with arguments."""
    if not getattr(function, "has_arguments", False):
        function.has_arguments, function.decorators = True, []


class ArgDecorator:
    """Base of the decorators."""

    def __call__(self, func):
        _collect(func)
        func.decorators.append(self)
        return func

    def add_to_parser(self, parser, group):
        """Says its part to the parser; a group that it makes is for the arguments that follow."""


class magic_arguments(ArgDecorator):
    """The topmost decorator: makes the parser."""

    def __init__(self, name=None):
        self.name = name

    def __call__(self, func):
        _collect(func)
        if self.name is not None:
            func.argcmd_name = self.name
        func.parser = construct_parser(func)
        return func


class ArgMethodWrapper(ArgDecorator):
    """A decorator that keeps the arguments of a method of parsers."""

    _method_name: str

    def __init__(self, *args, **kwargs):
        self.args, self.kwargs = args, kwargs

    def add_to_parser(self, parser, group):
        getattr(parser if group is None else group, self._method_name)(*self.args, **self.kwargs)


class argument(ArgMethodWrapper):
    """An argument, as of add_argument()."""

    _method_name = "add_argument"


class defaults(ArgMethodWrapper):
    """Values of arguments that are not given, as of set_defaults()."""

    _method_name = "set_defaults"


class argument_group(ArgMethodWrapper):
    """A group of the arguments that follow, as of add_argument_group()."""

    def add_to_parser(self, parser, group):
        return parser.add_argument_group(*self.args, **self.kwargs)


class kwds(ArgDecorator):
    """Other keywords of the parser: description, epilog and their like."""

    def __init__(self, **kwds):
        self.kwds = kwds

    def __call__(self, func):
        func.argcmd_kwds = self.kwds
        return func


__all__ = ["magic_arguments", "argument", "argument_group", "kwds", "parse_argstring"]
