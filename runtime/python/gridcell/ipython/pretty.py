"""Context managers of the printer that `_repr_pretty_(p, cycle)` methods draw on."""


class PrinterGroup:
    """`with p.group(indent, open, close):` breakables inside break together."""

    def __init__(self, printer, arguments):
        self.printer = printer
        indent, opening, closing = (*arguments, *(0, "", "")[len(arguments):])
        self.indent, self.opening, self.closing = indent, opening, closing

    def __enter__(self):
        self.printer.begin_group(self.indent, self.opening)

    def __exit__(self, *_):
        self.printer.end_group(self.indent, self.closing)


class PrinterIndent:
    """`with p.indent(4):` lines inside are indented further."""

    def __init__(self, printer, amount):
        self.printer, self.amount = printer, amount

    def __enter__(self):
        self.printer._shift(self.amount)

    def __exit__(self, *_):
        self.printer._shift(-self.amount)


def public_values(obj):
    """(name, value) of the attributes without an underscore, methods left out."""
    from types import MethodType
    found = []
    for name in dir(obj):
        if name.startswith("_"):
            continue
        try:
            value = getattr(obj, name)
        except AttributeError:  # a name that dir() promised
            continue
        if not isinstance(value, MethodType):
            found.append((name, value))
    return found
