"""Objects that hang on get_ipython(): its compiler, transformers, payload, aliases, display hook, log."""
import _gridcell_kernel as kernel
from gridcell.ipython.traits import Configurable


class Compiler:
    """get_ipython().compile: code objects of cells, whose source is known to linecache."""

    flags = 0
    compiler_flags = property(lambda self: self.flags)

    def reset_compiler_flags(self):
        """What `from __future__` set is the kernel's own."""

    def extra_flags(self, flags):
        """`with compile.extra_flags(flags):` these hold, too."""
        import contextlib

        @contextlib.contextmanager
        def hold():
            before, self.flags = self.flags, self.flags | flags
            try:
                yield
            finally:
                self.flags = before
        return hold()

    def format_code_name(self, name):
        """(kind, name) of a cell's file, as tracebacks have it; None for other files."""
        number = kernel.state("cell_numbers").get(name)
        return None if number is None else ("Cell", f"In[{number}]")

    def ast_parse(self, source, filename="<unknown>", symbol="exec"):
        import ast
        return compile(source, filename, symbol, ast.PyCF_ONLY_AST | self.flags)

    def __call__(self, source, filename, symbol="exec"):
        return compile(source, filename, symbol, self.flags)

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
        self.cleanup_transforms, self.line_transforms = shell.input_transformers_cleanup, shell.input_transformers_line
        self.token_transformers = []

    def transform_cell(self, cell):
        text = kernel.transform_cell(cell)
        return text if not text or text.endswith("\n") else text + "\n"

    def check_complete(self, cell):
        """complete, incomplete or invalid; and the indentation of the next line."""
        from gridcell.ipython.hooks import transform_lines, transform_text
        quiet = [[function for function in functions if not getattr(function, "has_side_effects", False)]
                 for functions in (self.cleanup_transforms, self.line_transforms)]
        try:
            text = transform_text(cell, quiet[0]) if quiet[0] else cell
            text = transform_lines(text, quiet[1]) if quiet[1] else text
        except SyntaxError:
            return "invalid", None
        reply = kernel.answer("is_complete", {"code": text})
        return reply["status"], len(reply["indent"]) if "indent" in reply else None


class BuiltinTrap(Configurable):
    """get_ipython().builtin_trap: names that are builtins while code of cells runs. Those of the kernel always are."""

    def __init__(self, shell):
        self.shell, self.auto_builtins, self._before = shell, {}, []

    def __enter__(self):
        self._before.append({name: self.add_builtin(name, value) for name, value in self.auto_builtins.items()})
        return self

    def __exit__(self, *_):
        for name, old in self._before.pop().items():
            self.remove_builtin(name, old)

    activate, deactivate = __enter__, __exit__

    def add_builtin(self, key, value):
        """Adds a builtin; what had the name before, None for nothing."""
        import builtins
        old = vars(builtins).get(key)
        setattr(builtins, key, value)
        return old

    def remove_builtin(self, key, orig):
        """Brings back what had the name before."""
        import builtins
        if orig is None:
            vars(builtins).pop(key, None)
        else:
            setattr(builtins, key, orig)


class PrefilterManager(Configurable):
    """get_ipython().prefilter_manager: lines as magics, commands and calls. The kernel does that by itself."""

    multi_line_specials = True

    def __init__(self, shell):
        self.shell = shell

    def prefilter_lines(self, lines, continue_prompt=False):
        return self.shell.prefilter(lines, continue_prompt)

    prefilter_line = prefilter_lines


class PayloadManager(Configurable):
    """get_ipython().payload_manager: what the reply carries to the front end."""

    def write_payload(self, data, single=True):
        kernel.add_payload(data)

    def read_payload(self):
        return []

    def clear_payload(self):
        pass


class AliasManager(Configurable):
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
        alias = self.get_alias(name)
        if alias is None:
            raise ValueError(f"{name} is not an alias")
        return alias.command

    def get_alias(self, name):
        """The alias itself; None: there is none of that name."""
        from gridcell.ipython.aliases import Alias
        found = kernel.state("user_magics")["line"].get(name)
        return found if isinstance(found, Alias) else None

    @property
    def default_aliases(self):
        from gridcell.ipython.aliases import BUILT_IN
        return sorted(BUILT_IN.items())

    def clear_aliases(self):
        for name, _ in self.aliases:
            self.undefine_alias(name)


class DisplayHook(Configurable):
    """get_ipython().displayhook: how the result of a cell is shown."""

    quiet_flag = is_active = False
    do_full_cache, cull_fraction = True, 0.2
    exec_result = None
    topic = b"execute_result"

    def __init__(self, shell):
        self.shell = shell

    prompt_count = property(lambda self: self.shell.execution_count)
    cache_size = property(lambda self: self.shell.cache_size)
    session = property(lambda self: self.shell.kernel.session)
    pub_socket = property(lambda self: self.shell.kernel.iopub_socket)
    parent_header = property(lambda self: kernel.get_parent())

    def __call__(self, result=None):
        kernel.displayhook(result)

    @staticmethod
    def semicolon_at_end_of_expression(expression):
        """Whether the last token of some code is a semicolon."""
        import io
        import tokenize
        skipped = (tokenize.ENDMARKER, tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT)
        try:
            tokens = [token for token in tokenize.generate_tokens(io.StringIO(expression).readline)
                      if token.type not in skipped]
        except (tokenize.TokenError, SyntaxError):
            return False
        return bool(tokens) and tokens[-1].string == ";"

    def quiet(self):
        """Whether the running cell ends in a semicolon."""
        inputs = kernel.state("inputs")
        return bool(inputs) and self.semicolon_at_end_of_expression(inputs[-1])

    def compute_format_data(self, result):
        return self.shell.display_formatter.format(result)

    def write_format_data(self, data, metadata=None):
        kernel.publish("execute_result", {"data": data, "metadata": metadata or {},
                                          "execution_count": self.prompt_count})

    def check_for_underscore(self):
        """A user's own `_` is left alone."""

    def set_parent(self, parent):
        """The kernel knows what it answers."""

    def flush(self):
        """Forgets all results."""
        outputs = kernel.state("outputs")
        for number in list(outputs):
            self.shell.user_ns.pop(f"_{number}", None)
        outputs.clear()

    def cull_cache(self):
        """Forgets the oldest results."""
        outputs = kernel.state("outputs")
        for number in sorted(outputs)[:int(self.cache_size * self.cull_fraction)]:
            del outputs[number]
            self.shell.user_ns.pop(f"_{number}", None)


class Logger:
    """get_ipython().logger: the log of %logstart."""

    home_dir = "."
    loghead = ""

    def __init__(self, shell):
        self.shell = shell

    def _log(self):
        from gridcell.ipython import session_log
        return session_log.current()

    def _view(name, default, kind=None):
        """A property of the log, which keeps what it is given while there is one."""
        def get(self):
            value = getattr(self._log(), name, default)
            return kind(value) if kind else value

        def put(self, value):
            if self._log() is not None:
                setattr(self._log(), name, value)
        return property(get, put)

    logfname, logfile, logmode = _view("path", "ipython_log.py"), _view("file", None), _view("mode", "over")
    log_active, log_output = _view("active", False, bool), _view("outputs", False, bool)
    log_raw_input, timestamp = _view("raw", False, bool), _view("stamps", False, bool)

    def logstart(self, logfname=None, loghead=None, logmode=None, log_output=False, timestamp=False,
                 log_raw_input=False):
        """Starts a log; the next cell is the first one in it."""
        from gridcell.ipython import session_log
        if self._log() is not None:
            raise RuntimeError(f"Log file is already active: {self.logfname}")
        session_log.start(logfname or "ipython_log.py", logmode or "over", log_output, log_raw_input, timestamp,
                          "# IPython log file\n\n" if loghead is None else loghead)

    def logstop(self):
        from gridcell.ipython import session_log
        session_log.logstop("")

    close_log = logstop

    def switch_log(self, val):
        from gridcell.ipython import session_log
        (session_log.logon if val else session_log.logoff)("")

    def logstate(self):
        from gridcell.ipython import session_log
        session_log.logstate("")

    def log(self, line_mod, line_ori):
        self.log_write((line_ori if self.log_raw_input else line_mod).rstrip("\n") + "\n")

    def log_write(self, data, kind="input"):
        """Adds to the log."""
        log = self._log()
        if log is None or not log.active:
            return
        if kind == "input":
            log.write(data)
        elif log.outputs:
            log.write("".join(f"#[Out]# {line}\n" for line in data.splitlines()))


class Inspector(Configurable):
    """get_ipython().inspector: pages about objects."""

    str_detail_level = 0

    def __init__(self, shell):
        self.shell, self.mime_hooks = shell, {}

    def info(self, obj, oname="", info=None, detail_level=0):
        """What is known of an object, by field."""
        from gridcell.ipython.inspecting import facts_of
        return facts_of(obj, oname or getattr(obj, "__name__", ""), detail_level)

    def _page(self, obj, oname, level=0):
        from gridcell.ipython.inspecting import describe
        return describe(obj, oname or getattr(obj, "__name__", ""), level)

    def pinfo(self, obj, oname="", formatter=None, info=None, detail_level=0, enable_html_pager=True,
              omit_sections=()):
        """The page of `oname?`, in the pager."""
        self.show(self._page(obj, oname, detail_level))

    def show(self, page):
        """A page in the pager: IPython.core.page.page() is the place to change that."""
        from IPython.core.page import page as show
        show({"text/plain": page})

    def pdef(self, obj, oname=""):
        from gridcell.ipython.inspecting import show_part
        show_part("pdef", obj, oname)

    def pdoc(self, obj, oname="", formatter=None):
        from gridcell.ipython.inspecting import show_part
        show_part("pdoc", obj, oname)

    def psource(self, obj, oname=""):
        from gridcell.ipython.inspecting import show_part
        show_part("psource", obj, oname)

    def pfile(self, obj, oname=""):
        from gridcell.ipython.inspecting import show_part
        show_part("pfile", obj, oname)

    def psearch(self, pattern, ns_table=None, ns_search=(), ignore_case=False, show_all=False, list_types=False):
        self.shell.run_line_magic("psearch", pattern)

    def noinfo(self, msg, oname):
        print(f"No {msg} found" + (f" for {oname}" if oname else ""))
