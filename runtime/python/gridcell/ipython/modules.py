"""Names of modules that could be imported, for completion."""
import os
import sys

_cache = {}


def _in_folder(folder):
    try:
        stamp = os.stat(folder or ".").st_mtime
        if _cache.get(folder, (None,))[0] == stamp:
            return _cache[folder][1]
        names = set()
        with os.scandir(folder or ".") as entries:
            for entry in entries:
                stem, _, rest = entry.name.partition(".")
                is_file = rest == "py" or rest.endswith(("abi3.so", "gnu.so"))
                is_package = not rest and stem.isidentifier() and entry.is_dir()
                if stem.isidentifier() and (is_file or is_package):
                    names.add(stem)
    except OSError:
        return set()
    _cache[folder] = stamp, names
    return names


def completions(prefix):
    """Full dotted names of modules that start with `prefix`."""
    parent, dot, last = prefix.rpartition(".")
    if dot and not parent.strip("."):  # relative: the files beside the notebook
        names = _in_folder("")
    elif dot:
        module = sys.modules.get(parent)
        folders = list(getattr(module, "__path__", ())) if module else [
            os.path.join(folder, *parent.split(".")) for folder in sys.path]
        names = set().union(*map(_in_folder, folders)) if folders else set()
    else:
        names = set(sys.builtin_module_names).union(*map(_in_folder, sys.path))
        names |= {"numba"}
    hides = not last.startswith("_")
    return [parent + dot + name for name in names
            if name.startswith(last) and not (hides and name.startswith("_"))]
