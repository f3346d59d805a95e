"""What a cluster cannot do is said by name: what, where, and what to do."""
import copy
import pickle
import threading

import numpy as np
import pytest
from distributed.versions import get_versions

from gridcell.dask import cells, versions
from gridcell.dask.errors import ClusterError
from numba import cuda, njit


def test_prints_and_exceptions_have_the_name(client, capsys):
    @njit
    def loud(x):
        print("compiled", x)
        if x > 2:
            raise ValueError("too large")
        return x

    def plain(x):
        print("plain", x, end="")
        print(" end")
        return loud(x)

    addresses = {told["name"]: address for address, told in client.scheduler_info()["workers"].items()}
    assert client.submit(plain, 1, workers=addresses[1]).result() == 1
    assert capsys.readouterr().out == "[worker 1] plain 1 end\n[worker 1] compiled 1\n"
    with pytest.raises(ValueError, match="too large") as caught:
        client.submit(loud, 3, workers=addresses[0]).result()
    assert any(note.startswith("on the Dask worker 0 (tcp://") for note in caught.value.__notes__)


def fake_cluster(**changes):
    told = {"client": get_versions(packages=["numpy"])}
    told["scheduler"], worker = copy.deepcopy(told["client"]), copy.deepcopy(told["client"])
    for name, value in changes.items():
        worker["host" if name == "python" else "packages"][name] = value
    return {**told, "workers": {"tcp://far:1": worker}}


@pytest.mark.parametrize("changes, message", [
    ({"python": "3.9.1.final.0"}, r"worker tcp://far:1 runs Python 3\.9, this is 3\.\d+"),
    ({"numpy": "0.9"}, r"worker tcp://far:1 has NumPy 0\.9, this is \d"),
    ({"numpy": None}, "worker tcp://far:1 has no NumPy")])
def test_other_versions_are_named(changes, message):
    versions.compare(fake_cluster())
    with pytest.raises(ClusterError, match=message):
        versions.compare(fake_cluster(**changes))


def test_another_gridcell_is_named(client):
    versions.compare_gridcell("here", versions.own_gridcell())
    with pytest.raises(ClusterError, match=r"the worker 3 has gridcell .*, the client 0\.0: install the same"):
        versions.compare_gridcell("the worker 3", "0.0")
    missing = versions.as_missing(ModuleNotFoundError("No module named 'gridcell'", name="gridcell"))
    assert isinstance(missing, ClusterError) and "no gridcell" in str(missing)
    other = ModuleNotFoundError("No module named 'else'", name="else")
    assert versions.as_missing(other) is other


@pytest.mark.parametrize("make", [lambda: open(__file__, "rb"), lambda: cuda.to_device(np.ones(2)), threading.Lock])
def test_what_cannot_travel_is_named(client, make):
    held = make()

    @njit
    def uses(x):
        return x + held

    with pytest.raises(pickle.PicklingError, match=r"uses\(\) uses held, a .* that cannot be taken to another process"):
        pickle.dumps(uses)
    with pytest.raises(Exception, match="uses held, a "):
        client.submit(uses, 1).result()


def test_attributes_are_no_variables(client):
    """A global that is only called like an attribute is not looked at."""
    namespace = {"njit": njit, "real": open(__file__)}
    exec("def f(x): return x.real", namespace)
    f = njit(namespace["f"])
    assert f(1j) == 0
    assert pickle.loads(pickle.dumps(f)).py_func(2 + 1j) == 2


def test_cells(client):
    value, assigned = cells.run("import math\ny = math.sqrt(x)\ndef f(): return y\ny + 1", {"x": 4.0}, ["y", "f", "z"])
    assert value == 3.0 and assigned["y"] == 2.0 and assigned["f"]() == 2.0 and set(assigned) == {"y", "f"}
    value, kept = cells.run("y = list(range(3))\nlen(y)", {}, ["y"], stays=True)
    assert value == 3 and kept["y"].result() == [0, 1, 2]
    names = {told["name"] for told in client.scheduler_info()["workers"].values()}
    values, _ = cells.run("from distributed import get_worker\nget_worker().name", {}, [], is_all=True)
    assert set(values) == names == set(values.values())


def test_cells_that_cannot_run(client):
    with pytest.raises(ClusterError, match="no worker 'nobody'; the workers are "):
        cells.run("1", {}, [], worker="nobody")
    workers = {"a": {"memory_limit": 1 << 20}, "b": {"memory_limit": 3 << 20}}
    cells.check_room({"x": bytes(2 << 20)}, workers)
    with pytest.raises(ClusterError, match=r"takes 6 MiB along \(x alone is 4 MiB\), a worker may hold 3 MiB: cut"):
        cells.check_room({"y": bytes(2 << 20), "x": bytes(4 << 20)}, workers)


def test_a_variable_that_stays(client):
    with open(__file__, "rb") as held, pytest.raises(NameError, match="held") as caught:
        cells.run("held.read()", {"held": held}, [])
    assert any("could not be taken along" in note for note in caught.value.__notes__)


def test_no_cluster(monkeypatch):
    import distributed

    def none():
        raise ValueError("no clients found")

    monkeypatch.setattr(distributed, "default_client", none)
    with pytest.raises(ClusterError, match="there is no cluster"):
        cells.current_client()

    class Gone:
        status = "closed"
        scheduler = None

    monkeypatch.setattr(distributed, "default_client", Gone)
    with pytest.raises(ClusterError, match="is gone .its client is closed.: make a new client"):
        cells.current_client()
