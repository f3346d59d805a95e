"""Runs notebooks cell by cell with the gridcell kernel, going on after errors, and reports for each
how many code cells did what they should (expectations.py).

usage: run_seeds.py [--kernel NAME] [--timeout SECONDS] [--save FOLDER] [NOTEBOOK or FOLDER...]

Without arguments it takes the folder that GRIDCELL_SEEDS names.
"""
import argparse
import os
import pathlib
import tempfile
import time

import nbclient
import nbformat
from nbclient.exceptions import CellTimeoutError, DeadKernelError

import expectations


def notebooks(paths):
    for path in map(pathlib.Path, paths):
        yield from sorted(path.glob("*.ipynb")) if path.is_dir() else [path]


def execute(notebook, kernel, timeout):
    """Executes what can be executed; returns a fault that ended the run early, or None."""
    with tempfile.TemporaryDirectory() as folder:
        client = nbclient.NotebookClient(notebook, kernel_name=kernel, timeout=timeout,
                                         allow_errors=True, interrupt_on_timeout=True,
                                         resources={"metadata": {"path": folder}})
        try:
            client.execute()
        except (DeadKernelError, CellTimeoutError) as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return None


def cell_results(notebook, ended):
    """Pairs of a code cell's number among all cells and its first fault, None where it passed."""
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        if cell.source.strip() and not cell.get("execution_count"):
            yield index, f"did not run ({ended})"
        else:
            yield index, next(expectations.cell_faults(cell), None)


def report(path, notebook, ended, seconds, verbose):
    results = list(cell_results(notebook, ended))
    faults = [(index, fault) for index, fault in results if fault]
    line = f"{path.stem}: {len(results) - len(faults)} of {len(results)} code cells pass"
    if faults:
        line += f"; first failing: [{faults[0][0]}] {faults[0][1]}"
    print(f"{line} ({seconds:.0f} s)", flush=True)
    if verbose:
        for index, fault in faults:
            source = notebook.cells[index].source.strip().splitlines()
            print(f"    [{index}] {fault}\n        {source[0] if source else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--kernel", default="gridcell")
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--save", type=pathlib.Path, help="folder for the executed notebooks")
    parser.add_argument("--verbose", action="store_true", help="list every failing cell")
    options = parser.parse_args()
    paths = options.paths or [os.environ["GRIDCELL_SEEDS"]]
    for path in notebooks(paths):
        notebook = nbformat.read(path, as_version=4)
        started = time.monotonic()
        ended = execute(notebook, options.kernel, options.timeout)
        report(path, notebook, ended, time.monotonic() - started, options.verbose)
        if options.save:
            options.save.mkdir(parents=True, exist_ok=True)
            nbformat.write(notebook, options.save / path.name)


if __name__ == "__main__":
    main()
