"""The pretty printer, apart from what the notebook's formatters were told."""
import contextlib
import io
import sys

import _gridcell_kernel as _kernel
from gridcell.ipython.paths import fall_through as _fall_through

__all__ = ["pretty", "pprint", "PrettyPrinter", "RepresentationPrinter", "for_type", "for_type_by_name", "RawText",
           "RawStringLiteral", "CallExpression"]
MAX_SEQ_LENGTH = 1000
_type_pprinters, _deferred_type_pprinters, _singleton_pprinters = {}, {}, {}

__getattr__ = _fall_through(__name__)


def printed_with(type_printers, deferred_printers, obj, max_width=79, newline="\n", max_seq_length=MAX_SEQ_LENGTH,
                 verbose=False):
    """The text of an object, by these tables in place of the notebook's."""
    tables = ((_kernel.state("formatters"), type_printers), (_kernel.state("lazy_formatters"), deferred_printers))
    saved = [table.get("text/plain") for table, _ in tables]
    for table, own in tables:
        table["text/plain"] = own
    try:
        return _kernel.pretty(obj, max_width, newline, max_seq_length or 0, verbose)
    finally:
        for (table, _), old in zip(tables, saved):
            if old is None:
                del table["text/plain"]
            else:
                table["text/plain"] = old


def pretty(obj, verbose=False, max_width=79, newline="\n", max_seq_length=MAX_SEQ_LENGTH):
    """The text of an object."""
    return printed_with(_type_pprinters, _deferred_type_pprinters, obj, max_width, newline, max_seq_length, verbose)


def pprint(obj, verbose=False, max_width=79, newline="\n", max_seq_length=MAX_SEQ_LENGTH):
    """Prints the text of an object."""
    sys.stdout.write(pretty(obj, verbose, max_width, newline, max_seq_length) + newline)
    sys.stdout.flush()


def _for_all(table, default_table, key, function):
    old = default_table.get(key)
    if function is not None:
        default_table[key] = function
        _kernel.state(table).setdefault("text/plain", {})[key] = function
    return old


def for_type(typ, func):
    """Registers `func(obj, p, cycle)` as the printer of a type; the one before."""
    return _for_all("formatters", _type_pprinters, typ, func)


def for_type_by_name(type_module, type_name, func):
    """As for_type, for a type that may not be imported yet."""
    return _for_all("lazy_formatters", _deferred_type_pprinters, (type_module, type_name), func)


class PrettyPrinter:
    """Text in groups: a group that does not fit the line is broken at its breakables."""

    def __init__(self, output, max_width=79, newline="\n", max_seq_length=MAX_SEQ_LENGTH):
        self.output, self.max_width, self.newline = output, max_width, newline
        self.max_seq_length = max_seq_length
        self.indentation, self.output_width = 0, 0
        self._root = self._group = []  # of texts, breakables (separator, indentation) and groups
        self._parents = []

    def text(self, obj):
        """Adds a text that is not broken."""
        if obj:
            self._group.append(obj)
            self._flush_outside()

    def breakable(self, sep=" "):
        """Adds a place where the group may be broken; else it is `sep`."""
        self._group.append((sep, self.indentation))
        self._flush_outside()

    def break_(self):
        """Begins a new line."""
        self._group.append(("\n", self.indentation))
        self._flush_outside()

    @contextlib.contextmanager
    def indent(self, indent):
        self.indentation += indent
        try:
            yield
        finally:
            self.indentation -= indent

    @contextlib.contextmanager
    def group(self, indent=0, open="", close=""):
        self.begin_group(indent, open)
        try:
            yield
        finally:
            self.end_group(indent, close)

    def begin_group(self, indent=0, open=""):
        if open:
            self._group.append(open)
        inner = []
        self._group.append(inner)
        self._parents.append(self._group)
        self._group = inner
        self.indentation += indent

    def end_group(self, dedent=0, close=""):
        self.indentation -= dedent
        self._group = self._parents.pop()
        self.text(close)
        self._flush_outside()

    def _enumerate(self, seq):
        """As enumerate(), until the greatest length; then an ellipsis is added."""
        for index, item in enumerate(seq):
            if self.max_seq_length and index >= self.max_seq_length:
                self.text(",")
                self.breakable()
                self.text("...")
                return
            yield index, item

    def flush(self):
        """Writes what is complete."""
        self._write(self._root, self._width(self._root) is None)
        self._root.clear()

    def _flush_outside(self):
        if not self._parents:
            self.flush()

    def _width(self, part):
        """Columns of a part on one line; None where it holds a line break."""
        if isinstance(part, str):
            return None if "\n" in part else len(part)
        if isinstance(part, tuple):
            return None if part[0] == "\n" else len(part[0])
        widths = [self._width(member) for member in part]
        return None if None in widths else sum(widths)

    def _write(self, group, breaks):
        for part in group:
            if isinstance(part, list):
                width = self._width(part)
                self._write(part, width is None or self.output_width + width > self.max_width)
            elif isinstance(part, str):
                self.output.write(part)
                last = part.rpartition("\n")[2]
                self.output_width = len(last) + (0 if "\n" in part else self.output_width)
            elif breaks or part[0] == "\n":
                self.output.write(self.newline + " " * part[1])
                self.output_width = part[1]
            else:
                self.output.write(part[0])
                self.output_width += len(part[0])


class RepresentationPrinter(PrettyPrinter):
    """A printer of objects: with their `_repr_pretty_` methods and registered functions."""

    def __init__(self, output, verbose=False, max_width=79, newline="\n", singleton_pprinters=None,
                 type_pprinters=None, deferred_pprinters=None, max_seq_length=MAX_SEQ_LENGTH):
        super().__init__(output, max_width, newline, max_seq_length)
        self.verbose, self.stack = verbose, []
        self.singleton_pprinters = dict(singleton_pprinters or _singleton_pprinters)
        self.type_pprinters = dict(type_pprinters or _type_pprinters)
        self.deferred_pprinters = dict(deferred_pprinters or _deferred_type_pprinters)

    def pretty(self, obj):
        """Adds the text of an object."""
        cycle = id(obj) in self.stack
        self.stack.append(id(obj))
        self.begin_group()
        try:
            printer = self._printer_of(obj)
            if printer:
                printer(obj, self, cycle)
            elif isinstance(obj, (list, tuple)) and type(obj).__repr__ in (list.__repr__, tuple.__repr__):
                self._sequence(obj, cycle)
            elif isinstance(obj, dict) and type(obj).__repr__ is dict.__repr__:
                self._dict(obj, cycle)
            else:
                text = printed_with(self.type_pprinters, self.deferred_pprinters, obj,
                                    max_seq_length=self.max_seq_length, verbose=self.verbose)
                for index, line in enumerate(text.splitlines()):
                    if index:
                        self.break_()
                    self.text(line)
        finally:
            self.end_group()
            self.stack.pop()

    def _printer_of(self, obj):
        if id(obj) in self.singleton_pprinters:
            return self.singleton_pprinters[id(obj)]
        for kind in type(obj).__mro__:
            key = kind.__module__, kind.__name__
            if key in self.deferred_pprinters:
                self.type_pprinters[kind] = self.deferred_pprinters.pop(key)
            if kind in self.type_pprinters:
                return self.type_pprinters[kind]
            if "_repr_pretty_" in vars(kind) and callable(kind._repr_pretty_):
                return kind._repr_pretty_
        return None

    def _sequence(self, obj, cycle):
        start, end = "[]" if isinstance(obj, list) else "()"
        if cycle:
            self.text(start + "..." + end)
            return
        with self.group(1, start, "," + end if end == ")" and len(obj) == 1 else end):
            for index, item in self._enumerate(obj):
                if index:
                    self.text(",")
                    self.breakable()
                self.pretty(item)

    def _dict(self, obj, cycle):
        if cycle:
            self.text("{...}")
            return
        with self.group(1, "{", "}"):
            for index, key in self._enumerate(obj):
                if index:
                    self.text(",")
                    self.breakable()
                self.pretty(key)
                self.text(": ")
                self.pretty(obj[key])


class PrettyMixin:
    """The text of an object with `_repr_pretty_` as its repr()."""

    def __repr__(self):
        stream = io.StringIO()
        printer = RepresentationPrinter(stream)
        printer.pretty(self)
        printer.flush()
        return stream.getvalue()


CUnicodeIO = io.StringIO
