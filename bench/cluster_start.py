"""A program of compiled functions on Dask, from its first line to its first results: prints the seconds until the cluster is
ready, and those from there to the results. With --gridcell it is gridcell's; with --python nothing is compiled."""
import sys
import time

begin = time.perf_counter()
if "--gridcell" in sys.argv:
    import gridcell.dask

import numpy as np
from distributed import Client, LocalCluster

if "--python" in sys.argv:
    def njit(function):
        return function
else:
    from numba import njit


def main():
    @njit
    def smooth(a):
        out = np.empty_like(a)
        for i in range(1, a.size - 1):
            out[i] = (a[i - 1] + a[i] + a[i + 1]) / 3
        return np.sort(out[1:-1])

    @njit
    def total(a):
        result = 0.0
        for x in a:
            if x > 0.5:
                result += np.sqrt(x) * np.sin(x)
        return result

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.wait_for_workers(2)
        ready = time.perf_counter()
        blocks = [np.linspace(0, 1, 1000) + i for i in range(8)]
        client.gather(client.map(lambda block: total(smooth(block)), blocks))
        print(ready - begin, time.perf_counter() - ready)


if __name__ == "__main__":
    main()
