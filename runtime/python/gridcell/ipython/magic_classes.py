"""The built-in magics as methods of classes, by IPython's names of these: what extensions inherit from or call.

    ExecutionMagics(shell).timeit("f()")
    get_ipython().magics_manager.registry["OSMagics"].cd("..")
"""
import contextlib

import _gridcell_kernel as kernel
from gridcell.ipython.paths import fall_through
from IPython.core.magic import (BUILT_IN, Magics, cell_magic, line_cell_magic, line_magic, magics_class,
                                needs_local_scope)

CLASSES = {
    "AsyncMagics": "autoawait",
    "AutoMagics": "autocall automagic",
    "BasicMagics": "alias_magic colors doctest_mode gui lsmagic magic notebook page pprint precision quickref xmode",
    "CodeMagics": "edit load loadpy pastebin save",
    "ConfigMagics": "config",
    "DisplayMagics": "HTML SVG html javascript js latex markdown svg",
    "ExecutionMagics": "capture code_wrap debug macro pdb prun run tb time timeit",
    "ExtensionMagics": "load_ext reload_ext unload_ext",
    "HistoryMagics": "hist history recall rep rerun",
    "LoggingMagics": "logoff logon logstart logstate logstop",
    "NamespaceMagics": "pdef pdoc pfile pinfo pinfo2 psearch psource reset reset_selective who who_ls whos xdel",
    "OSMagics": "alias bookmark cd dhist dirs env file popd pushd pwd pycat rehashx sc set_env sx system unalias "
                "writefile",
    "PackagingMagics": "conda mamba micromamba pip uv",
    "PylabMagics": "matplotlib pylab",
    "ScriptMagics": "bash killbgscripts perl python python3 ruby script sh",
    "StoreMagics": "store",
    "UserMagics": "",
    "KernelMagics": "autosave clear connect_info less man more qtconsole subshell",
}
RUN_CODE = {"time", "timeit", "prun", "debug"}  # see the names of the function around them
_made = {}


@contextlib.contextmanager
def _names(local_ns):
    """The names of a function, as if they were the notebook's."""
    user_ns, added = kernel.state("user_ns"), {}
    if local_ns is not None and local_ns is not user_ns:
        added = dict(local_ns)
    hidden = {name: user_ns[name] for name in added if name in user_ns}
    user_ns.update(added)
    try:
        yield
    finally:
        for name, value in added.items():
            if user_ns.get(name) is value:
                del user_ns[name]
        user_ns.update(hidden)


def _method(name, kinds):
    """A method that runs the magic of that name."""
    def run_line(self, line="", local_ns=None):
        with _names(local_ns):
            return kernel.run_built_in(name, line)

    def run_cell(self, line, cell, local_ns=None):
        with _names(local_ns):
            return kernel.run_built_in(name, line, cell)

    def run_either(self, line="", cell=None, local_ns=None):
        return run_line(self, line, local_ns) if cell is None else run_cell(self, line, cell, local_ns)

    mark, run = {("line",): (line_magic, run_line), ("cell",): (cell_magic, run_cell)}.get(
        kinds, (line_cell_magic, run_either))
    run.__name__, run.__qualname__ = name, name
    from gridcell.ipython.magic_help import text_of
    run.__doc__ = text_of(name)
    return mark(needs_local_scope(run) if name in RUN_CODE else run)


def _stop_event_loop(self):
    """ScriptMagics: scripts are processes of the kernel's own, so that there is no loop of asyncio's to stop."""


def _init_scripts(self, shell=None, **settings):
    """ScriptMagics: a magic for each program that the configuration names, too."""
    Magics.__init__(self, shell, **settings)
    wanted = self.shell.config.get("ScriptMagics", {})
    for program in wanted.get("script_magics", ()):
        command = wanted.get("script_paths", {}).get(program, program)
        self.magics["cell"].setdefault(program, lambda line, cell, command=command: kernel.run_built_in(
            "script", f"{command} {line}", cell))


def named(name):
    """The class of that name."""
    if name not in _made:
        by_kind = {kind: set(kernel.magic_names(kind)) for kind in ("line", "cell")}
        methods = {"__module__": BUILT_IN, "__doc__": "Built-in magics."}
        for magic in CLASSES[name].split():
            kinds = tuple(kind for kind, names in by_kind.items() if magic in names)
            if kinds:
                methods[magic] = _method(magic, kinds)
        if name == "ScriptMagics":
            methods.update(stop_event_loop=_stop_event_loop, __init__=_init_scripts)
        _made[name] = magics_class(type(name, (Magics,), methods))
    return _made[name]


def module_getattr(module):
    """The __getattr__ of IPython's modules of such classes; what else is asked of them comes from the installed IPython."""
    otherwise = fall_through(module, is_package=module == BUILT_IN)

    def __getattr__(name):
        return named(name) if name in CLASSES else otherwise(name)
    return __getattr__


def instances(shell):
    """{name: object} of all classes."""
    return {name: named(name)(shell) for name in CLASSES}
