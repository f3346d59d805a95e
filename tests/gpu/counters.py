"""The kernels of docs/insight.md on a GPU: what cuda.xray counts there beside the figures on paper, and beside the
hardware's own counters where Nsight Compute is there and may read them.

usage: counters.py [--ncu]; exits with 1 where a count of cuda.xray is not that on paper. `--launch` is for itself: the
kernels as they are, one launch each.
"""
import csv
import io
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cuda"))

OPS = ("ld", "st", "red", "atom")
METRICS = {
    "requests": [f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum" for op in OPS],
    "sectors": [f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum" for op in OPS],
    "wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"],
    "conflicts": ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"],
    "lanes": ["smsp__thread_inst_executed_per_inst_executed.ratio"],
    "dram_bytes": ["dram__bytes.sum"],
}


def counted(result):
    """By the names of METRICS, what cuda.xray says."""
    total = result.total
    return dict(requests=total["global_requests"], sectors=total["global_sectors"], wavefronts=total["shared_wavefronts"],
                conflicts=total["shared_conflicts"], lanes=total["instructions"] / total["warp_instructions"], dram_bytes=total["dram_bytes"])


def launch_all():
    """Each kernel once, in order, as a program launches it."""
    from common import cuda
    cuda.xray = lambda kernel, grid, block, *args: kernel[grid, block](*args)
    import insight
    for _, _, _, run in insight.CASES:
        run()
        cuda.synchronize()


def read(text):
    """[{name of METRICS: number}, ...] by launch, of the CSV that ncu prints behind what the program does."""
    lines = text[text.index('"ID"'):].splitlines()
    launches = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        number = float(row["Metric Value"].replace(",", ""))
        scale = {"Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}.get(row["Metric Unit"], 1)
        launches.setdefault(int(row["ID"]), {})[row["Metric Name"]] = number * scale
    return [{name: sum(found.get(metric, 0) for metric in metrics) for name, metrics in METRICS.items()}
            for _, found in sorted(launches.items())]


def by_hardware():
    """What the hardware counts, by launch; None where nobody may ask it."""
    tool = shutil.which("ncu") or shutil.which("ncu", path="/usr/local/cuda/bin")
    if tool is None:
        print("there is no ncu here")
        return None
    done = subprocess.run([tool, "--clock-control", "none", "--csv", "--print-units", "base", "--metrics",
                           ",".join(metric for metrics in METRICS.values() for metric in metrics),
                           sys.executable, __file__, "--launch"], capture_output=True, text=True)
    if '"ID"' not in done.stdout:
        print("ncu told nothing:", done.stdout[-600:], done.stderr[-600:])
        return None
    return read(done.stdout)


def main():
    import insight
    results = [(name, paper, run()) for name, _, paper, run in insight.CASES]
    hardware = by_hardware() if "--ncu" in sys.argv else None
    failures = 0
    for number, (name, paper, result) in enumerate(results):
        found = insight.figures(result)
        failures += found != paper
        print(f"{name}: {'as on paper' if found == paper else f'{found} on the GPU, {paper} on paper'}")
        if hardware and number < len(hardware):
            own = counted(result)
            print("   ", ", ".join(f"{key} {own[key]:.6g} / {hardware[number][key]:.6g}" for key in METRICS))
    print(f"{len(results) - failures} of {len(results)} as on paper; with ncu: cuda.xray / ncu"
          f"{'' if hardware is None or len(hardware) == len(results) else f' ({len(hardware)} launches)'}")
    return failures > 0


if "--launch" in sys.argv:
    launch_all()
elif __name__ == "__main__":
    sys.exit(main())
