"""Shells inside programs: a notebook has one already."""
from IPython.terminal.interactiveshell import TerminalInteractiveShell


class InteractiveShellEmbed(TerminalInteractiveShell):
    """Cannot be made inside a notebook."""

    def __init__(self, *args, **kwargs):
        raise RuntimeError("InteractiveShellEmbed has no meaning inside a notebook")


def embed(**kwargs):
    """A notebook is a shell already."""
    raise RuntimeError("IPython.embed() has no meaning inside a notebook")
