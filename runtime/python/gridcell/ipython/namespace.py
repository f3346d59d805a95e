"""Texts about the user's names and about magics: %whos, %lsmagic."""
import _gridcell_kernel as kernel
from IPython.core.error import UsageError

LONGEST = 25  # characters kept at each end of a long value


def _shorten(text):
    text = text.replace("\n", "\\n")
    if len(text) <= 2 * LONGEST + 5:
        return text
    return f"{text[:LONGEST]}<...>{text[-LONGEST:]}"


def _size(count):
    if count < 100000:
        return ""
    if count < 2 ** 20:
        return f" ({count / 1024} kb)"
    return f" ({count / 2 ** 20} Mb)"


def _describe_value(value):
    kind = type(value).__name__
    if kind == "ndarray" and type(value).__module__.partition(".")[0] == "numpy":
        shape = "x".join(map(str, value.shape))
        return (f"{shape}: {value.size} elems, type `{value.dtype}`, {value.nbytes} bytes"
                f"{_size(value.nbytes)}")
    if kind in ("DataFrame", "Series") and isinstance(getattr(value, "shape", None), tuple):
        return f"Shape: {value.shape}"
    if kind in ("dict", "list", "tuple") and isinstance(value, (dict, list, tuple)):
        return f"n={len(value)}"
    if isinstance(value, str):
        return _shorten(value)
    try:
        return _shorten(str(value))
    except Exception:
        return "<no text>"


def describe(names):
    """The table that %whos prints."""
    space = kernel.state("user_ns")
    rows = [(name, type(space[name]).__name__, _describe_value(space[name])) for name in names]
    first = max(len("Variable"), *(len(row[0]) for row in rows)) + 3
    second = max(len("Type") + 1, *(len(row[1]) + 1 for row in rows)) + 3
    head = f"{'Variable':<{first}}{'Type':<{second}}Data/Info"
    lines = [head, "-" * len(head)]
    lines += [f"{name:<{first}}{kind:<{second}}{text}" for name, kind, text in rows]
    return "\n".join(lines) + "\n"


class MagicList(str):
    """What %lsmagic returns: text for people, JSON for front ends."""

    def __new__(cls):
        lines = "  ".join("%" + name for name in kernel.magic_names("line"))
        cells = "  ".join("%%" + name for name in kernel.magic_names("cell"))
        return super().__new__(cls, f"Available line magics:\n{lines}\n\nAvailable cell magics:\n{cells}\n\n"
                                    "Automagic is ON, % prefix IS NOT needed for line magics.")

    __repr__ = str.__str__

    def _repr_json_(self):
        return by_kind()


def lsmagic(line):
    """The magics: --json by kind, else as a text."""
    if line.strip() not in ("", "--json"):
        raise UsageError(f"%lsmagic takes --json or nothing, and not {line.strip()}")
    return by_kind() if line.strip() else MagicList()


def by_kind():
    """The magics of each kind, for front ends."""
    return {kind: {name: "built-in" for name in kernel.magic_names(kind)} for kind in ("line", "cell")}


def forget_modules():
    """Drops the user's own modules, not those of Python and its packages, so that imports run anew."""
    import os
    import sys
    import sysconfig
    kept = {os.path.realpath(folder) + os.sep for folder in (*sysconfig.get_paths().values(), sys.prefix)}
    own = os.path.realpath(os.path.dirname(os.path.dirname(__file__))) + os.sep
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        path = path and os.path.realpath(path)
        if path and not path.startswith((own, *kept)):
            del sys.modules[name]
