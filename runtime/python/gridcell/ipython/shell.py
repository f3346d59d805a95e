"""The object behind get_ipython(): the part of InteractiveShell that libraries and notebooks use."""
import sys

import _gridcell_kernel as kernel


class Events:
    """Callbacks at the start and end of cells."""

    names = ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell", "shell_initialized")

    def __init__(self):
        self.callbacks = {name: [] for name in self.names}

    def register(self, event, function):
        if not callable(function):
            raise TypeError(f"Need a callable, got {function!r}")
        if function not in self.callbacks[event]:
            self.callbacks[event].append(function)

    def unregister(self, event, function):
        if function not in self.callbacks[event]:
            raise ValueError(f"Function {function!r} is not registered as a {event} callback")
        self.callbacks[event].remove(function)

    def trigger(self, event, *args, **kwargs):
        for function in self.callbacks[event][:]:
            try:
                function(*args, **kwargs)
            except TypeError as error:
                # callbacks of old notebooks take no argument
                if args and "positional argument" in str(error) and error.__traceback__.tb_next is None:
                    self._guard(event, function)
                else:
                    self._report(event, function, error)
            except (Exception, KeyboardInterrupt) as error:
                self._report(event, function, error)

    def _guard(self, event, function):
        try:
            function()
        except (Exception, KeyboardInterrupt) as error:
            self._report(event, function, error)

    def _report(self, event, function, error):
        print(f"Error in callback {function} (for {event}):", file=sys.stderr)
        kernel.show_traceback(error)


class ExecutionInfo:
    """What pre_run_cell callbacks are told."""

    def __init__(self, raw_cell, store_history=True, silent=False):
        self.raw_cell, self.store_history, self.silent = raw_cell, store_history, silent
        self.shell_futures, self.cell_id, self.transformed_cell = True, None, None


class ExecutionResult:
    """How a cell went."""

    def __init__(self, info=None):
        self.info, self.result, self.execution_count = info, None, None
        self.error_before_exec = self.error_in_exec = None

    @property
    def success(self):
        return self.error_before_exec is None and self.error_in_exec is None

    def raise_error(self):
        if self.error_before_exec is not None:
            raise self.error_before_exec
        if self.error_in_exec is not None:
            raise self.error_in_exec


class Formatter:
    """Functions by type for one MIME type."""

    def __init__(self, mime):
        self.format_type, self.enabled = mime, True
        self.type_printers = kernel.state("formatters").setdefault(mime, {})
        self.deferred_printers = kernel.state("lazy_formatters").setdefault(mime, {})

    def for_type(self, kind, function=None):
        """Registers; or without a function, looks up."""
        if isinstance(kind, str):
            module, _, name = kind.rpartition(".")
            return self.for_type_by_name(module, name, function)
        old = self.type_printers.get(kind)
        if function is not None:
            self.type_printers[kind] = function
        return old

    def for_type_by_name(self, module, name, function=None):
        old = self.deferred_printers.get((module, name))
        if function is not None:
            self.deferred_printers[module, name] = function
        return old

    def lookup_by_type(self, kind):
        for base in kind.__mro__:
            if base in self.type_printers:
                return self.type_printers[base]
        raise KeyError(f"No registered printer for {kind!r}")

    def lookup(self, obj):
        return self.lookup_by_type(type(obj))

    def pop(self, kind, default=None):
        return self.type_printers.pop(kind, default)

    def __call__(self, obj):
        return kernel.format(obj, [self.format_type])[0].get(self.format_type)


MIME_TYPES = ("text/plain", "text/html", "text/markdown", "image/svg+xml", "image/png",
              "application/pdf", "image/jpeg", "text/latex", "application/json",
              "application/javascript")


class DisplayFormatter:
    """All formatters, and the MIME types in use."""

    def __init__(self):
        self.formatters = FormatterTable()
        self.active_types = list(MIME_TYPES)
        self.ipython_display_formatter = None
        self.mimebundle_formatter = None

    @property
    def format_types(self):
        return list(self.formatters)

    def format(self, obj, include=None, exclude=None):
        return kernel.format(obj, include, exclude)


class FormatterTable(dict):
    """Formatters by MIME type, made when they are asked for."""

    def __init__(self):
        super().__init__((mime, None) for mime in MIME_TYPES)

    def __missing__(self, mime):
        self[mime] = formatter = Formatter(mime)
        return formatter

    def __getitem__(self, mime):
        formatter = super().get(mime)
        return formatter if formatter is not None else self.__missing__(mime)

    def get(self, mime, default=None):
        return self[mime] if mime in self else default

    def items(self):
        return [(mime, self[mime]) for mime in self]

    def values(self):
        return [self[mime] for mime in self]


class DisplayPublisher:
    """Sends representations."""

    def __init__(self):
        self._hooks = []

    def publish(self, data, metadata=None, source=None, *, transient=None, update=False, **_):
        kind = "update_display_data" if update else "display_data"
        message = {"header": {"msg_type": kind}, "msg_type": kind, "metadata": {},
                   "content": {"data": data, "metadata": metadata or {}, "transient": transient or {}}}
        for hook in self._hooks:
            message = hook(message)
            if message is None:
                return
        kernel.publish_display(kind, data, metadata or {}, transient or {})

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
    """%config InlineBackend.*; a change of format takes effect at once."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if name in ("figure_format", "figure_formats") and "matplotlib" in sys.modules:
            from matplotlib_inline import backend_inline
            formats = [value] if isinstance(value, str) else list(value)
            backend_inline.select_formats(formats, **self.print_figure_kwargs)
        elif name == "rc" and "matplotlib" in sys.modules:
            sys.modules["matplotlib"].rcParams.update(value)


class ExtensionManager:
    """Loaded extensions."""

    def __init__(self, shell):
        self.shell, self.loaded = shell, set()

    def load_extension(self, name):
        from gridcell.ipython.extensions import load_ext
        load_ext(name)

    def unload_extension(self, name):
        from gridcell.ipython.extensions import unload_ext
        unload_ext(name)

    def reload_extension(self, name):
        from gridcell.ipython.extensions import reload_ext
        reload_ext(name)


class HistoryManager:
    """Inputs and outputs of this session and of earlier ones."""

    @property
    def session_number(self):
        return kernel.history_session()

    @property
    def input_hist_raw(self):
        return kernel.state("inputs")

    @property
    def input_hist_parsed(self):
        return [kernel.transform_cell(cell) for cell in kernel.state("inputs")]

    @property
    def output_hist(self):
        return kernel.state("outputs")

    @staticmethod
    def _rows(access, output, **query):
        for session, line, text in kernel.history({"hist_access_type": access, "output": output, **query}):
            yield session, line, tuple(text) if output else text

    def get_range(self, session=0, start=1, stop=None, raw=True, output=False):
        """Entries of one session: 0 is this one, -1 the one before."""
        for number, line, text in self._rows("range", output, session=session, start=start,
                                             stop=stop or 0, raw=raw):
            yield number if session else 0, line, text

    def get_tail(self, n=10, raw=True, output=False, include_latest=False):
        """The last entries of all sessions."""
        rows = list(self._rows("tail", output, n=n if include_latest else n + 1, raw=raw))
        return rows if include_latest else rows[:-1]

    def search(self, pattern="*", raw=True, search_raw=True, output=False, n=None, unique=False):
        """Entries of all sessions that match a glob."""
        return self._rows("search", output, pattern=pattern, raw=raw, unique=unique,
                          n=-1 if n is None else n)


class MagicsManager:
    """Magics by kind and name."""

    def __init__(self, shell):
        self.shell = shell
        self.registry = {}

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
            self.registry[type(instance).__name__] = instance
            for kind, table in instance.magics.items():
                for name, method in table.items():
                    function = getattr(instance, method) if isinstance(method, str) else method
                    kernel.state("user_magics")[kind][name] = function


class CommManager:
    """kernel.comm_manager: the `comm` package's, loaded when asked for."""

    def __getattr__(self, name):
        from gridcell.ipython.comms import manager
        return getattr(manager(), name)


class Session:
    """kernel.session, as far as libraries look at it."""

    session = key = ""

    def send(self, stream, msg_or_type, content=None, parent=None, ident=None, buffers=None,
             track=False, header=None, metadata=None):
        kernel.publish(msg_or_type, content or {}, metadata or {}, buffers or [])


class Done:
    """An awaitable without anything to wait for."""

    def __await__(self):
        return iter(())


class IPythonKernel:
    """get_ipython().kernel."""

    implementation, banner = "ipython", ""

    def __init__(self, shell):
        self.shell, self.session, self.comm_manager = shell, Session(), CommManager()
        self.shell_handlers, self.control_handlers = {}, {}
        self.iopub_socket = self.iopub_thread = None
        self.log = _logger()

    def get_parent(self, channel=None):
        return kernel.get_parent()

    @property
    def _parent_header(self):
        return kernel.get_parent()

    @property
    def _parent_ident(self):
        identities = [text.encode() for text in kernel.get_parent().get("identities", [])]
        return {"shell": identities or [b""], "control": [b""]}

    @property
    def io_loop(self):
        import asyncio
        return asyncio.get_event_loop()

    def do_one_iteration(self):
        """Handles the comm messages that wait. The result can be awaited."""
        kernel.serve_comms()
        return Done()

    def do_shutdown(self, restart=False):
        kernel.state("exit")()(False)
        return {"status": "ok", "restart": restart}


def _logger():
    import logging
    return logging.getLogger("gridcell")


class InteractiveShell(kernel.ShellBase):
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

    def __init__(self):
        self.events = Events()
        self.display_formatter = DisplayFormatter()
        self.display_pub = DisplayPublisher()
        self.history_manager = HistoryManager()
        self.extension_manager = ExtensionManager(self)
        self.magics_manager = MagicsManager(self)
        self.kernel = IPythonKernel(self)
        self.config = {"IPKernelApp": {"connection_file": kernel.connection_file() or ""}}
        self.settings = {"InlineBackend": InlineBackendSettings(
            figure_formats={"png"}, figure_format="png", close_figures=True, rc={},
            print_figure_kwargs={"bbox_inches": "tight"})}
        self.ast_transformers, self.configurables = [], []
        self.input_transformers_cleanup, self.input_transformers_post = [], []
        self.user_module, self.user_ns = kernel.state("user_module"), kernel.state("user_ns")
        self.user_global_ns, self.user_ns_hidden = self.user_ns, kernel.state("initial_names")
        self.custom_exceptions = ()
        self.db, self.meta = {}, Settings()

    def _fire(self, event, *arguments):
        if event == "pre_run_cell":
            arguments = (ExecutionInfo(*arguments),)
        elif event == "post_run_cell":
            arguments = (ExecutionResult(),)
        self.events.trigger(event, *arguments)

    # ---- state
    parent_header = property(lambda self: kernel.get_parent())

    def get_parent(self):
        """The message that this code runs for."""
        return kernel.get_parent()

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

    def del_var(self, name, by_name=False):
        del self.user_ns[name]

    def reset(self, new_session=True, aggressive=False):
        self.run_line_magic("reset", "-f")

    def ev(self, expression):
        return eval(expression, self.user_ns)

    def ex(self, command):
        exec(command, self.user_ns)

    def var_expand(self, text, depth=0, formatter=None):
        return kernel.expand(text)

    # ---- running
    def run_cell(self, raw_cell, store_history=False, silent=False, shell_futures=True, cell_id=None):
        result = ExecutionResult(ExecutionInfo(raw_cell, store_history, silent))
        try:
            kernel.run_cell(raw_cell)
        except BaseException as error:
            result.error_in_exec = error
            self.showtraceback()
        return result

    def run_code(self, code, result=None, *, async_=False):
        exec(code, self.user_ns)

    def safe_execfile(self, path, *where, **kwargs):
        self.run_line_magic("run", f"-i {path}")

    def transform_cell(self, raw_cell):
        return kernel.transform_cell(raw_cell)

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

    def define_macro(self, name, code):
        self.user_ns[name] = code

    # ---- display, errors
    def showtraceback(self, exc_tuple=None, filename=None, tb_offset=None, **kwargs):
        error = exc_tuple[1] if exc_tuple else sys.exc_info()[1]
        if error is None:
            print("No traceback available to show.", file=sys.stderr)
        else:
            kernel.show_traceback(error)

    showsyntaxerror = showtraceback

    def set_custom_exc(self, exceptions, handler):
        self.custom_exceptions, self.CustomTB = exceptions, handler

    def show_usage(self):
        print("magics: %lsmagic   help: name? name??   shell: !command")

    def show_usage_error(self, error):
        print(f"UsageError: {error}", file=sys.stderr)

    def enable_gui(self, gui=None):
        pass

    def enable_matplotlib(self, gui=None):
        from gridcell.ipython.figures import choose
        choose(gui or "inline")
        return gui, "module://matplotlib_inline.backend_inline"

    def enable_pylab(self, gui=None, import_all=True, **kwargs):
        from gridcell.ipython.figures import pylab
        pylab(gui or "inline")

    # ---- questions about code
    def complete(self, text, line=None, cursor_pos=None):
        replaced, matches = self.Completer.complete(text, line, cursor_pos)
        return (text if line is None else replaced), matches

    def object_inspect(self, name, detail_level=0):
        from gridcell.ipython.inspecting import facts
        return facts(name, detail_level)

    def object_inspect_mime(self, name, detail_level=0, omit_sections=()):
        from gridcell.ipython.inspecting import bundle
        data = bundle(name, detail_level)
        if data is None:
            raise KeyError(name)
        return data

    def check_complete(self, code):
        try:
            compile(kernel.transform_cell(code), "<input>", "exec")
        except SyntaxError:
            return "invalid", ""
        return "complete", ""

    def ask_yes_no(self, prompt, default=None, interrupt=None):
        answer = input(prompt + " ").strip().lower()
        return default if not answer else answer.startswith("y")


InteractiveShell.__module__ = "IPython.core.interactiveshell"


class ZMQInteractiveShell(InteractiveShell):
    """The name that programs look for to know a notebook."""


ZMQInteractiveShell.__module__ = "ipykernel.zmqshell"
IPythonKernel.__module__ = "ipykernel.ipkernel"
InteractiveShellABC = InteractiveShell


def make_instance():
    """The one shell of the process."""
    InteractiveShell._instance = ZMQInteractiveShell()
    return InteractiveShell._instance
