"""Formatters by MIME type."""
from gridcell.ipython.shell import DisplayFormatter, Formatter  # noqa: F401
from _gridcell_kernel import format as format_display_data  # noqa: F401

BaseFormatter = PlainTextFormatter = HTMLFormatter = PNGFormatter = Formatter
JPEGFormatter = SVGFormatter = LatexFormatter = JSONFormatter = MarkdownFormatter = Formatter
