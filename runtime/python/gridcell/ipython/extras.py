"""Parts of get_ipython() that few libraries ask for: code utilities, old names, files, macros."""
import sys

import _gridcell_kernel as kernel


class Compiler:
    """get_ipython().compile: code objects of cells, whose source is known to linecache."""

    flags = 0

    def ast_parse(self, source, filename="<unknown>", symbol="exec"):
        import ast
        return compile(source, filename, symbol, ast.PyCF_ONLY_AST)

    def __call__(self, source, filename, symbol="exec"):
        return compile(source, filename, symbol)

    def get_code_name(self, raw_code, transformed_code, number):
        return self.cache(transformed_code, number, raw_code)

    def get_file_name(self, raw_code):
        return self.cache(raw_code)

    def cache(self, transformed_code, number=0, raw_code=None):
        """Registers a source under the file name that its cell has."""
        import hashlib
        import linecache
        import os
        import tempfile
        digest = hashlib.sha1((raw_code or transformed_code).encode("utf-8", "replace")).hexdigest()
        name = f"{tempfile.gettempdir()}/ipykernel_{os.getpid()}/{int(digest[:8], 16)}.py"
        lines = [line + "\n" for line in transformed_code.splitlines()]
        linecache.cache[name] = len(transformed_code), None, lines, name
        return name


class TransformerManager:
    """get_ipython().input_transformer_manager: from a cell's text to Python."""

    def __init__(self, shell):
        self.cleanup_transforms = shell.input_transformers_cleanup
        self.line_transforms, self.token_transformers = [], []

    def transform_cell(self, cell):
        return kernel.transform_cell(cell)

    def check_complete(self, cell):
        """complete, incomplete or invalid; and the indentation of the next line."""
        import codeop
        import warnings
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                code = codeop.compile_command(kernel.transform_cell(cell), "<input>", "exec")
        except (SyntaxError, OverflowError, ValueError):
            return "invalid", None
        if code is not None:
            return "complete", None
        last = cell.rstrip().rpartition("\n")[2]
        depth = len(last) - len(last.lstrip())
        return "incomplete", depth + 4 if last.endswith(":") else depth


class PayloadManager:
    """get_ipython().payload_manager: what the reply carries to the front end."""

    def write_payload(self, data, single=True):
        kernel.add_payload(data)

    def read_payload(self):
        return []

    def clear_payload(self):
        pass


class AliasManager:
    """get_ipython().alias_manager: commands of the system as magics."""

    @property
    def aliases(self):
        from gridcell.ipython.aliases import Alias
        magics = kernel.state("user_magics")["line"]
        return sorted((name, magic.command) for name, magic in magics.items() if isinstance(magic, Alias))

    def define_alias(self, name, command):
        from gridcell.ipython.aliases import define
        define(name, command)

    soft_define_alias = define_alias

    def undefine_alias(self, name):
        if not self.is_alias(name):
            raise ValueError(f"{name} is not an alias")
        del kernel.state("user_magics")["line"][name]

    def is_alias(self, name):
        return name in dict(self.aliases)

    def retrieve_alias(self, name):
        return dict(self.aliases).get(name)


class DisplayHook:
    """get_ipython().displayhook: how the result of a cell is shown."""

    quiet_flag = False

    def __init__(self, shell):
        self.shell = shell

    prompt_count = property(lambda self: self.shell.execution_count)
    exec_result = None

    def __call__(self, result=None):
        kernel.displayhook(result)

    def quiet(self):
        return False

    def flush(self):
        kernel.state("outputs").clear()


class Extras:
    """Mixed into the shell."""

    cache_size = 1000
    history_length = history_load_length = 10000
    autocall = sphinxify_docstring = 0
    autoawait = True
    loop_runner_map = {"asyncio": True}
    loop_runner = "asyncio"
    call_pdb = pdb = debug = quiet = False
    banner = banner1 = banner2 = profile_name = ""
    profile = "default"
    separate_in, separate_out, separate_out2 = "\n", "", ""
    display_page = enable_html_pager = wildcards_case_sensitive = True
    keepkernel_on_exit = None
    data_pub = sys_excepthook = None
    last_execution_result = None
    last_execution_succeeded = True

    def __getattr__(self, name):
        maker = _MAKERS.get(name)
        if maker is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = maker(self)
        self.__dict__[name] = value
        return value

    @property
    def InteractiveTB(self):
        from IPython.core.ultratb import AutoFormattedTB
        return AutoFormattedTB()

    @property
    def active_eventloop(self):
        return None

    @property
    def ipython_dir(self):
        from IPython.paths import get_ipython_dir
        return get_ipython_dir()

    @property
    def profile_dir(self):
        import os
        import tempfile
        from types import SimpleNamespace
        folder = os.path.join(self.ipython_dir, "profile_default")
        return SimpleNamespace(location=folder, startup_dir=os.path.join(folder, "startup"),
                               security_dir=os.path.join(folder, "security"))

    # ---- names that HasTraits gives
    def trait_names(self, **metadata):
        return [name for name in dir(type(self)) if not name.startswith("_")]

    def has_trait(self, name):
        return not name.startswith("_") and hasattr(type(self), name)

    def observe(self, handler, names=None, type="change"):
        """Settings of the shell do not tell of their changes."""

    unobserve = observe

    # ---- code
    def transform_ast(self, node):
        from gridcell.ipython.hooks import transform_tree
        return transform_tree(node, self.ast_transformers)

    def should_run_async(self, raw_cell, *, transformed_cell=None, preprocessing_exc_tuple=None):
        """Whether a cell awaits at its top level."""
        import ast
        import inspect
        try:
            code = compile(transformed_cell or kernel.transform_cell(raw_cell), "<cell>", "exec",
                           ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except (SyntaxError, ValueError, MemoryError):
            return False
        return bool(code.co_flags & inspect.CO_COROUTINE)

    async def run_cell_async(self, raw_cell, store_history=False, silent=False, shell_futures=True, *,
                             transformed_cell=None, preprocessing_exc_tuple=None, cell_id=None):
        return self.run_cell(raw_cell, store_history, silent, shell_futures, cell_id)

    def run_code(self, code, result=None, *, async_=False):
        """Runs a code object; whether that failed."""
        try:
            exec(code, self.user_ns)
        except BaseException as error:
            if result is not None:
                result.error_in_exec = error
            self.showtraceback()
            return True
        return False

    runcode = run_code

    def run_ast_nodes(self, nodelist, cell_name, interactivity="last_expr", compiler=compile, result=None):
        import ast
        for node in nodelist:
            tree = ast.Interactive([node]) if interactivity == "all" else ast.Module([node], [])
            mode = "single" if interactivity == "all" else "exec"
            if node is nodelist[-1] and interactivity == "last_expr" and isinstance(node, ast.Expr):
                tree, mode = ast.Interactive([node]), "single"
            if self.run_code(compiler(tree, cell_name, mode), result):
                return True
        return False

    def safe_execfile(self, path, *where, exit_ignore=False, raise_exceptions=False, **_):
        """Runs a script in the namespace that comes first in `where`, or in the user's."""
        space = where[0] if where else self.user_ns
        try:
            with open(path, "rb") as file:
                exec(compile(file.read(), str(path), "exec"), space)
        except SystemExit as leaving:
            if leaving.code and not exit_ignore:
                self.showtraceback()
        except BaseException:
            if raise_exceptions:
                raise
            self.showtraceback()

    def safe_execfile_ipy(self, path, shell_futures=False, raise_exceptions=False):
        self.run_line_magic("run", str(path))

    def safe_run_module(self, module, where):
        import runpy
        try:
            where.update(runpy.run_module(str(module), run_name="__main__", alter_sys=True))
        except SystemExit as leaving:
            if leaving.code:
                raise

    def extract_input_lines(self, text, raw=False):
        """The inputs that a range such as "1-3 5" names."""
        return "\n".join(cell for _, _, cell in self.history_manager.get_range_by_str(text, raw=raw))

    def find_user_code(self, target, raw=True, py_only=False, skip_encoding_cookie=True, search_ns=False):
        """Source by history range, file, URL, macro or name."""
        from gridcell.ipython.sources import find_code
        return find_code(target, raw=raw, py_only=py_only, search_ns=search_ns)

    def mktempfile(self, data=None, prefix="ipython_edit_"):
        import atexit
        import os
        import tempfile
        import shutil
        import tempfile
        folder = tempfile.mkdtemp(prefix=prefix)
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        path = os.path.join(folder, "file.py")
        if data:
            with open(path, "w", encoding="utf-8") as file:
                file.write(data)
        return path

    def get_local_scope(self, stack_depth):
        return sys._getframe(stack_depth + 1).f_locals

    def prepare_user_module(self, user_module=None, user_ns=None):
        return self.user_module, self.user_ns

    def user_expressions(self, expressions):
        results = {}
        for name, expression in expressions.items():
            try:
                data, metadata = kernel.format(eval(expression, self.user_ns))
                results[name] = {"status": "ok", "data": data, "metadata": metadata}
            except Exception as error:
                results[name] = {"status": "error", "ename": type(error).__name__, "evalue": str(error),
                                 "traceback": []}
        return results

    def define_macro(self, name, code):
        from gridcell.ipython.sources import Macro
        self.user_ns[name] = code if isinstance(code, Macro) else Macro(code)

    def get_exception_only(self, exc_tuple=None):
        import traceback
        kind, value, _ = exc_tuple or self._get_exc_info()
        return "".join(traceback.format_exception_only(kind, value))

    def _get_exc_info(self, exc_tuple=None):
        """Type, value and traceback of the exception that is handled, or of the last one."""
        found = sys.exc_info() if exc_tuple is None else exc_tuple
        if found[0] is None:
            error = kernel.state("exception")
            if error is None:
                raise ValueError("No exception to find")
            found = type(error), error, error.__traceback__
        sys.last_type, sys.last_value, sys.last_traceback = found
        return found

    # ---- switches of a terminal
    def set_autoindent(self, value=None):
        self.autoindent = not self.autoindent if value is None else value

    def set_hook(self, name, hook, priority=50, str_key=None, re_key=None):
        vars(self.hooks)[name] = hook

    def set_custom_completer(self, completer, pos=0):
        vars(self.hooks).setdefault("custom_completers", []).insert(pos, completer)

    def set_completer_frame(self, frame=None):
        """Completion looks at the user's namespace."""

    def set_parent(self, parent):
        """The kernel knows what it answers."""

    def init_user_ns(self):
        """The namespace is ready."""

    def refresh_style(self):
        """Colours follow the front end."""

    def save_sys_module_state(self):
        """Nothing of sys is replaced that would have to come back."""

    restore_sys_module_state = cleanup = show_banner = save_sys_module_state

    def debugger(self, force=False):
        import pdb
        pdb.post_mortem(self._get_exc_info()[2])

    def atexit_operations(self):
        """The kernel ends by itself."""


def _hooks(shell):
    from types import SimpleNamespace
    return SimpleNamespace()


def _logger(shell):
    from types import SimpleNamespace
    return SimpleNamespace(logfile=None, logfname="", active=False)


_MAKERS = {"compile": lambda shell: Compiler(), "input_transformer_manager": TransformerManager,
           "payload_manager": lambda shell: PayloadManager(), "alias_manager": lambda shell: AliasManager(),
           "displayhook": DisplayHook, "hooks": _hooks, "logger": _logger, "builtin_trap": _hooks,
           "prefilter_manager": _hooks, "inspector": lambda shell: shell,
           "starting_dir": lambda shell: kernel.state("directories")[0],
           "dir_stack": lambda shell: [], "strdispatchers": lambda shell: {}}
