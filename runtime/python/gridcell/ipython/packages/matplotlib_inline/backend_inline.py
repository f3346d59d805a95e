"""A Matplotlib backend that shows figures at the end of the cell that drew them."""
import sys

import matplotlib
from matplotlib import colors
from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import _gridcell_kernel as _kernel

FigureCanvas, FigureManager = FigureCanvasAgg, FigureManagerBase

_MIME = {"png": "image/png", "retina": "image/png", "png2x": "image/png", "svg": "image/svg+xml",
         "jpeg": "image/jpeg", "jpg": "image/jpeg", "pdf": "application/pdf"}
_drawn = []  # figures drawn to by this cell, in order


def print_figure(fig, fmt="png", base64=False, bbox_inches="tight", **kwargs):
    """The figure as bytes, or as text for SVG; None when there is nothing on it."""
    import io
    if not fig.axes and not fig.lines and not fig.texts and not fig.images:
        return None
    dpi = fig.dpi
    if fmt in ("retina", "png2x"):
        dpi, fmt = dpi * 2, "png"
    options = {"format": fmt, "facecolor": fig.get_facecolor(), "edgecolor": fig.get_edgecolor(),
               "dpi": dpi, "bbox_inches": bbox_inches, **kwargs}
    buffer = io.BytesIO()
    if fig.canvas is None:
        FigureCanvasAgg(fig)
    fig.canvas.print_figure(buffer, **options)
    data = buffer.getvalue()
    if fmt == "svg":
        return data.decode("utf-8")
    if base64:
        import binascii
        return binascii.b2a_base64(data, newline=False).decode("ascii")
    return data


def _retina(fig, **kwargs):
    data = print_figure(fig, "retina", **kwargs)
    if data is None:
        return None
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    return data, {"width": width // 2, "height": height // 2}


def select_formats(formats, **kwargs):
    """Which formats figures are sent in: png, retina, svg, jpeg, pdf."""
    unknown = set(formats) - set(_MIME)
    if unknown:
        raise ValueError(f"supported formats are: {', '.join(sorted(_MIME))}, not {unknown}")
    tables = _kernel.state("formatters")
    for mime in set(_MIME.values()):
        tables.get(mime, {}).pop(Figure, None)
    for name in formats:
        def draw(fig, name=name):
            if name in ("retina", "png2x"):
                return _retina(fig, **kwargs)
            return print_figure(fig, name, **kwargs)
        tables.setdefault(_MIME[name], {})[Figure] = draw


def select_figure_formats(shell, formats, **kwargs):
    """As select_formats, with the shell first."""
    select_formats([formats] if isinstance(formats, str) else list(formats), **kwargs)


def set_matplotlib_formats(*formats, **kwargs):
    """As select_formats, by the older name."""
    select_formats(formats, **kwargs)


def configure_inline_support(shell, backend):
    """The backend sets itself up when it is imported."""


def set_matplotlib_close(close=True):
    """Whether figures are closed at the end of their cell."""
    _settings().close_figures = close


def _settings():
    return _kernel.get_ipython().settings_of("InlineBackend")


def __getattr__(name):
    if name == "InlineBackend":
        from matplotlib_inline.config import InlineBackend
        return InlineBackend
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def new_figure_manager(num, *args, FigureClass=Figure, **kwargs):
    """A figure that is shown later."""
    return new_figure_manager_given_figure(num, FigureClass(*args, **kwargs))


def new_figure_manager_given_figure(num, figure):
    """The manager of a figure that exists."""
    manager = FigureManagerBase(FigureCanvasAgg(figure), num)
    if matplotlib.is_interactive():
        _drawn.append(figure)
        # a figure made without pyplot's state machine still has plt.show() on it
        figure.show = lambda *args: _show_figure(figure)
    return manager


def draw_if_interactive():
    """Remembers that the current figure was drawn to."""
    manager = Gcf.get_active()
    if manager is None or not matplotlib.is_interactive():
        return
    figure = manager.canvas.figure
    if not hasattr(figure, "show"):
        figure.show = lambda *args: _show_figure(figure)
    if figure not in _drawn:
        _drawn.append(figure)


def _metadata(figure):
    """A transparent figure says what background its text needs."""
    if colors.to_rgba(figure.get_facecolor())[3] == 1:
        return {}
    labels = [label.get_color() for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)
              for label in axis.get_ticklabels()]
    light = [sum(colors.to_rgb(color)) > 1.5 for color in labels]
    if not light or len(set(light)) > 1:
        return {}
    return {"needs_background": "dark" if light[0] else "light"}


def _show_figure(figure):
    _kernel.display(figure, metadata=_metadata(figure))


def show(close=None, block=None):
    """Shows all open figures, and closes them unless told otherwise."""
    if close is None:
        close = _settings().close_figures
    try:
        for manager in Gcf.get_all_fig_managers():
            _show_figure(manager.canvas.figure)
    finally:
        _drawn.clear()
        if close and Gcf.get_all_fig_managers():
            sys.modules["matplotlib.pyplot"].close("all")


def _is_in_use():
    name = dict.__getitem__(matplotlib.rcParams, "backend")
    return isinstance(name, str) and name.lower().rpartition(".")[2] in ("inline", "backend_inline")


def flush_figures():
    """Called at the end of every cell."""
    if not _is_in_use():
        return
    if _settings().close_figures:
        if Gcf.figs:
            show(True)
        return
    open_figures = {manager.canvas.figure for manager in Gcf.get_all_fig_managers()}
    try:
        for figure in _drawn:
            if figure in open_figures:
                _show_figure(figure)
    finally:
        _drawn.clear()


def activate():
    """Figures are drawn as soon as they are made, and shown at the end of the cell."""
    matplotlib.interactive(True)
    settings = _settings()
    select_formats(settings.figure_formats, **settings.print_figure_kwargs)
    if settings.rc:
        matplotlib.rcParams.update(settings.rc)


activate()
