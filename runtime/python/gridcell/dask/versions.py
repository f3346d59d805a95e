# SPDX-License-Identifier: MIT
"""Whether the processes of a cluster fit the client: what differs is named before a task fails of it."""
from gridcell.dask.errors import ClusterError


def _release(text):
    return ".".join(str(text).split(".")[:2])


def _complaint(where, theirs, ours):
    """What is wrong with a process whose versions Dask tells, or None."""
    python, own_python = _release(theirs["host"]["python"]), _release(ours["host"]["python"])
    numpy, own_numpy = theirs["packages"].get("numpy"), ours["packages"]["numpy"]
    if python != own_python:
        return f"{where} runs Python {python}, this is {own_python}: functions travel as bytecode, which differs"
    if numpy is None:
        return f"{where} has no NumPy: install {own_numpy} in its environment"
    if numpy.split(".")[0] != own_numpy.split(".")[0]:
        return f"{where} has NumPy {numpy}, this is {own_numpy}: arrays of the one do not load in the other"
    return None


def compare(told):
    """Raises ClusterError for the first process that does not fit, of what Client.get_versions() gives."""
    ours = {"host": dict(told["client"]["host"]), "packages": dict(told["client"]["packages"])}
    processes = {"the scheduler": told["scheduler"]}
    processes.update({f"the worker {address}": versions for address, versions in told["workers"].items()})
    for where, versions in processes.items():
        theirs = {"host": dict(versions["host"]), "packages": dict(versions["packages"])}
        complaint = _complaint(where, theirs, ours)
        if complaint:
            raise ClusterError(f"gridcell.dask: {complaint}")


def own_gridcell():
    """The version of this process's gridcell."""
    from gridcell import _gridcell
    return _gridcell.version


def compare_gridcell(where, version):
    """Raises ClusterError where the client's gridcell is not the one of this process."""
    if version != own_gridcell():
        raise ClusterError(f"gridcell.dask: {where} has gridcell {own_gridcell()}, the client {version}: "
                           "install the same in both environments")


def as_missing(error):
    """The error of a process that could not take one of our plugins, in words about the process."""
    if isinstance(error, ModuleNotFoundError) and str(error.name).split(".")[0] == "gridcell":
        return ClusterError("gridcell.dask: the scheduler or a worker has no gridcell, or one without gridcell.dask "
                            f"({error}): install gridcell {own_gridcell()} in its environment")
    return error
