"""Objects by their dotted names."""


def import_item(name):
    """The module or the member of a module."""
    import importlib
    module, dot, member = name.rpartition(".")
    if not dot:
        return importlib.import_module(name)
    owner = importlib.import_module(module)
    try:
        return getattr(owner, member)
    except AttributeError:
        raise ImportError(f"No module named {member}") from None
