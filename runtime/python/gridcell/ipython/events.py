"""get_ipython().events: callbacks at the start and end of cells, and what they are told."""
import sys

import _gridcell_kernel as kernel
from gridcell.ipython.replaced import is_replaced

TOP_LEVEL_AWAIT = 0x2000  # ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class Events:
    """Callbacks at the start and end of cells."""

    names = ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell", "shell_initialized")

    def __init__(self, shell=None, available_events=names, print_on_error=True):
        self.shell, self.print_on_error = shell, print_on_error
        self.callbacks = {name: [] for name in available_events}

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
        if not self.print_on_error:
            return
        print(f"Error in callback {function} (for {event}):", file=sys.stderr)
        kernel.show_traceback(error)


def _named(instance, **fields):
    text = " ".join(f"{name}={value}" for name, value in fields.items())
    return f"<{type(instance).__qualname__} object at {id(instance):x}, {text}>"


def _start(cell):
    return f'"{cell[:50]}.."' if len(cell) > 50 else f'"{cell}"'


class ExecutionInfo:
    """What pre_run_cell callbacks are told."""

    def __init__(self, raw_cell, store_history=True, silent=False, shell_futures=True, cell_id=None, cell_meta=None,
                 transformed_cell=None):
        self.raw_cell, self.store_history, self.silent = raw_cell, store_history, silent
        self.shell_futures, self.cell_id, self.cell_meta = shell_futures, cell_id, cell_meta
        self._transformed = transformed_cell

    @property
    def transformed_cell(self):
        """The cell as Python; the raw one where that fails."""
        if self._transformed is None:
            import _gridcell_kernel as kernel
            try:
                text = kernel.transform_cell(self.raw_cell)
            except Exception:
                text = self.raw_cell
            self._transformed = text if text.endswith("\n") else text + "\n"
        return self._transformed

    def __repr__(self):
        return _named(self, raw_cell=_start(self.raw_cell), transformed_cell=_start(self.transformed_cell),
                      store_history=self.store_history, silent=self.silent,
                      shell_futures=self.shell_futures, cell_id=self.cell_id, cell_meta=self.cell_meta)


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

    def __repr__(self):
        return _named(self, execution_count=self.execution_count, error_before_exec=self.error_before_exec,
                      error_in_exec=self.error_in_exec, info=self.info, result=repr(self.result))


class InnerRun:
    """`with` this a cell runs within another one: its events, its failure, which is shown and not raised, its result."""

    def __init__(self, shell, info):
        self.shell, self.info, self.result = shell, info, ExecutionResult(info)
        self.is_stored = info.store_history and not info.silent

    def __enter__(self):
        self.shell.events.trigger("pre_execute")
        if not self.info.silent:
            self.shell.events.trigger("pre_run_cell", self.info)
        return self.result

    def __exit__(self, kind, error, traceback):
        from gridcell.ipython.hooks import show_failure
        if error is not None:
            error.__traceback__ = traceback.tb_next  # without the function that ran the cell
            if isinstance(error, SyntaxError) and error.__traceback__ is None:
                self.result.error_before_exec = error
            else:
                self.result.error_in_exec = error
            if not show_failure(self.shell, error):
                kernel.show_traceback(error)
        self.shell.last_execution_result, self.shell.last_execution_succeeded = self.result, self.result.success
        self.shell.events.trigger("post_execute")
        if not self.info.silent:
            self.shell.events.trigger("post_run_cell", self.result)
        return True


def _is_blank(shell, result):
    if result.info.raw_cell and not result.info.raw_cell.isspace():
        return False
    shell.last_execution_result, shell.last_execution_succeeded = result, True
    return True


def run_cell(shell, info):
    """get_ipython().run_cell(): how the cell went."""
    if is_replaced(shell, "run_ast_nodes"):
        return kernel.run_coroutine(run_cell_async(shell, info))
    run, numbers = InnerRun(shell, info), []
    if _is_blank(shell, run.result):
        return run.result
    with run:
        try:
            run.result.result = kernel.run_inner_cell(info.raw_cell, info.silent, run.is_stored, numbers)
        finally:
            run.result.execution_count = numbers[0] if run.is_stored else None
    return run.result


async def run_cell_async(shell, info, failure=None):
    """As run_cell(), for code that awaits in the loop that runs already."""
    run = InnerRun(shell, info)
    if _is_blank(shell, run.result):
        return run.result
    with run as result:
        if failure:
            raise failure[1]
        source = shell.transform_cell(info.raw_cell) if info._transformed is None else info._transformed
        number, outer = kernel.enter_inner_cell(run.is_stored)
        try:
            if run.is_stored:
                shell.history_manager.store_inputs(number, source, info.raw_cell)
                result.execution_count = number
            name = shell.compile.cache(source, number, info.raw_cell)
            with shell.compile.extra_flags(TOP_LEVEL_AWAIT):
                tree = shell.transform_ast(shell.compile.ast_parse(source, name))
            interactivity = "none" if info.silent else shell.ast_node_interactivity
            await shell.run_ast_nodes(tree.body, name, interactivity, shell.compile, result)
        finally:
            kernel.leave_inner_cell(outer)
    return result
