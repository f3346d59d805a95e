# SPDX-License-Identifier: MIT
"""What inspect_cfg and stats give."""
from collections import namedtuple

_CompileStats = namedtuple("_CompileStats", "cache_path cache_hits cache_misses")


def _as_image(svg):
    """HTML; front ends show a bare SVG in its own size, however narrow the notebook is."""
    import base64
    data = base64.b64encode(svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" style="max-width:100%" alt="control-flow graph">'


class _Picture(str):
    """SVG text that a notebook shows as the picture it is."""

    def __repr__(self):
        return f"<control-flow graph: {len(self)} characters of SVG>"

    def _repr_svg_(self):
        return str(self)

    def _repr_html_(self):
        return _as_image(self)


class _CFG:
    """The control-flow graph of compiled code: text in DOT, a picture in a notebook."""

    def __init__(self, dot, svg):
        self.dot, self._svg = dot, svg

    def __repr__(self):
        return self.dot

    __str__ = __repr__

    def _repr_svg_(self):
        return self._svg

    def _repr_html_(self):
        return _as_image(self._svg)

    def display(self, filename=None, format="svg", view=False):
        """The picture as SVG text, which a notebook shows; also written to `filename` (.svg, or .dot) when given."""
        if filename is not None:
            text = self.dot if str(filename).endswith((".dot", ".gv")) else self._svg
            with open(filename, "w", encoding="utf-8") as file:
                file.write(text)
        return _Picture(self._svg)

    def pretty_printer(self, filename=None, view=None, render_format=None, highlight=True, interleave=False,
                       strip_ir=False, show_key=True, fontsize=10):
        """The picture, also written to `filename`."""
        self.display(filename)
        return self


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
