"""What bench/gpu_worker.py measures and CuPy can do as well: prints a JSON object of
row -> [unit, value]."""
import json

import cupy
import numpy as np

from clock import issue_seconds, seconds

wait = cupy.cuda.runtime.deviceSynchronize
a = cupy.asarray(np.random.default_rng(1).random(4_000_000))
n = 1_000_000
x, y, out = cupy.arange(n, dtype=np.float32), cupy.ones(n, np.float32), cupy.empty(n, np.float32)
few = [array[:1000] for array in (x, y, out)]
float(a.sum())
cupy.add(x, y, out=out)
rows = {"reduction of 4e6 float64, on the device": ["s", seconds(lambda: float(a.sum()), wait)],
        "ufunc on 1e6 float32, device, out=":
            ["s", seconds(lambda: cupy.add(x, y, out=out), wait, inner=50)],
        "ufunc on 1e6 float32, device, allocated": ["s", seconds(lambda: x + y, wait, inner=50)],
        "launch with 3 device arrays":
            ["s", issue_seconds(lambda: cupy.add(few[0], few[1], out=few[2]), wait)]}
print(json.dumps(rows))
