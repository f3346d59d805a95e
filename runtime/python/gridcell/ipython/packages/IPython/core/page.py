"""Long texts: in a notebook they are shown whole."""
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


def pager_page(strng, start=0, screen_lines=0, pager_cmd=None):
    """Shows a text, or a dict of representations, in the pager of the front end."""
    import _gridcell_kernel
    data = strng if isinstance(strng, dict) else {"text/plain": strng}
    _gridcell_kernel.add_payload({"source": "page", "data": data, "start": start})


def page(data, start=0, screen_lines=0, pager_cmd=None):
    """The same, by a `show_in_pager` of get_ipython().set_hook() where there is one."""
    import _gridcell_kernel
    hook = _gridcell_kernel.get_ipython().hooks.get("show_in_pager")
    (hook or pager_page)(data, start=start, screen_lines=screen_lines)


display_page = page
