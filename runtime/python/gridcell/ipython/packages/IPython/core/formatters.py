"""Formatters: those of the notebook, and the base class of libraries' own."""
import abc
import sys
import traceback

from gridcell.ipython.formatting import DisplayFormatter, Formatter, FormatterWarning, TypeTable  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

try:
    from traitlets.config.configurable import Configurable as _Base
except ImportError:
    _Base = object

__getattr__ = _fall_through(__name__)


class BaseFormatter(TypeTable, _Base):
    """A formatter of a library's own: what its print_method, or a function for the type, returns."""

    format_type = "text/plain"
    enabled = True
    print_method = "__repr__"
    _return_type = str

    def __init__(self, parent=None, **options):
        if parent is not None and isinstance(parent, _Base) and _Base is not object:
            options["parent"] = parent
        super().__init__()
        self.singleton_printers, self.type_printers, self.deferred_printers = {}, {}, {}
        for name, value in options.items():
            setattr(self, name, value)

    def __call__(self, obj):
        """The representation; None, after its traceback, where it fails."""
        try:
            return self._checked(self._of(obj), obj) if self.enabled else None
        except NotImplementedError:
            return None
        except Exception:
            traceback.print_exc(file=sys.stdout)
            return None

    def _of(self, obj):
        function = self.lookup_by_type(type(obj)) if type(obj) in self else None
        if function:
            return function(obj)
        method = None if isinstance(obj, type) else getattr(obj, self.print_method, None)
        # objects that claim to have any attribute at all have none of ours
        is_real = callable(method) and getattr(obj, "_ipython_canary_method_should_not_exist_", None) is None
        return method() if is_real else None

    def _checked(self, found, obj):
        """What a representation must be, and is not, is named in a warning."""
        kinds = self._return_type if isinstance(self._return_type, tuple) else (self._return_type,)
        value = found[0] if isinstance(found, tuple) and found else found
        if value is None or isinstance(value, kinds):
            return found
        import warnings
        names = " or ".join(kind.__name__ for kind in kinds)
        warnings.warn(f"{self.format_type} formatter returned invalid type {type(value)} (expected {names}) for object: "
                      f"{object.__repr__(obj)}", FormatterWarning, stacklevel=3)
        return None


class FormatterABC(abc.ABC):
    """What a formatter has."""

    format_type = "text/plain"
    enabled = True
    _return_type = str

    @abc.abstractmethod
    def __call__(self, obj):
        """The representation of an object, or None."""


FormatterABC.register(BaseFormatter)
FormatterABC.register(Formatter)


def _make(name, mime, method, kind=str):
    members = {"format_type": mime, "print_method": method, "_return_type": kind,
               "__module__": __name__, "__doc__": f"A formatter to {mime}."}
    return type(BaseFormatter)(name, (BaseFormatter,), members)


def _format_of(precision):
    """The format of floats that a number of digits or a format stands for."""
    try:
        if isinstance(precision, str) and "%" in precision:
            precision % 3.14159
            return precision
        digits = int(precision) if precision != "" else None
    except (TypeError, ValueError):
        digits = -1
    if digits is None:
        return "%r"
    if digits < 0:
        raise ValueError(f"Precision must be int or format string, not {precision!r}")
    return f"%.{digits}f"


class PlainTextFormatter(BaseFormatter):
    """A formatter to text by the pretty printer."""

    pprint = True
    print_method = "_repr_pretty_"
    verbose = False
    max_width, newline, max_seq_length = 79, "\n", 1000
    float_format = "%r"
    _precision = ""

    @property
    def float_precision(self):
        """Digits of floats, or their format; NumPy's arrays follow the digits."""
        return self._precision

    @float_precision.setter
    def float_precision(self, value):
        from gridcell.ipython.running import set_numpy_precision
        self.float_format, self._precision = _format_of(value), value
        if "numpy" in sys.modules:
            set_numpy_precision(str(value) if value != "" else "8")

    def _print_float(self, obj, printer, cycle):
        printer.text(self.float_format % obj)

    def _of(self, obj):
        from IPython.lib.pretty import printed_with
        if not self.pprint:
            return repr(obj)
        printers = {float: self._print_float, **self.type_printers}
        return printed_with(printers, self.deferred_printers, obj, self.max_width, self.newline,
                            self.max_seq_length, self.verbose)


HTMLFormatter = _make("HTMLFormatter", "text/html", "_repr_html_")
MarkdownFormatter = _make("MarkdownFormatter", "text/markdown", "_repr_markdown_")
SVGFormatter = _make("SVGFormatter", "image/svg+xml", "_repr_svg_")
PNGFormatter = _make("PNGFormatter", "image/png", "_repr_png_", (bytes, str))
JPEGFormatter = _make("JPEGFormatter", "image/jpeg", "_repr_jpeg_", (bytes, str))
PDFFormatter = _make("PDFFormatter", "application/pdf", "_repr_pdf_", (bytes, str))
LatexFormatter = _make("LatexFormatter", "text/latex", "_repr_latex_")
JSONFormatter = _make("JSONFormatter", "application/json", "_repr_json_", (list, dict))
JavascriptFormatter = _make("JavascriptFormatter", "application/javascript", "_repr_javascript_")
IPythonDisplayFormatter = _make("IPythonDisplayFormatter", "", "_ipython_display_", (type(None), bool))
MimeBundleFormatter = _make("MimeBundleFormatter", "", "_repr_mimebundle_", dict)


def catch_format_error(method):
    """A formatter that fails shows its traceback, and has no representation."""
    def call(self, *args, **kwargs):
        try:
            return method(self, *args, **kwargs)
        except NotImplementedError:
            return None
        except Exception:
            traceback.print_exc(file=sys.stderr)
            return None
    return call


def format_display_data(obj, include=None, exclude=None):
    """The representations of an object, and their metadata."""
    import _gridcell_kernel
    return _gridcell_kernel.format(obj, include, exclude)
