"""A Dask cluster from cells: what tasks print and raise, %%on_cluster, interrupts."""
import importlib.util

import pytest

pytestmark = [pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="needs distributed"),
              pytest.mark.timeout(180)]

START = """
import gridcell.dask
from distributed import Client, LocalCluster, progress
from numba import njit
cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None)
client = Client(cluster)
"""


def test_cluster_of_a_notebook(cells):
    cells.ok(START, timeout=120)
    printed = cells.text("""
@njit
def loud(x):
    print("compiled", x)
    return 10 // x
client.submit(loud, 5).result()""")
    assert "[worker 0] compiled 5\n" in printed and printed.count("compiled 5") == 1
    trace = cells.traceback("client.submit(loud, 0).result()")
    assert "ZeroDivisionError" in trace and "on the Dask worker 0 (tcp://" in trace

    cells.ok("scale = 3\nheld = open('/dev/null', 'w')")
    outcome = cells.ok("%%on_cluster\nfrom numba import njit\n@njit\ndef times(x):\n    return scale * x\n"
                       "print('there', times(2))\nlocal = times(4)\nlocal + 1")
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "13"
    assert "[worker 0] there 6" in outcome.text()
    assert cells.result("local, times(5)") == "(12, 15)"
    assert cells.result("%%on_cluster -a\nscale") == "{0: 3}"
    cells.ok("%%on_cluster -k\nkept = list(range(scale))")
    assert cells.result("kept.result()") == "[0, 1, 2]"
    assert "held could not be taken along" in cells.traceback("%%on_cluster\nheld.write('x')")
    assert "no worker '7'; the workers are 0" in cells.usage_error("%%on_cluster -w 7\n1")
    assert "does not know '-x'" in cells.usage_error("%%on_cluster -x\n1")

    shown = cells.ok("futures = client.map(lambda x: x + 1, range(10))\nprogress(futures, notebook=False)\n"
                     "client.gather(futures)[-1]")
    assert "10" in shown.contents("execute_result")[0]["data"]["text/plain"]

    kernel = cells.kernel
    msg_id = kernel.client.execute("import time\nslow = client.map(time.sleep, [0.5] * 200, pure=False)\nprint('go')\n"
                                   "client.gather(slow)")
    kernel.wait_for_text("go")
    kernel.manager.interrupt_kernel()
    assert kernel.receive_reply(msg_id)["content"]["ename"] == "KeyboardInterrupt"
    assert any("tasks of the cluster" in m["content"].get("text", "") for m in kernel.receive_until_idle(msg_id))
    assert cells.result("[future.status for future in slow].count('cancelled') > 150") == "True"
    assert cells.result("client.submit(loud, 5).result()") == "2"
    cells.ok("client.close(); cluster.close()", timeout=60)
    assert "make a client first" in cells.usage_error("%%on_cluster\n1")
