"""The object behind get_ipython(): the part of InteractiveShell that libraries and notebooks use."""
import abc
import sys

import _gridcell_kernel as kernel
from gridcell.ipython.events import Events, ExecutionInfo, ExecutionResult, run_cell
from gridcell.ipython.extras import Extras, HiddenNames
from gridcell.ipython.formatting import DisplayFormatter
from gridcell.ipython.history import HistoryManager
from gridcell.ipython.kernel_object import IPythonKernel
from gridcell.ipython.profile import Section
from gridcell.ipython.traits import Configurable


class DisplayPublisher(Configurable):
    """Sends representations. The functions in _hooks see every display first, also those of display()."""

    _hooks = property(lambda self: kernel.state("display_hooks"))
    topic = b"display_data"
    is_publishing = False
    pub_socket = property(lambda self: self.shell.kernel.iopub_socket)
    session = property(lambda self: self.shell.kernel.session)
    parent_header = property(lambda self: kernel.get_parent())

    def __init__(self, shell=None):
        self.shell = shell

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if name == "publish" and self._redirect not in self._hooks:
            self._hooks.insert(0, self._redirect)

    def _redirect(self, message):
        """Displays of the kernel's own go to a `publish` that somebody put in place of this one's."""
        publish = vars(self).get("publish")
        if publish is None:
            self._hooks.remove(self._redirect)
        if publish is None or self.is_publishing:
            return message
        content, transient = message["content"], message["content"]["transient"]
        is_update = {"update": True} if message["msg_type"] == "update_display_data" else {}
        object.__setattr__(self, "is_publishing", True)
        try:
            publish(data=content["data"], metadata=content["metadata"], **({"transient": transient} if transient else {}),
                    **is_update)
        finally:
            object.__setattr__(self, "is_publishing", False)
        return None

    def set_parent(self, parent):
        """The kernel knows what it answers."""

    def publish(self, data, metadata=None, source=None, *, transient=None, update=False, **_):
        kernel.publish_display("update_display_data" if update else "display_data", data,
                               metadata or {}, transient or {})

    def clear_output(self, wait=False):
        kernel.publish("clear_output", {"wait": bool(wait)})

    def register_hook(self, hook):
        self._hooks.append(hook)

    def unregister_hook(self, hook):
        if hook in self._hooks:
            self._hooks.remove(hook)
            return True
        return False


class Settings:
    """Traits of one class that %config sets before or without the class itself."""

    def __init__(self, **defaults):
        self.__dict__.update(defaults)


class InlineBackendSettings(Settings):
    """%config InlineBackend.*; a change of format takes effect at once. figure_format is another
    name for a single one of figure_formats."""

    def __setattr__(self, name, value):
        if name in ("figure_format", "figure_formats"):
            self._set_formats(value)
            return
        super().__setattr__(name, value)
        if "matplotlib" not in sys.modules:
            return
        if name == "rc":
            sys.modules["matplotlib"].rcParams.update(value)
        elif name == "print_figure_kwargs":
            self._set_formats(self.figure_formats)

    def _set_formats(self, value):
        formats = [part.strip() for part in value.split(",")] if isinstance(value, str) else list(value)
        if "matplotlib" in sys.modules:
            from matplotlib_inline import backend_inline
            backend_inline.select_formats(formats, **self.print_figure_kwargs)
        self.__dict__.update(figure_formats=set(formats), figure_format=(formats or [""])[0])


class ExtensionManager(Configurable):
    """Loaded extensions."""

    def __init__(self, shell):
        self.shell, self.loaded = shell, {"storemagic"}

    def load_extension(self, name):
        from gridcell.ipython.extensions import load_ext
        return load_ext(name)

    def unload_extension(self, name):
        from gridcell.ipython.extensions import unload_ext
        return unload_ext(name)

    def reload_extension(self, name):
        if name == "storemagic" and self.shell.config.get("StoreMagics", {}).get("autorestore"):
            from gridcell.ipython.storing import restore_all
            restore_all()
            return None
        from gridcell.ipython.extensions import reload_ext
        return reload_ext(name)


class MagicsManager(Configurable):
    """Magics by kind and name."""

    def __init__(self, shell):
        self.shell = shell
        self._registry, self._has_built_in, self.lazy_magics = {}, False, {}

    @property
    def registry(self):
        """Objects with magics as methods, by the names of their classes: those of extensions, and the built-in ones."""
        if not self._has_built_in:
            from gridcell.ipython.magic_classes import instances
            self._has_built_in, self._registry = True, {**instances(self.shell), **self._registry}
        return self._registry

    auto_magic = property(lambda self: bool(kernel.switch("automagic")),
                          lambda self, value: kernel.switch("automagic", bool(value)))

    def auto_status(self):
        return ("Automagic is ON, % prefix IS NOT needed for line magics." if self.auto_magic else
                "Automagic is OFF, % prefix IS needed for line magics.")

    def lsmagic_docs(self, brief=False, missing=""):
        """What every magic does, by kind and name."""
        docs = {}
        for kind, functions in self.magics.items():
            docs[kind] = {}
            for name, function in functions.items():
                text = kernel.magic_summary(name) or getattr(function, "__doc__", None) or missing
                docs[kind][name] = text.split("\n", 1)[0] if brief else text.rstrip()
        return docs

    def register_alias(self, alias_name, magic_name, magic_kind="line", magic_params=None):
        from gridcell.ipython.aliases import make_alias
        kernel.state("user_magics")[magic_kind][alias_name] = make_alias(magic_kind, magic_name, magic_params or "")

    def register_lazy(self, name, fully_qualified_name):
        """A magic whose extension is loaded when it is first used."""
        self.lazy_magics[name] = fully_qualified_name

        def load(line, cell=None):
            if kernel.state("user_magics")["line"].get(name) is load:
                del kernel.state("user_magics")["line"][name]
            if kernel.state("user_magics")["cell"].get(name) is load:
                del kernel.state("user_magics")["cell"][name]
            self.shell.run_line_magic("load_ext", fully_qualified_name)
            if cell is None:
                return self.shell.run_line_magic(name, line)
            return self.shell.run_cell_magic(name, line, cell)
        self.register_function(load, "line_cell", name)

    @property
    def magics(self):
        return {kind: {name: self.shell.find_magic(name, kind) for name in kernel.magic_names(kind)}
                for kind in ("line", "cell")}

    def lsmagic(self):
        return self.magics

    def register_function(self, function, magic_kind="line", magic_name=None):
        name = magic_name or function.__name__
        kinds = ("line", "cell") if magic_kind == "line_cell" else (magic_kind,)
        for kind in kinds:
            kernel.state("user_magics")[kind][name] = function

    def register(self, *magics):
        for item in magics:
            instance = item(self.shell) if isinstance(item, type) else item
            self._registry[type(instance).__name__] = instance
            for kind, table in instance.magics.items():
                for name, method in table.items():
                    function = getattr(instance, method) if isinstance(method, str) else method
                    kernel.state("user_magics")[kind][name] = function


class InteractiveShell(Extras, Configurable, kernel.ShellBase):
    """What get_ipython() returns is one of these."""

    _instance = None
    ast_node_interactivity = "last_expr"
    colors = "neutral"
    autoindent = automagic = True
    xmode = "Context"

    @classmethod
    def instance(cls, *args, **kwargs):
        return kernel.get_ipython()

    @classmethod
    def initialized(cls):
        return True

    def __init__(self, *args, **settings):
        if InteractiveShell._instance is not None:
            raise RuntimeError(f"{type(self).__name__}: this process has one shell, the notebook's (get_ipython()), and "
                               "gridcell makes no others. GRIDCELL_IPYTHON=real runs the cells through the installed "
                               "IPython, which can have several")
        self.events = Events(self)
        self.display_formatter = DisplayFormatter()
        self.display_pub = DisplayPublisher(self)
        self.history_manager = HistoryManager(self)
        self.extension_manager = ExtensionManager(self)
        self.magics_manager = MagicsManager(self)
        self.kernel = IPythonKernel(self)
        self._config = Section(IPKernelApp=Section(connection_file=kernel.connection_file() or ""))
        self.settings = {"InlineBackend": InlineBackendSettings(
            figure_formats={"png"}, figure_format="png", close_figures=True, rc={},
            print_figure_kwargs={"bbox_inches": "tight"})}
        self.ast_transformers, self.configurables = [], []
        self.input_transformers_cleanup, self.input_transformers_post = [], []
        self.input_transformers_line = []  # of input_transformer_manager.line_transforms
        self._number = kernel.get_count()  # of the cell that runs
        self.user_module, self.user_ns = kernel.state("user_module"), kernel.state("user_ns")
        self.user_global_ns, self.user_ns_hidden = self.user_ns, HiddenNames(self.user_ns)
        self.custom_exceptions = ()
        self.meta = Section()

    def _fire(self, event, details=None):
        """The kernel calls this at the start and end of cells."""
        arguments = ()
        if event == "pre_run_cell":
            raw_cell, is_stored, is_silent, cell_id = details
            self._running = ExecutionInfo(raw_cell, is_stored, is_silent, cell_id=cell_id)
            self._number = kernel.get_count()
            arguments = (self._running,)
        elif event == "post_run_cell":
            result = ExecutionResult(self._running)
            error, has_begun = details
            result.error_in_exec, result.error_before_exec = (error, None) if has_begun else (None, error)
            is_first = self._running is None  # the cell in which this shell came to be
            result.execution_count = self._number if is_first or self._running.store_history else None
            result.result = kernel.shown_result()
            self.last_execution_result, self.last_execution_succeeded = result, result.success
            arguments = (result,)
        self.events.trigger(event, *arguments)

    _running = None

    @property
    def config(self):
        """The configuration: traitlets' own class once traitlets is in use, as extensions check that."""
        loader = sys.modules.get("traitlets.config.loader")
        if loader and not isinstance(self._config, loader.Config):
            self._config = loader.Config(self._config)
        return self._config

    @config.setter
    def config(self, value):
        self._config = value

    # ---- state
    parent_header = property(lambda self: kernel.get_parent())

    def get_parent(self):
        """The message that this code runs for."""
        return kernel.get_parent()

    autocall = property(lambda self: kernel.switch("autocall"), lambda self, mode: kernel.switch("autocall", int(mode)))
    execution_count = property(lambda self: kernel.get_count(), lambda self, n: kernel.set_count(n))
    Out = property(lambda self: kernel.state("outputs"))
    ns_table = property(lambda self: {"user_global": self.user_ns, "user_local": self.user_ns,
                                      "builtin": vars(__import__("builtins"))})

    @property
    def Completer(self):
        """The settings of completion."""
        from gridcell.ipython.completing import settings
        return settings

    def settings_of(self, name):
        """The object that `%config name.trait` is about."""
        if name in ("IPCompleter", "Completer"):
            return self.Completer
        if name == "HistoryManager":
            return self.history_manager
        for owner in self.configurables:
            if type(owner).__name__ == name:
                return owner
        return self.settings.setdefault(name, Settings())

    def push(self, variables, interactive=True):
        if isinstance(variables, str):
            variables = variables.split()
        if isinstance(variables, (list, tuple)):
            caller = sys._getframe(1)
            variables = {name: eval(name, caller.f_globals, caller.f_locals) for name in variables}
        self.user_ns.update(variables)
        if not interactive:
            self.user_ns_hidden.update(variables)

    def drop_by_id(self, variables):
        for name, value in variables.items():
            if self.user_ns.get(name) is value:
                del self.user_ns[name]
                self.user_ns_hidden.discard(name)

    def del_var(self, name, by_name=False):
        value = self.user_ns.pop(name)
        if not by_name:
            self._forget(value)

    def _forget(self, value):
        """The last cell's result is kept no longer, where it is this one; None: whatever it is."""
        result = self.last_execution_result
        if result is not None and (value is None or result.result is value):
            self.last_execution_result = None

    def reset(self, new_session=True, aggressive=False):
        self.run_line_magic("reset", "-f")

    def ev(self, expression):
        return eval(expression, self.user_ns)

    def ex(self, command):
        exec(command, self.user_ns)

    def var_expand(self, text, depth=0, formatter=None):
        return kernel.expand(text, sys._getframe(depth + 1).f_locals)

    # ---- running
    def run_cell(self, raw_cell, store_history=False, silent=False, shell_futures=True, cell_id=None, cell_meta=None):
        """Runs a cell within the one that runs; how it went."""
        return run_cell(self, ExecutionInfo(raw_cell, store_history, silent, shell_futures, cell_id, cell_meta))

    def transform_cell(self, raw_cell):
        return self.input_transformer_manager.transform_cell(raw_cell)

    def set_next_input(self, text, replace=False):
        kernel.add_payload({"source": "set_next_input", "text": text, "replace": replace})

    def ask_exit(self):
        kernel.state("exit")()()

    # ---- magics
    def find_magic(self, name, magic_kind="line"):
        function = kernel.state("user_magics")[magic_kind].get(name)
        if function is None and name in kernel.magic_names(magic_kind):
            if magic_kind == "line":
                return lambda line="": self.run_line_magic(name, line)
            return lambda line, cell: self.run_cell_magic(name, line, cell)
        return function

    def find_line_magic(self, name):
        return self.find_magic(name, "line")

    def find_cell_magic(self, name):
        return self.find_magic(name, "cell")

    def register_magic_function(self, function, magic_kind="line", magic_name=None):
        self.magics_manager.register_function(function, magic_kind, magic_name)

    def register_magics(self, *magics):
        self.magics_manager.register(*magics)

    # ---- display, errors
    def showtraceback(self, exc_tuple=None, filename=None, tb_offset=None, exception_only=False,
                      running_compiled_code=False):
        try:
            kind, value, traceback = self._get_exc_info(exc_tuple)
        except ValueError:
            print("No traceback available to show.", file=sys.stderr)
            return
        self._showtraceback(kind, value, None)

    def _showtraceback(self, etype, evalue, stb):
        """Sends a traceback's lines; without them, those of the kernel."""
        if stb is None:
            kernel.show_traceback(evalue)
        elif stb:
            kernel.publish("error", {"ename": getattr(etype, "__name__", str(etype)), "evalue": str(evalue),
                                     "traceback": list(stb)})

    def showsyntaxerror(self, filename=None, running_compiled_code=False, **_):
        kind, value, traceback = self._get_exc_info()
        if not running_compiled_code and isinstance(value, SyntaxError):
            value.__traceback__ = None  # where it was raised is no part of the error
        self._showtraceback(kind, value, None)
        value.__traceback__ = traceback

    showindentationerror = showsyntaxerror

    def _show_failure(self, error):
        """The kernel calls this for a cell's exception: whether somebody else has shown it."""
        from gridcell.ipython.hooks import show_failure
        return show_failure(self, error)

    def set_custom_exc(self, exc_tuple, handler):
        """Exceptions of these types go to `handler(shell, etype, value, tb, tb_offset)`."""
        from types import MethodType
        from gridcell.ipython.hooks import structured, unhandled
        if not isinstance(exc_tuple, tuple):
            raise TypeError("The custom exceptions must be given as a tuple.")
        self.custom_exceptions = exc_tuple
        self.CustomTB = MethodType(structured(handler or unhandled), self)

    def show_usage(self):
        print("magics: %lsmagic   help: name? name??   shell: !command")

    def show_usage_error(self, error):
        print(f"UsageError: {error}", file=sys.stderr)

    def enable_gui(self, gui=None):
        """Windows of GUI toolkits are not served; figures go into the notebook."""

    def enable_matplotlib(self, gui=None):
        from gridcell.ipython.figures import choose
        return gui, choose(gui or "inline")

    def enable_pylab(self, gui=None, import_all=True, welcome_message=False):
        from gridcell.ipython.figures import choose, fill_namespace
        backend = choose(gui or "inline")
        return gui, backend, fill_namespace(self.user_ns, import_all)

    # ---- questions about code
    def complete(self, text, line=None, cursor_pos=None):
        replaced, matches = self.Completer.complete(text, line, cursor_pos)
        return (text if line is None else replaced), matches

    def _inspect(self, meth, oname, namespaces=None, **options):
        """A page about what a name stands for, by a method of the inspector."""
        from gridcell.ipython.inspecting import _MISSING, describe_name, find
        value = find(oname)
        if value is not _MISSING:
            getattr(self.inspector, meth)(value, oname, **options)
            return None
        page = describe_name(oname, options.get("detail_level", 0)) if meth == "pinfo" else None
        if page is None:
            print(f"Object `{oname}` not found.")
            return "not found"
        self.inspector.show(page)
        return None

    def object_inspect(self, name, detail_level=0):
        from gridcell.ipython.inspecting import facts
        return facts(name, detail_level)

    def object_inspect_mime(self, name, detail_level=0, omit_sections=()):
        from gridcell.ipython.inspecting import bundle
        data = bundle(name, detail_level)
        if data is None:
            raise KeyError(name)
        return data

    def object_inspect_text(self, name, detail_level=0):
        return self.object_inspect_mime(name, detail_level)["text/plain"]

    def check_complete(self, code):
        status, depth = self.input_transformer_manager.check_complete(code)
        return status, " " * (depth or 0)

    def ask_yes_no(self, prompt, default=None, interrupt=None):
        answer = input(prompt + " ").strip().lower()
        return default if not answer else answer.startswith("y")


InteractiveShell.__module__ = "IPython.core.interactiveshell"


class ZMQInteractiveShell(InteractiveShell):
    """The name that programs look for to know a notebook."""


ZMQInteractiveShell.__module__ = "ipykernel.zmqshell"
IPythonKernel.__module__ = "ipykernel.ipkernel"


class InteractiveShellABC(abc.ABC):
    """What shells are registered with."""


InteractiveShellABC.register(InteractiveShell)


def make_instance():
    """The one shell of the process."""
    InteractiveShell._instance = ZMQInteractiveShell()
    return InteractiveShell._instance
