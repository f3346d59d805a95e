"""Lists of lines."""
from gridcell.ipython.slist import SList  # noqa: F401


class LSString(str):
    """A text with its lines as `.l`."""

    @property
    def l(self):
        return self.split("\n")

    list = l
    n = nlstr = property(lambda self: str(self))
    s = spstr = property(lambda self: self.replace("\n", " "))


def dedent(text):
    """Text without its common indentation; the first line may have none."""
    import textwrap
    first, newline, rest = text.partition("\n")
    return first + newline + textwrap.dedent(rest) if not first.startswith((" ", "\t")) else textwrap.dedent(text)


def indent(text, nspaces=4, ntabs=0, flatten=False):
    """Text with indentation."""
    import textwrap
    return textwrap.indent(text, "\t" * ntabs + " " * nspaces)
