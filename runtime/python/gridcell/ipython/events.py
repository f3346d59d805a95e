"""get_ipython().events: callbacks at the start and end of cells, and what they are told."""
import sys

import _gridcell_kernel as kernel


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

    def __init__(self, raw_cell, store_history=True, silent=False, cell_id=None, cell_meta=None):
        self.raw_cell, self.store_history, self.silent = raw_cell, store_history, silent
        self.shell_futures, self.cell_id, self.cell_meta = True, cell_id, cell_meta
        self._transformed = None

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
