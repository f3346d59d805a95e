"""Cells that something else runs: put in place of get_ipython()'s run_cell or run_ast_nodes, as %autopx does."""
import _gridcell_kernel as kernel


def is_replaced(shell, name):
    """Whether the shell has another function under the name than its class; its own may have been put back."""
    own = vars(shell).get(name)
    return own is not None and getattr(own, "__func__", None) is not getattr(type(shell), name)


def run(shell, cell, is_stored, is_silent):
    """False where nothing is replaced; else the cell has run. What it raises has been shown."""
    if not (is_replaced(shell, "run_cell") or is_replaced(shell, "run_ast_nodes")):
        return False
    try:
        outcome = shell.run_cell(cell, store_history=is_stored, silent=is_silent)
        if hasattr(outcome, "__await__"):
            outcome = kernel.run_coroutine(outcome)
    except BaseException as error:
        kernel.show_traceback(error)
        raise
    raise_error = getattr(outcome, "raise_error", None)
    if raise_error:
        raise_error()
    return True
