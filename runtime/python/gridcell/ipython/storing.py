"""What outlives a session: get_ipython().db in the files that IPython itself uses, and %store."""
import collections.abc
import os
import pickle

import _gridcell_kernel as kernel
from IPython.core.error import UsageError

STORED = "autorestore/"


def profile_folder():
    """The folder of the default profile, shared with IPython."""
    base = os.environ.get("IPYTHONDIR") or os.path.join(os.path.expanduser("~"), ".ipython")
    return os.path.join(os.path.expanduser(base), "profile_default")


def _make_folders(folder):
    """For this user alone; os.makedirs gives its mode to the last one only."""
    if not os.path.isdir(folder):
        _make_folders(os.path.dirname(folder))
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            pass  # made by another kernel meanwhile


def _check_writer(file, path):
    """A pickle runs code when it is read: nobody else may have written it."""
    status = os.fstat(file.fileno())
    if status.st_uid not in (os.geteuid(), 0) or status.st_mode & 0o002:
        raise pickle.UnpicklingError(f"{path} may have been written by another user")


class Database(collections.abc.MutableMapping):
    """Pickled values by keys that are paths below one folder."""

    def __init__(self, folder):
        self.folder = folder

    root = property(lambda self: self.folder)

    def _path(self, key):
        path = os.path.normpath(os.path.join(self.folder, key))
        if not path.startswith(os.path.normpath(self.folder) + os.sep):
            raise KeyError(key)
        return path

    def __getitem__(self, key):
        try:
            with open(self._path(key), "rb") as file:
                _check_writer(file, self._path(key))
                return pickle.load(file)
        except OSError:
            raise KeyError(key) from None

    def __setitem__(self, key, value):
        path = self._path(key)
        _make_folders(os.path.dirname(path))
        data = pickle.dumps(value, protocol=2)
        import tempfile
        handle, part = tempfile.mkstemp(".part", "", os.path.dirname(path))  # a reader never sees half a value
        try:
            with open(handle, "wb") as file:
                file.write(data)
            os.replace(part, path)
        except BaseException:
            os.unlink(part)
            raise

    def __delitem__(self, key):
        """A key that is not there is no error."""
        try:
            os.remove(self._path(key))
        except FileNotFoundError:
            pass
        except OSError:
            raise KeyError(key) from None

    def __iter__(self):
        for folder, _, names in os.walk(self.folder):
            for name in sorted(names):
                if not name.endswith(".part"):
                    yield os.path.relpath(os.path.join(folder, name), self.folder)

    def __len__(self):
        return sum(1 for _ in self)

    def __contains__(self, key):
        return os.path.isfile(self._path(key))

    def keys(self, pattern=None):
        import fnmatch
        return [key for key in self if pattern is None or fnmatch.fnmatchcase(key, pattern)]


def new_database():
    """That of the user's profile."""
    return Database(os.path.join(profile_folder(), "db"))


def database():
    """The one of this process."""
    return kernel.get_ipython().db


def _stored_names(db):
    return sorted(key[len(STORED):] for key in db if key.startswith(STORED))


def _restore(db, name):
    space = kernel.state("user_ns")
    try:
        space[name] = db[STORED + name]
    except KeyError:
        raise
    except Exception as error:
        print(f"Unable to restore variable '{name}', ignoring (use %store -d to forget!)")
        print("The error was:", type(error), error)


def restore_all():
    """%store -r: every variable and alias that is kept."""
    db = database()
    for name in _stored_names(db):
        _restore(db, name)
    from gridcell.ipython import aliases
    for name, command in db.get("stored_aliases", {}).items():
        aliases.define(name, command)


def _restore_named(db, names):
    from gridcell.ipython import aliases
    for name in names:
        try:
            _restore(db, name)
        except KeyError:
            stored = db.get("stored_aliases", {})
            if name in stored:
                aliases.define(name, stored[name])
            else:
                print(f"no stored variable or alias {name}")


def _show(db):
    names = _stored_names(db)
    width = max(map(len, names), default=0)
    print("Stored variables and their in-db values:")
    for name in names:
        try:
            shown = repr(db[STORED + name])
        except Exception:  # what a class of the user's, or a broken file, raises
            shown = repr("<unavailable>")
        print(f"{name:<{width}}             -> {shown[:50]}")


def _write_value(name, target, mode):
    path = os.path.expanduser(target)
    value = kernel.state("user_ns")[name]
    print(f"Writing '{name}' ({type(value).__name__}) to file '{target}'.")
    with open(path, mode, encoding="utf-8") as file:
        if isinstance(value, str):
            file.write(value if value.endswith("\n") else value + "\n")
        else:
            import pprint
            pprint.pprint(value, file)


def _store_one(db, name):
    from gridcell.ipython import aliases
    space = kernel.state("user_ns")
    if name not in space:
        command = aliases.command_of(name)
        if command is None:
            raise UsageError(f"Unknown variable '{name}'")
        db["stored_aliases"] = {**db.get("stored_aliases", {}), name: command}
        print(f"Alias stored: {name} ({command})")
        return
    value = space[name]
    module = getattr(type(value), "__module__", "")
    if module == "__main__":
        print(f"Warning:{name} is {value!r}\nProper storage of interactively declared classes (or "
              "instances\nof those classes) is not possible! Only instances\nof classes in real modules "
              "on file system can be %store'd.")
        return
    db[STORED + name] = value
    print(f"Stored {name!r} ({type(value).__name__})")


def store(line):
    """%store: variables for later sessions."""
    db = database()
    option, _, rest = line.strip().partition(" ")
    names = rest.split()
    if option == "-d":
        if not names:
            raise UsageError("You must provide the variable to forget")
        try:
            del db[STORED + names[0]]
        except Exception as error:
            raise UsageError(f"Can't delete variable '{names[0]}'") from error
        stored = db.get("stored_aliases", {})
        if stored.pop(names[0], None) is not None:
            db["stored_aliases"] = stored
    elif option == "-z":
        for name in _stored_names(db):
            del db[STORED + name]
    elif option == "-r":
        _restore_named(db, names) if names else restore_all()
    elif option.startswith("-"):
        raise UsageError(f'option {option} not recognized (allowed: "drz")')
    elif not option:
        _show(db)
    elif ">" in line:
        name, _, target = line.partition(">")
        mode = "a" if target.startswith(">") else "w"
        name, target = name.strip(), target.lstrip(">").strip()
        if name not in kernel.state("user_ns"):
            raise UsageError(f"Unknown variable '{name}'")
        _write_value(name, target, mode)
    else:
        for name in line.split():
            _store_one(db, name)
