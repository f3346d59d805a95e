"""get_ipython().display_formatter: representations by MIME type, and the functions registered for
types. The work is done in C; these objects are views of its tables."""
import _gridcell_kernel as kernel
from gridcell.ipython.traits import Configurable

MIME_TYPES = ("text/plain", "text/html", "text/markdown", "image/svg+xml", "image/png",
              "application/pdf", "image/jpeg", "text/latex", "application/json",
              "application/javascript")
METHODS = {"text/plain": "_repr_pretty_", "text/html": "_repr_html_",
           "text/markdown": "_repr_markdown_", "image/svg+xml": "_repr_svg_",
           "image/png": "_repr_png_", "application/pdf": "_repr_pdf_", "image/jpeg": "_repr_jpeg_",
           "text/latex": "_repr_latex_", "application/json": "_repr_json_",
           "application/javascript": "_repr_javascript_"}


class FormatterWarning(UserWarning):
    """A representation that cannot be sent."""


class TypeTable:
    """Functions by type: what all formatters share."""

    def for_type(self, kind, function=None):
        """Registers; or without a function, looks up."""
        if isinstance(kind, str):
            module, _, name = kind.rpartition(".")
            return self.for_type_by_name(module, name, function)
        old = self.type_printers.get(kind)
        if old is None:
            old = self.deferred_printers.pop((kind.__module__, kind.__name__), None)
        if function is not None or old is not None:
            self.type_printers[kind] = old if function is None else function
        return old

    def for_type_by_name(self, module, name, function=None):
        key = module, name
        old = self.deferred_printers.get(key)
        if old is None:
            old = next((printer for kind, printer in self.type_printers.items()
                        if (kind.__module__, kind.__name__) == key), None)
        if function is not None:
            self.deferred_printers[key] = function
        return old

    def lookup_by_type(self, kind):
        if isinstance(kind, str):
            module, _, name = kind.rpartition(".")
            found = self.for_type_by_name(module, name)
            if found is not None:
                return found
            raise KeyError(f"No registered printer for {kind!r}")
        for base in kind.__mro__:
            if base in self.type_printers:
                return self.type_printers[base]
            key = base.__module__, base.__name__
            if key in self.deferred_printers:
                self.type_printers[base] = self.deferred_printers.pop(key)
                return self.type_printers[base]
        raise KeyError(f"No registered printer for {kind!r}")

    def lookup(self, obj):
        return self.lookup_by_type(type(obj))

    def __contains__(self, kind):
        try:
            self.lookup_by_type(kind)
        except KeyError:
            return False
        return True

    def pop(self, kind, *default):
        table, key = self.type_printers, kind
        if isinstance(kind, str):
            module, _, name = kind.rpartition(".")
            table, key = self.deferred_printers, (module, name)
            if key not in table:  # the class itself is known by now
                found = [each for each in self.type_printers if (each.__module__, each.__name__) == key]
                table, key = (self.type_printers, found[0]) if found else (table, key)
        elif kind not in table:
            table, key = self.deferred_printers, (kind.__module__, kind.__name__)
        if key not in table and not default:
            raise KeyError(f"No registered value for {kind!r}")
        return table.pop(key, *default)


class Formatter(TypeTable, Configurable):
    """The formatter of one MIME type."""

    verbose = False
    newline = "\n"
    # of text/plain: the columns of a line
    max_width = property(lambda self: kernel.switch("max_width"),
                         lambda self, value: kernel.switch("max_width", int(value)))
    # of text/plain: whether containers are laid out, and how many items of them are shown
    pprint = property(lambda self: bool(kernel.switch("pprint")),
                      lambda self, value: kernel.switch("pprint", bool(value)))
    max_seq_length = property(lambda self: kernel.switch("max_seq_length"),
                              lambda self, value: kernel.switch("max_seq_length", int(value)))

    # of text/plain: digits of floats, as %precision sets them
    @property
    def float_precision(self):
        return self.__dict__.get("_float_precision", "")

    @float_precision.setter
    def float_precision(self, value):
        self.__dict__["_float_precision"] = value
        kernel.get_ipython().run_line_magic("precision", str(value))

    def __init__(self, mime):
        self.format_type, self.print_method = mime, METHODS.get(mime, mime)
        self.type_printers = kernel.state("formatters").setdefault(mime, {})
        self.deferred_printers = kernel.state("lazy_formatters").setdefault(mime, {})
        self.singleton_printers = {}

    @property
    def enabled(self):
        return self.format_type not in kernel.state("disabled_formats")

    @enabled.setter
    def enabled(self, value):
        disabled = kernel.state("disabled_formats")
        (disabled.discard if value else disabled.add)(self.format_type)

    def __call__(self, obj):
        return kernel.format(obj, [self.format_type])[0].get(self.format_type)


class BundleFormatter(Formatter):
    """Types whose functions make several representations at once."""

    def __call__(self, obj, include=None, exclude=None):
        try:
            function = self.lookup(obj)
        except KeyError:
            function = getattr(obj, self.print_method, None)
            return function(include=include, exclude=exclude) if function else None
        return function(obj, include=include, exclude=exclude)


class SelfDisplayFormatter(Formatter):
    """Types whose functions show the object themselves."""

    def __call__(self, obj):
        try:
            function = self.lookup(obj)
        except KeyError:
            function = getattr(obj, self.print_method, None)
            if function:
                function()
            return bool(function)
        function(obj)
        return True


class FormatterTable(dict):
    """Formatters by MIME type, made when they are asked for. Others may be put in."""

    def __init__(self):
        super().__init__((mime, None) for mime in MIME_TYPES)

    def __getitem__(self, mime):
        formatter = super().__getitem__(mime)
        if formatter is None:
            formatter = Formatter(mime)
            super().__setitem__(mime, formatter)
        return formatter

    def __setitem__(self, mime, formatter):
        super().__setitem__(mime, formatter)
        kernel.state("custom_formatters")[mime] = formatter

    def __delitem__(self, mime):
        super().__delitem__(mime)
        kernel.state("custom_formatters").pop(mime, None)

    def update(self, *args, **kwargs):
        for mime, formatter in dict(*args, **kwargs).items():
            self[mime] = formatter

    def setdefault(self, mime, formatter=None):
        if mime not in self:
            self[mime] = formatter
        return self[mime]

    def pop(self, mime, *default):
        value = self[mime] if mime in self else None
        kernel.state("custom_formatters").pop(mime, None)
        found = super().pop(mime, *default)
        return found if value is None else value

    def get(self, mime, default=None):
        return self[mime] if mime in self else default

    def items(self):
        return [(mime, self[mime]) for mime in self]

    def values(self):
        return [self[mime] for mime in self]


class DisplayFormatter(Configurable):
    """All formatters, and the MIME types in use."""

    def __init__(self):
        self.formatters = FormatterTable()
        self.mimebundle_formatter = BundleFormatter("_repr_mimebundle_")
        self.ipython_display_formatter = SelfDisplayFormatter("_ipython_display_")

    @property
    def format_types(self):
        return list(self.formatters)

    @property
    def active_types(self):
        return [mime for mime, formatter in self.formatters.items()
                if getattr(formatter, "enabled", True)]

    @active_types.setter
    def active_types(self, mimes):
        for mime, formatter in self.formatters.items():
            formatter.enabled = mime in mimes

    def register_formatter(self, formatter):
        """Adds one for a MIME type of its own; True: in place of none."""
        if formatter.format_type in self.formatters:
            import warnings
            warnings.warn(f"formatter for {formatter.format_type!r} already registered and will be overridden",
                          FormatterWarning, stacklevel=2)
        self.formatters[formatter.format_type] = formatter

    def format(self, obj, include=None, exclude=None):
        """The representations of an object, and their metadata."""
        return kernel.format(obj, include, exclude)


DisplayFormatter.__module__ = FormatterWarning.__module__ = "IPython.core.formatters"
