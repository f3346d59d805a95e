"""Magics that declare their arguments as argparse does."""
import argparse
import functools
import shlex

from IPython.core.error import UsageError
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)


class MagicArgumentParser(argparse.ArgumentParser):
    """Errors become UsageError."""

    def __init__(self, prog=None, add_help=False, **kwargs):
        super().__init__(prog=prog, add_help=add_help, **kwargs)

    def error(self, message):
        raise UsageError(message)

    def parse_argstring(self, text, *, partial=False):
        words = shlex.split(text)
        return self.parse_known_args(words)[0] if partial else self.parse_args(words)


def magic_arguments(name=None):
    """Goes on top of @argument: makes the parser."""
    def decorate(function):
        parser = MagicArgumentParser(prog=name or "%" + function.__name__)
        group = parser
        for kind, args, kwargs in reversed(getattr(function, "_argument_list", ())):
            if kind == "group":
                group = parser.add_argument_group(*args, **kwargs)
            elif kind == "defaults":
                parser.set_defaults(**kwargs)
            else:
                group.add_argument(*args, **kwargs)
        function.parser = parser
        function.__doc__ = parser.format_help()
        return function

    return decorate


def _collector(kind):
    def with_arguments(*args, **kwargs):
        def decorate(function):
            function._argument_list = [*getattr(function, "_argument_list", ()), (kind, args, kwargs)]
            return function
        return decorate
    return with_arguments


argument, argument_group, defaults = _collector("argument"), _collector("group"), _collector("defaults")
kwds = functools.partial(_collector("kwds"))


def parse_argstring(magic, text, *, partial=False):
    """The arguments of a magic's line."""
    return magic.parser.parse_argstring(text, partial=partial)


def real_name(magic):
    return magic.__name__.removeprefix("magic_")
