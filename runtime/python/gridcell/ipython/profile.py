"""The user's IPython profile: configuration files, extensions, startup files, what %store keeps."""
import os
import sys

import _gridcell_kernel as kernel

FILES = ("ipython_config.py", "ipython_config.json", "ipython_kernel_config.py", "ipython_kernel_config.json")
APPLICATIONS = ("InteractiveShellApp", "BaseIPythonApplication", "IPKernelApp")
ELSEWHERE = ("TerminalIPythonApp", "TerminalInteractiveShell")  # terminals are not our business


class Later(list):
    """A list that a configuration file appends to without having set it."""

    def update(self, other):
        self.extend(other)

    def prepend(self, other):
        self[:0] = other


class Section(dict):
    """c.Class.trait = value."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self:
            self[name] = Section() if name[:1].isupper() else Later()
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value

    __getitem__ = dict.__getitem__


def _guard(what, function, *args):
    """A profile's errors are shown, and the kernel starts all the same."""
    try:
        return function(*args)
    except (Exception, SystemExit) as error:
        print(f"[gridcell] {what} of the IPython profile failed:", file=sys.stderr)
        kernel.show_traceback(error)
        return None


def _read_json(path, config):
    """{"Class": {"trait": value}}, which has the last word on what it names."""
    import json
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    if content.pop("version", 1) != 1:
        raise ValueError(f"{path} is of a version that is not known")
    for owner, traits in content.items():
        config.setdefault(owner, Section()).update(traits)


def _read_config(path, config):
    def load_subconfig(name, profile=None):
        _read_config(os.path.join(os.path.dirname(path), name), config)

    if path.endswith(".json"):
        _read_json(path, config)
        return
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    exec(code, {"c": config, "get_config": lambda: config, "load_subconfig": load_subconfig,
                "__file__": path, "__name__": "__main__"})


def _configure(config):
    """Settings of the shell and of magics; what is not known yet waits for its class."""
    from gridcell.ipython import extensions
    shell = kernel.get_ipython()
    for owner, traits in config.items():
        shell.config[owner] = type(shell.config)(traits)
        if owner in APPLICATIONS or owner in ELSEWHERE:
            continue
        for trait, value in traits.items():
            _guard(f"{owner}.{trait}", extensions.apply, owner, trait, value)


def _run_file(path):
    space = kernel.state("user_ns")
    if path.endswith((".ipy", ".ipynb")):
        kernel.get_ipython().run_line_magic("run", f"-i {path}")
        return
    had = space.get("__file__")
    space["__file__"] = path
    try:
        with open(path, "rb") as file:
            exec(compile(file.read(), path, "exec"), space)
    finally:
        space.pop("__file__", None)
        if had is not None:
            space["__file__"] = had


def _run_startup(folder):
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        if name.endswith((".py", ".ipy")):
            _guard(name, _run_file, os.path.join(folder, name))


def read(folder):
    """What the configuration files say: Class.trait as config[Class][trait]."""
    config = Section()
    for name in FILES:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            _guard(name, _read_config, path, config)
    return config


def begin(folder, config, shell, run_line):
    """Loads the extensions, and runs the files and lines, of a profile whose settings hold already."""
    app = {}
    for name in APPLICATIONS:
        app.update(config.get(name, {}))
    for name in app.get("extensions", ()):
        _guard(f"the extension {name}", shell.extension_manager.load_extension, name)
    for magic in ("matplotlib", "pylab"):
        if app.get(magic):
            _guard(magic, shell.run_line_magic, magic, app[magic])
    _run_startup(os.path.join(folder, "startup"))
    for line in app.get("exec_lines", ()):
        _guard(f"the line {line!r}", run_line, line)
    for name in app.get("exec_files", ()):
        _guard(name, _run_file, os.path.join(folder, os.path.expanduser(name)))
    if app.get("hide_initial_ns", True):
        shell.user_ns_hidden.update(shell.user_ns)


def load(folder):
    """Loads the profile in this folder."""
    config = read(folder)
    if config:
        _configure(config)
    if config.get("StoreMagics", {}).get("autorestore"):
        from gridcell.ipython import storing
        _guard("what %store keeps", storing.restore_all)
    begin(folder, config, kernel.get_ipython(), kernel.run_cell)
