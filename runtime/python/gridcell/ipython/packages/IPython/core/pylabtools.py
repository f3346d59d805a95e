"""Figures and formats: names of IPython 7 to 9 in one place."""
from matplotlib_inline.backend_inline import print_figure, select_formats
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


def select_figure_formats(shell, formats, **kwargs):
    """Which formats inline figures are sent in."""
    select_formats([formats] if isinstance(formats, str) else list(formats), **kwargs)


def retina_figure(fig, base64=False, **kwargs):
    """A figure as PNG of twice the resolution."""
    return print_figure(fig, "retina", base64, **kwargs)


def activate_matplotlib(backend):
    """Makes `backend` the one in use."""
    import matplotlib.pyplot as pyplot
    pyplot.switch_backend(backend)


def find_gui_and_backend(gui=None, gui_select=None):
    from gridcell.ipython.figures import BACKENDS
    return gui, BACKENDS.get(gui or "inline", gui)


def configure_inline_support(shell, backend):
    """The backend sets itself up when it is imported."""


def getfigs(*numbers):
    """Open figures, of those numbers or all."""
    from matplotlib._pylab_helpers import Gcf
    managers = [Gcf.figs.get(n) for n in numbers] if numbers else Gcf.get_all_fig_managers()
    return [manager.canvas.figure for manager in managers if manager]


backends = {"tk": "TkAgg", "gtk3": "GTK3Agg", "gtk4": "GTK4Agg", "wx": "WXAgg", "qt5": "Qt5Agg",
            "qt6": "QtAgg", "qt": "QtAgg", "osx": "MacOSX", "nbagg": "nbAgg", "webagg": "WebAgg",
            "notebook": "nbAgg", "agg": "agg", "svg": "svg", "pdf": "pdf", "ps": "ps",
            "inline": "module://matplotlib_inline.backend_inline",
            "ipympl": "module://ipympl.backend_nbagg", "widget": "module://ipympl.backend_nbagg"}
backend2gui = {"TkAgg": "tk", "GTK3Agg": "gtk3", "GTK4Agg": "gtk4", "WXAgg": "wx", "Qt5Agg": "qt5",
               "QtAgg": "qt", "MacOSX": "osx", "GTK3Cairo": "gtk3", "Qt4Agg": "qt4",
               "WebAgg": "webagg", "module://ipympl.backend_nbagg": "ipympl"}
