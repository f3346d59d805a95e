"""Parts of get_ipython() that few libraries ask for: code utilities, old names, files, macros."""
import collections.abc
import contextlib
import sys

import _gridcell_kernel as kernel


from gridcell.ipython.managers import (AliasManager, BuiltinTrap, Compiler, DisplayHook, Inspector, Logger,
                                       PayloadManager, PrefilterManager, TransformerManager)


class HiddenNames(collections.abc.MutableMapping):
    """get_ipython().user_ns_hidden: the names that %who leaves out, with their values."""

    def __init__(self, space):
        self.space, self.names = space, kernel.state("initial_names")

    def __getitem__(self, name):
        if name not in self.names:
            raise KeyError(name)
        return self.space[name]

    def __setitem__(self, name, value):
        self.names.add(name)

    def __delitem__(self, name):
        if name not in self.names:
            raise KeyError(name)
        self.names.discard(name)

    def __iter__(self):
        return (name for name in list(self.names) if name in self.space)

    def __len__(self):
        return sum(1 for _ in self)

    def discard(self, name):
        self.names.discard(name)


class Extras:
    """Mixed into the shell."""

    cache_size = 1000
    history_length = history_load_length = 10000
    sphinxify_docstring = 0
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
    logstart = showing_traceback = readline_use = False
    logfile = logappend = filename = ""
    object_info_string_level = indent_current_nsp = 0
    show_rewritten_input = True
    system_raise_on_error = warn_venv = False
    more, rl_next_input = False, None
    stdin_encoding = "utf-8"
    inspector_class = compiler_class = None
    exit_now = False
    last_execution_result = None
    last_execution_succeeded = True

    def __dir__(self):
        return [*super().__dir__(), *_MAKERS]

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
        return AutoFormattedTB(mode=self.xmode)

    @property
    def debugger_cls(self):
        from IPython.core.debugger import Pdb
        return Pdb

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

    @property
    def home_dir(self):
        import os
        return os.path.expanduser("~")

    @property
    def exiter(self):
        return self.user_ns["exit"]

    @property
    def all_ns_refs(self):
        """The namespaces in which %xdel looks for references."""
        return [self.user_ns, self.user_ns_hidden]

    @property
    def default_user_namespaces(self):
        return True

    def get_ipython(self):
        return self

    def excepthook(self, etype, value, tb):
        self.showtraceback((etype, value, tb))

    def set_thread_parent(self, parent):
        """Output of a thread belongs to the cell that started it."""

    def reset_thread_parent(self, token=None):
        """See set_thread_parent."""

    def _ofind(self, oname, namespaces=None):
        from gridcell.ipython.finding import find
        return find(self, oname, namespaces)

    def new_main_mod(self, filename, modname):
        """A module named modname whose namespace %run of that file uses, emptied when it is known already."""
        from types import ModuleType
        modules = self.__dict__.setdefault("_main_mod_cache", {})
        module = modules.get(filename)
        if module is None:
            module = modules[filename] = ModuleType(modname, doc="A module of a script that was run")
        else:
            module.__dict__.clear()
            module.__name__ = modname
        module.__file__ = filename
        module.__nonzero__ = lambda: True
        return module

    def clear_main_mod_cache(self):
        """Forgets the modules of scripts."""
        self.__dict__.get("_main_mod_cache", {}).clear()

    def reset_selective(self, regex=None):
        """Forgets the user's names that a pattern matches."""
        if regex is None:
            return
        import re
        if not isinstance(regex, (str, re.Pattern)):
            raise TypeError("regex must be a string or compiled pattern")
        pattern = re.compile(regex)
        for name in [name for name in self.user_ns if pattern.search(name)]:
            del self.user_ns[name]

    def auto_rewrite_input(self, cmd):
        """Shows what a line was made into."""
        if self.show_rewritten_input:
            print("------> " + cmd)

    def pycolorize(self, source):
        return kernel.highlight(source)

    def prefilter(self, line, continue_prompt=False):
        """What lines are made into; they stay indented, which a cell's need not."""
        import textwrap
        indent = line[:len(line) - len(line.lstrip(" \t"))]
        return textwrap.indent(kernel.transform_cell(line).rstrip("\n"), indent)

    def switch_doctest_mode(self, mode):
        """The %doctest_mode that holds from now on."""
        from gridcell.ipython import switches
        if ("doctest" in switches._before) != bool(mode):
            self.run_line_magic("doctest_mode", "")

    def set_trio_runner(self, runner):
        raise NotImplementedError("cells await in asyncio's loop")

    def get_path_links(self, path):
        """A path and what its symbolic links lead to."""
        import os
        links = [path]
        while os.path.islink(links[-1]):
            links.append(os.path.normpath(os.path.join(os.path.dirname(links[-1]), os.readlink(links[-1]))))
        return links

    @property
    def tempdirs(self):
        return []

    tempfiles = tempdirs

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
                             transformed_cell=None, preprocessing_exc_tuple=None, cell_id=None, cell_meta=None):
        """Runs a cell in the loop that awaits this; how it went."""
        from gridcell.ipython.events import ExecutionInfo, run_cell_async
        info = ExecutionInfo(raw_cell, store_history, silent, shell_futures, cell_id, cell_meta, transformed_cell)
        return await run_cell_async(self, info, preprocessing_exc_tuple)

    async def run_code(self, code_obj, result=None, *, async_=False):
        """Runs a code object; whether that failed."""
        import inspect
        try:
            value = eval(code_obj, self.user_ns)
            if inspect.iscoroutine(value):
                await value
        except BaseException as error:
            if result is not None:
                result.error_in_exec = error
            self.showtraceback()
            return True
        return False

    runcode = run_code

    async def run_ast_nodes(self, nodelist, cell_name, interactivity="last_expr", compiler=compile, result=None):
        """Runs statements, and shows the values of those that `interactivity` names; whether one failed."""
        from gridcell.ipython.interactivity import shown_nodes
        import ast
        for node, is_shown in shown_nodes(nodelist, interactivity):
            tree, mode = (ast.Interactive([node]), "single") if is_shown else (ast.Module([node], []), "exec")
            with compiler.extra_flags(ast.PyCF_ALLOW_TOP_LEVEL_AWAIT) if hasattr(
                    compiler, "extra_flags") else contextlib.nullcontext():
                code = compiler(tree, cell_name, mode)
            if await self.run_code(code, result):
                return True
        if result is not None:
            result.result = kernel.shown_result()
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
        """`hook(shell, ...)` is called for that occasion; complete_command: for lines that begin so."""
        from types import MethodType
        bound = MethodType(hook, self)
        if str_key is not None or re_key is not None:
            from gridcell.ipython import custom_completers
            custom_completers.add_command(bound, priority, str_key, re_key)
        elif name == "shutdown_hook":
            import atexit
            atexit.register(bound)
        elif name == "late_startup_hook":
            bound()
        else:
            self.hooks[name] = bound

    def set_custom_completer(self, completer, pos=0):
        """`completer(Completer, text)` gives more matches for the word that is being typed."""
        from gridcell.ipython import custom_completers
        custom_completers.add(self, completer, pos)

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


def _empty(shell):
    from IPython.utils.ipstruct import Struct
    return Struct()


def _dispatchers(shell):
    from gridcell.ipython.custom_completers import commands
    return {"complete_command": commands}


def _database(shell):
    from gridcell.ipython.storing import new_database
    return new_database()


_MAKERS = {"db": _database, "compile": lambda shell: Compiler(), "input_transformer_manager": TransformerManager,
           "payload_manager": lambda shell: PayloadManager(), "alias_manager": lambda shell: AliasManager(),
           "displayhook": DisplayHook, "hooks": _empty, "logger": Logger, "builtin_trap": BuiltinTrap,
           "prefilter_manager": PrefilterManager, "inspector": Inspector,
           "starting_dir": lambda shell: kernel.state("directories")[0],
           "dir_stack": lambda shell: [], "strdispatchers": _dispatchers,
           "raw_input_original": lambda shell: input}
