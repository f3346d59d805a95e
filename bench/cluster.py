"""Dask's workers beside one process on the same cores, and beside numba on Dask: the figures of docs/dask.md.

usage: cluster.py [--samples N] [--mib N] [--block-mib N] [--rounds N] [--numba PYTHON]

By a Python that has distributed, with gridcell on PYTHONPATH; PYTHON is one with numba and distributed. Sides alternate, and the
best round of each counts. Processor time is of all processes, so that it tells what Dask adds on a machine that others use, too.
"""
import argparse
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def monte_carlo():
    from numba import njit, prange

    @njit
    def inside(samples, seed):
        np.random.seed(seed)
        count = 0
        for _ in range(samples):
            x, y = np.random.random(), np.random.random()
            count += x * x + y * y < 1
        return count

    @njit(parallel=True)
    def inside_all(blocks, samples):
        count = 0
        for block in prange(blocks):
            count += inside(samples, block)
        return count

    return inside, inside_all


def image_pipeline():
    """A picture by its number, smoothed; how much of an edge each pixel is, in all. Blocks are one picture each."""
    from numba import njit, prange

    @njit
    def picture(side, block_id):
        image = np.empty((side, side), np.float32)
        state = np.uint32(block_id[0] * 2654435761 + 1)
        for i in range(side):
            for j in range(side):
                state = np.uint32(state * np.uint32(1664525) + np.uint32(1013904223))
                image[i, j] = state >> np.uint32(8)
        return image

    @njit
    def smooth(image):
        out = np.zeros_like(image)
        for i in range(1, image.shape[0] - 1):
            for j in range(1, image.shape[1] - 1):
                out[i, j] = (image[i - 1, j] + image[i + 1, j] + image[i, j - 1] + image[i, j + 1] + 4 * image[i, j]) / 8
        return out

    @njit
    def edges(image):
        total = 0.0
        for i in range(1, image.shape[0] - 1):
            for j in range(1, image.shape[1] - 1):
                dx, dy = image[i, j + 1] - image[i, j - 1], image[i + 1, j] - image[i - 1, j]
                total += np.sqrt(dx * dx + dy * dy)
        return np.full((1, 1), total)

    @njit(parallel=True)
    def all_edges(count, side):
        total = 0.0
        for i in prange(count):
            total += edges(smooth(picture(side, (i, 0))))[0, 0]
        return total

    return picture, smooth, edges, all_edges


def on_blocks(count, side, picture, smooth, edges):
    """The same sum, of dask.array: how much of an edge each picture has comes to the client."""
    import dask.array as da
    pictures = da.map_blocks(picture, side, dtype=np.float32, chunks=((side,) * count, (side,)))
    ones = (1,) * count, (1,)
    return pictures.map_blocks(smooth, dtype=np.float32).map_blocks(edges, dtype=float, chunks=ones).compute().sum()


def best_of(rounds, client, size, *sides):
    """For each side: its best wall time, its least processor time, and its result. A round of size 2 before compiles."""
    def processor_time():
        return time.process_time() + sum(client.run(time.process_time).values())

    figures, results = [[] for _ in sides], [None] * len(sides)
    for round_ in range(rounds + 1):
        for number, side in enumerate(sides):
            used, begin = processor_time(), time.perf_counter()
            results[number] = side(size if round_ else 2)
            wall = time.perf_counter() - begin
            if round_:
                figures[number].append((wall, processor_time() - used))
    return [[min(column) for column in zip(*rows)] for rows in figures], results


def compare(name, client, rounds, size, alone, spread):
    (one, two), (have, want) = best_of(rounds, client, size, alone, spread)
    assert np.isclose(have, want, rtol=1e-6), (have, want)
    print(f"{name}: one process {one[0]:.2f} s, two workers {two[0]:.2f} s, speed {one[0] / two[0]:.2f}; processor time "
          f"{one[1]:.2f} s and {two[1]:.2f} s, {one[1] / two[1]:.2f}", flush=True)


def throughput(client, options):
    inside, inside_all = monte_carlo()
    parts = 100
    samples = options.samples // parts
    compare(f"Monte Carlo, {options.samples:.0e} samples", client, options.rounds, parts,
            lambda parts: inside_all(parts, samples),
            lambda parts: sum(client.gather(client.map(inside, [samples] * parts, range(parts), pure=False))))
    *stages, all_edges = image_pipeline()
    for block_mib in options.block_mib:
        side = int((block_mib * 2**20 / 4) ** 0.5)
        compare(f"images, {options.mib} MiB in blocks of {block_mib} MiB", client, options.rounds, options.mib // block_mib,
                lambda count: all_edges(count, side), lambda count: on_blocks(count, side, *stages))


def new_worker(client, cluster):
    """What the first task of a function that others have compiled takes longer than its second on a worker that is new."""
    inside, _ = monte_carlo()
    client.submit(inside, 10, 1).result()
    cluster.scale(3)
    client.wait_for_workers(3)
    newest = max(client.scheduler_info()["workers"].items(), key=lambda item: item[1]["name"])[0]
    time.sleep(2)  # for what it prepares before tasks come

    def first(*arguments):
        times = []
        for _ in range(2):
            begin = time.perf_counter()
            inside(*arguments)
            times.append(time.perf_counter() - begin)
        return 1e3 * (times[0] - times[1])

    print(f"first task on a new worker: {client.submit(first, 10, 1, workers=[newest]).result():.1f} ms of compilation")


def killed_worker(client):
    inside, _ = monte_carlo()
    expected = [inside(1000, seed) for seed in range(1000)]
    futures = client.map(inside, [1000] * 1000, range(1000), pure=False)
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    begin = time.perf_counter()
    assert client.gather(futures) == expected
    print(f"1000 tasks, a worker killed: all right, {time.perf_counter() - begin:.1f} s after it", flush=True)


def start(options):
    """Programs that start a cluster and get a first result, ours and numba's, and each one's Python without a compiler."""
    sides = {"gridcell": (sys.executable, os.environ)}
    if options.numba:
        sides["numba"] = options.numba, {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    programs = {}
    for name, (python, env) in sides.items():
        programs[name] = [python, HERE / "cluster_start.py", *["--gridcell"] * (name == "gridcell")], env
        programs[f"Dask alone by {name}'s Python"] = [python, HERE / "cluster_start.py", "--python"], env
    totals = {}
    for name, (ready, first) in best_starts(programs, options.rounds).items():
        totals[name] = ready + first
        print(f"start, {name}: cluster ready after {ready:.2f} s, first results {first:.2f} s later", flush=True)
    added = {name: totals[name] - totals[f"Dask alone by {name}'s Python"] for name in sides}
    for name in sides:
        print(f"start, {name}: {totals[name]:.2f} s in all, of them {added[name]:.2f} s more than Dask alone")
    if options.numba:
        print(f"start, gridcell's part of numba's: {totals['gridcell'] / totals['numba']:.2f} in all, "
              f"{added['gridcell'] / added['numba']:.2f} of what is added to Dask")


def best_starts(programs, rounds):
    """For each program, run in turn, the least of both its times."""
    figures = {name: [] for name in programs}
    for _ in range(rounds):
        for name, (command, env) in programs.items():
            told = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
            figures[name].append([float(word) for word in told.split()])
    return {name: [min(column) for column in zip(*rows)] for name, rows in figures.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=lambda text: int(float(text)), default=10**9)
    parser.add_argument("--mib", type=int, default=4096)
    parser.add_argument("--block-mib", type=int, nargs="*", default=[64])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--numba")
    options = parser.parse_args()
    import gridcell.dask  # before the client, for it to be ready at once
    from distributed import Client, LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        throughput(client, options)
        new_worker(client, cluster)
        killed_worker(client)
    start(options)


if __name__ == "__main__":
    main()
