# SPDX-License-Identifier: MIT
"""A cell as a task: what %%on_cluster sends, and what comes back."""
import ast
import hashlib

from gridcell.dask.errors import ClusterError


def current_client():
    """The client that tasks go to; ClusterError where there is none, or its cluster is gone."""
    from distributed import default_client
    try:
        client = default_client()
    except ValueError:
        raise ClusterError("there is no cluster: make a client first, client = distributed.Client(...)") from None
    if client.status != "running":
        address = getattr(client.scheduler, "address", "the scheduler")
        raise ClusterError(f"the cluster at {address} is gone (its client is {client.status}): make a new client")
    return client


def _find_worker(workers, name):
    for address, told in workers.items():
        if name in (str(told["name"]), address):
            return address
    names = ", ".join(sorted(str(told["name"]) for told in workers.values()))
    raise ClusterError(f"there is no worker {name!r}; the workers are {names or 'none'}")


def _packed(given):
    """name -> bytes of what can travel; the others, with why they cannot."""
    import cloudpickle
    packed, staying = {}, {}
    for name, value in given.items():
        try:
            packed[name] = cloudpickle.dumps(value)
        except Exception as error:
            staying[name] = f"{type(value).__module__}.{type(value).__qualname__}: {error}"
    return packed, staying


def check_room(packed, workers):
    """Raises ClusterError where what the cell takes along is more than any of the workers may hold."""
    limits = [told["memory_limit"] for told in workers.values()]
    size = sum(map(len, packed.values()))
    if not limits or not all(limits) or size < max(limits):
        return
    largest = max(packed, key=lambda name: len(packed[name]))
    raise ClusterError(f"the cell takes {size >> 20} MiB along ({largest} alone is {len(packed[largest]) >> 20} MiB), "
                       f"a worker may hold {max(limits) >> 20} MiB: cut the data into blocks, as dask.array does, or "
                       "make it on the worker")


def _run_here(code, file, packed, assigned, staying):
    """On the worker: (the value of the last expression, what was assigned)."""
    import linecache
    import cloudpickle
    linecache.cache[file] = len(code), None, code.splitlines(True), file
    namespace = {"__name__": "__main__", **{name: cloudpickle.loads(content) for name, content in packed.items()}}
    tree = ast.parse(code, file)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    try:
        exec(compile(tree, file, "exec"), namespace)
        value = eval(compile(ast.Expression(last.value), file, "eval"), namespace) if last else None
    except NameError as error:
        if error.name in staying:
            error.add_note(f"{error.name} could not be taken along: {staying[error.name]}")
        raise
    return value, {name: namespace[name] for name in assigned if name in namespace}


def run(code, given, assigned, is_all=False, worker=None, stays=False):
    """Runs a cell on a worker: (its value, a dict of what it assigned)."""
    client = current_client()
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers:
        raise ClusterError(f"the cluster at {client.scheduler.address} has no workers")
    packed, staying = _packed(given)
    places = [_find_worker(workers, worker)] if worker else list(workers)
    check_room(packed, {place: workers[place] for place in places})
    file = f"<cell {hashlib.sha1(code.encode()).hexdigest()[:12]} on the cluster>"
    arguments = code, file, packed, assigned, staying
    futures = [client.submit(_run_here, *arguments, workers=[place], pure=False) for place in places] if is_all else \
        [client.submit(_run_here, *arguments, workers=places if worker else None, pure=False)]
    try:
        if is_all:
            values = client.gather(futures)
            return {workers[place]["name"]: value for place, (value, _) in zip(places, values)}, {}
        if stays:
            return _kept(client, futures[0], assigned)
        return futures[0].result()
    except KeyboardInterrupt:
        client.cancel(futures)
        raise


def _value_of(result):
    return result[0]


def _one_of(result, name):
    return result[1][name]


def _kept(client, future, assigned):
    from distributed import wait
    names = client.submit(lambda result: sorted(result[1]), future, pure=False).result()
    kept = {name: client.submit(_one_of, future, name, pure=False) for name in assigned if name in names}
    wait(list(kept.values()))
    return client.submit(_value_of, future, pure=False).result(), kept
