"""Lists of lines."""
import os

from gridcell.ipython.slist import SList  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


class LSString(str):
    """A text with its lines as `.l`."""

    @property
    def l(self):
        return self.split("\n")

    list = l
    n = nlstr = property(lambda self: str(self))
    s = spstr = property(lambda self: self.replace("\n", " "))

    @property
    def p(self):
        """The lines that name files, as paths."""
        import pathlib
        return [pathlib.Path(line) for line in self.l if os.path.exists(line)]

    paths = p


def dedent(text):
    """Text without its common indentation, in which a first line with text has no part."""
    import textwrap
    first, newline, rest = text.partition("\n")
    return first + newline + textwrap.dedent(rest) if first and newline else textwrap.dedent(text)


def indent(text, nspaces=4, ntabs=0, flatten=False):
    """Text with indentation: more of it, or, flattened, this and no other."""
    import re
    return re.sub(r"^[^\S\n]*" if flatten else "^", "\t" * ntabs + " " * nspaces, text, flags=re.MULTILINE)


def strip_ansi(source):
    """Text without escape sequences for colours and the cursor."""
    import re
    return re.sub(r"\033\[[\d;]*[a-zA-Z]", "", source)


def get_text_list(list_, last_sep=" and ", sep=", ", wrap_item_with=""):
    """Words as a sentence has them: a, b and c."""
    words = [f"{wrap_item_with}{item}{wrap_item_with}" for item in list_]
    return words[0] if len(words) == 1 else sep.join(words[:-1]) + last_sep + words[-1] if words else ""


def columnize(items, row_first=False, separator="  ", displaywidth=80, spread=False):
    """Names in columns that fit the width."""
    items = list(map(str, items))
    if not items:
        return "\n"
    for count in range(len(items), 0, -1):
        rows = -(-len(items) // count)
        cut = [items[i::count] for i in range(count)] if row_first else [
            items[i:i + rows] for i in range(0, len(items), rows)]
        widths = [max(map(len, column)) for column in cut if column]
        if sum(widths) + len(separator) * (len(widths) - 1) < displaywidth or count == 1:
            break
    lines = [separator.join(column[row].ljust(width) for column, width in zip(cut, widths)
                            if row < len(column)) for row in range(len(cut[0]))]
    return "\n".join(line.rstrip() for line in lines) + "\n"
