"""Long texts: in a notebook they are shown whole."""
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)


def page(data, start=0, screen_lines=0, pager_cmd=None):
    """Shows a text, or the plain text of a dict of representations, in the pager of the front end."""
    import _gridcell_kernel
    data = data if isinstance(data, dict) else {"text/plain": data}
    _gridcell_kernel.add_payload({"source": "page", "data": data, "start": start})


display_page = page
