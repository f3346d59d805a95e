"""get_ipython()._ofind(): what a dotted name stands for, and where that was found."""
import builtins

import _gridcell_kernel as kernel

_MISSING = object()


def _record(**fields):
    """IPython's own record where IPython is installed: extensions compare with it."""
    fields = {"ismagic": False, "isalias": False, "found": False, "namespace": None, "parent": None, "obj": None, **fields}
    try:
        from IPython.core.oinspect import OInfo
    except ImportError:
        from types import SimpleNamespace as OInfo
    return OInfo(**fields)


def _attribute(owner, name):
    """A property is itself, so that nothing of the user's runs."""
    static = getattr(type(owner), name, None)
    return static if isinstance(static, property) else getattr(owner, name, _MISSING)


def _follow(value, names):
    """The last attribute and what it is of; _MISSING: there is none."""
    parent = None
    for name in names:
        parent, value = value, _attribute(value, name)
        if value is _MISSING:
            break
    return parent, value


def _magic(shell, name):
    from gridcell.ipython.aliases import Alias
    bare = name.lstrip("%")
    kinds = ("cell",) if name.startswith("%%") else ("line", "cell")
    for kind in kinds:
        function = shell.find_magic(bare, kind)
        if function is not None:
            return _record(found=True, ismagic=True, isalias=isinstance(function, Alias),
                           namespace="IPython internal", obj=function)
    return None


def find(shell, name, namespaces=None):
    """The record of a name: in these (name, dict) pairs, or among the user's names, builtins and magics."""
    spaces = namespaces or [("Interactive", shell.user_ns), ("Python builtin", vars(builtins))]
    first, *rest = name.strip().split(".")
    parent = None
    for title, space in spaces:
        if first in space:
            parent, value = _follow(space[first], rest)
            if value is not _MISSING:
                return _record(found=True, namespace=title, parent=parent, obj=value)
            break
    magic = None if rest else _magic(shell, first)
    if magic is None and not first.isidentifier():  # items, as in a[0].b
        try:
            return _record(found=True, namespace="Interactive", obj=kernel.evaluate(name))
        except LookupError:
            pass
    return magic or _record(parent=parent)
