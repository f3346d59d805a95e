"""Shell commands and magics under other names."""
import _gridcell_kernel as kernel
from IPython.core.error import UsageError

# those that the kernel has built in, as %alias lists them
BUILT_IN = {"cat": "cat", "cp": "cp", "ldir": "ls -F -o --color %l | grep /$",
            "lf": "ls -F -o --color %l | grep ^-", "lk": "ls -F -o --color %l | grep ^l",
            "ll": "ls -F -o --color", "ls": "ls -F --color", "lx": "ls -F -o --color %l | grep ^-..x",
            "mkdir": "mkdir", "mv": "mv", "rm": "rm", "rmdir": "rmdir"}


class Alias:
    """A line magic that runs a shell command."""

    def __init__(self, name, command):
        self.name, self.command = name, command
        self.nargs = command.replace("%%", "").count("%s")
        if self.nargs and "%l" in command:
            raise UsageError("The %s and %l specifiers are mutually exclusive in alias definitions.")
        self.__doc__ = f"Alias for `!{command}`"

    def __repr__(self):
        return f"<alias {self.name} for {self.command!r}>"

    def __call__(self, rest=""):
        command = self.command
        if "%l" in command:
            command, rest = command.replace("%l", rest), ""
        if not self.nargs:
            line = f"{command.replace('%%', '%')} {rest}"
        else:
            words = rest.split(None, self.nargs)
            if len(words) < self.nargs:
                raise UsageError(f"Alias <{self.name}> requires {self.nargs} arguments, {len(words)} given.")
            line = f"{command % tuple(words[:self.nargs])} {' '.join(words[self.nargs:])}"
        kernel.get_ipython().system(line)


def _magics():
    return kernel.state("user_magics")["line"]


def define(name, command):
    """A new alias, or another command for an old one."""
    existing = _magics().get(name)
    is_taken = existing is not None and not isinstance(existing, Alias)
    if is_taken or (existing is None and name not in BUILT_IN and name in kernel.magic_names("line")):
        raise UsageError(f"The name {name} can't be aliased because it is another magic command.")
    _magics()[name] = Alias(name, command)


def command_of(name):
    """The command of an alias; None when there is no such alias."""
    magics = _magics()
    if name in magics:
        return magics[name].command if isinstance(magics[name], Alias) else None
    return BUILT_IN.get(name)


def alias(line):
    """Defines an alias, or lists them all."""
    line = line.strip()
    if not line:
        names = {*BUILT_IN, *(name for name, each in _magics().items() if isinstance(each, Alias))}
        found = sorted((name, command_of(name)) for name in names if command_of(name) is not None)
        print("Total number of aliases:", len(found))
        return found
    name, _, command = line.partition(" ")
    if not command.strip():
        raise UsageError("%alias needs a name and a command: %alias NAME COMMAND")
    define(name, command.strip())
    return None


def unalias(line):
    """Forgets an alias, here and in %store."""
    name = line.strip()
    if command_of(name) is None:
        print(f"{name} is not an alias")
        return
    _magics().pop(name, None)
    if name in BUILT_IN:
        _magics()[name] = None  # hides the built-in one
    from gridcell.ipython.storing import database
    stored = database().get("stored_aliases", {})
    if stored.pop(name, None) is not None:
        database()["stored_aliases"] = stored
        print(f"Removing %stored alias {name}")


def rehashx(line):
    """Aliases for every program on PATH that no magic has the name of."""
    import os
    taken, found = set(kernel.magic_names("line")), []
    for folder in os.get_exec_path():
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            name = entry.name.replace(".", "")
            if name.isidentifier() and name not in taken and os.access(entry.path, os.X_OK) \
                    and entry.is_file():
                taken.add(name)
                found.append(entry.name)
                _magics()[name] = Alias(name, entry.name)
    kernel.get_ipython().db["syscmdlist"] = found


# ---- %alias_magic

def make_alias(kind, target, parameters):
    """A function that runs a magic with these parameters before its own."""
    shell = kernel.get_ipython()
    if kind == "line":
        def run(line=""):
            return shell.run_line_magic(target, f"{parameters} {line}".strip())
    else:
        def run(line, cell):
            return shell.run_cell_magic(target, f"{parameters} {line}".strip(), cell)
    sign = "%" if kind == "line" else "%%"
    run.__doc__ = f"Alias for `{sign}{' '.join(filter(None, (target, parameters)))}`."
    run.__name__, run._ipython_magic_no_var_expand = target, True
    return run


def alias_magic(line):
    """Another name for a magic."""
    import shlex
    words, kinds, parameters = shlex.split(line), [], ""
    names = []
    while words:
        word = words.pop(0)
        if word in ("-l", "--line"):
            kinds.append("line")
        elif word in ("-c", "--cell"):
            kinds.append("cell")
        elif word in ("-p", "--params") and words:
            parameters = words.pop(0)
        else:
            names.append(word.lstrip("%"))
    if len(names) != 2:
        raise UsageError("usage: %alias_magic [-l] [-c] [-p PARAMS] name target")
    name, target = names
    known = [kind for kind in ("line", "cell") if kernel.get_ipython().find_magic(target, kind)]
    if not known:
        raise UsageError(f"Line magic function `%{target}` not found." if kinds == ["line"] else
                         f"Cell magic function `%%{target}` not found." if kinds == ["cell"] else
                         f"No line or cell magic with name `{target}` found.")
    for kind in kinds:
        if kind not in known:
            sign = "%" if kind == "line" else "%%"
            raise UsageError(f"{kind.capitalize()} magic function `{sign}{target}` not found.")
    shown = " ".join(filter(None, (target, parameters)))
    for kind in kinds or known:
        sign = "%" if kind == "line" else "%%"
        kernel.state("user_magics")[kind][name] = make_alias(kind, target, parameters)
        print(f"Created `{sign}{name}` as an alias for `{sign}{shown}`.")
