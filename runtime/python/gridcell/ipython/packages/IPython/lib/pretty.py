"""The pretty printer."""
from _gridcell_kernel import pretty as _pretty
from gridcell.ipython.shell import Formatter as _Formatter

MAX_SEQ_LENGTH = 1000


def pretty(obj, verbose=False, max_width=79, newline="\n", max_seq_length=MAX_SEQ_LENGTH):
    """The text of an object."""
    return _pretty(obj)


def pprint(obj, *args, **kwargs):
    """Prints the text of an object."""
    print(_pretty(obj))


def for_type(kind, function):
    """Registers `function(obj, p, cycle)` as the printer of a type."""
    return _Formatter("text/plain").for_type(kind, function)


def for_type_by_name(module, name, function):
    """As for_type, for a type that may not be imported yet."""
    return _Formatter("text/plain").for_type_by_name(module, name, function)


class PrettyPrinter:
    """Only a name to inherit from: `_repr_pretty_` methods get the kernel's own printer."""


RepresentationPrinter = PrettyPrinter
