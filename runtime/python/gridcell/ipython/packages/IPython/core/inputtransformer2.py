"""From a cell's text to Python."""
from gridcell.ipython.extras import TransformerManager as _TransformerManager
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


class TransformerManager(_TransformerManager):
    """One with transformers of its own, which come before the notebook's."""

    def __init__(self):
        from types import SimpleNamespace
        super().__init__(SimpleNamespace(input_transformers_cleanup=[], input_transformers_line=[]))

    def transform_cell(self, cell):
        from gridcell.ipython.hooks import transform_lines, transform_text
        clean = transform_text(cell, self.cleanup_transforms) if self.cleanup_transforms else cell
        return super().transform_cell(transform_lines(clean, self.line_transforms))
