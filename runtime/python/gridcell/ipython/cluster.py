# SPDX-License-Identifier: MIT
"""%%on_cluster: a cell as a task of a Dask cluster."""
import ast
import symtable

from IPython import get_ipython
from IPython.core.error import UsageError

_USE = "%%on_cluster [-a | -w WORKER] [-k]"


def _options(line):
    """(on all workers, name of the worker or None, whether results stay there)"""
    words, is_all, worker, stays = line.split(), False, None, False
    while words:
        word = words.pop(0)
        if word == "-a":
            is_all = True
        elif word == "-k":
            stays = True
        elif word == "-w" and words:
            worker = words.pop(0)
        else:
            raise UsageError(f"%%on_cluster does not know {word!r}; it is {_USE}: -a on every worker, "
                             "-w on the one of this name, -k: what the cell assigns stays there, as futures")
    if is_all and (worker or stays):
        raise UsageError("-a runs the cell on every worker for what it returns: not with -w or -k")
    return is_all, worker, stays


def _names(code):
    """(names that the cell may read from the notebook, names that it assigns)"""
    top = symtable.symtable(code, "<cell>", "exec")
    read, assigned, tables = set(), [], [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if table is top and (symbol.is_assigned() or symbol.is_imported()):
                assigned.append(symbol.get_name())
            if symbol.is_referenced() and (table is top or symbol.is_global()):
                read.add(symbol.get_name())
    return read, assigned


def on_cluster(line, cell):
    """%%on_cluster [-a | -w WORKER] [-k]: runs the cell on a worker of the notebook's Dask cluster.

    It gets copies of the notebook's variables that it names. What it assigns comes back, its last expression is the
    cell's result, and what it prints appears with the worker's name. -w: on the worker of this name; -a: on every
    worker, for a dict of the results; -k: what it assigns stays there, and comes back as futures.
    """
    is_all, worker, stays = _options(line)
    try:
        from gridcell.dask import cells
    except ImportError as error:
        raise UsageError(str(error)) from None
    try:
        ast.parse(cell)
    except SyntaxError as error:
        raise UsageError(f"%%on_cluster takes Python without magics: {error}") from None
    namespace = get_ipython().user_ns
    read, assigned = _names(cell)
    given = {name: namespace[name] for name in sorted(read) if name in namespace}
    try:
        value, values = cells.run(cell, given, assigned, is_all=is_all, worker=worker, stays=stays)
    except cells.ClusterError as error:
        raise UsageError(str(error)) from None
    namespace.update(values)
    return value
