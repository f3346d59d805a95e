"""Graphs and searches in the manner of Rodinia."""
import heapq

import numpy as np
from numba import prange

from programs import PARALLEL, SERIAL, program

BOTH = (SERIAL, PARALLEL)


def sparse(rng, n):
    """Edges of a random graph as rows that begin at `starts`; everything can be reached from 0."""
    targets = [sorted({(i + 1) % n, *rng.integers(0, n, 5).tolist()}) for i in range(n)]
    starts = np.cumsum([0, *map(len, targets)])
    return starts, np.array([t for row in targets for t in row]), rng.uniform(0.1, 1.0, starts[-1])


@program(lambda rng, n: sparse(rng, n)[:2], 20, 20_000, "loops")
def breadth_first(starts, targets):
    n = len(starts) - 1
    distance = np.full(n, -1)
    queue = np.empty(n, np.int64)
    queue[0], distance[0] = 0, 0
    head, tail = 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        for e in range(starts[node], starts[node + 1]):
            other = targets[e]
            if distance[other] < 0:
                distance[other] = distance[node] + 1
                queue[tail] = other
                tail += 1
    return distance


@program(sparse, 20, 8000, "mixed")
def dijkstra(starts, targets, lengths):
    n = len(starts) - 1
    distance = np.full(n, np.inf)
    distance[0] = 0.0
    heap = [(0.0, 0)]
    while len(heap) > 0:
        far, node = heapq.heappop(heap)
        if far > distance[node]:
            continue
        for e in range(starts[node], starts[node + 1]):
            reached = far + lengths[e]
            if reached < distance[targets[e]]:
                distance[targets[e]] = reached
                heapq.heappush(heap, (reached, targets[e]))
    return distance


@program(lambda rng, n: (*sparse(rng, n)[:2], 10), 20, 20_000, "loops", modes=BOTH)
def page_rank(starts, targets, rounds):
    n = len(starts) - 1
    rank = np.full(n, 1.0 / n)
    for _ in range(rounds):
        share = rank / (starts[1:] - starts[:-1])
        following = np.full(n, 0.15 / n)
        for node in prange(n):
            total = 0.0
            for e in range(starts[node], starts[node + 1]):
                total += share[targets[e]]
            following[node] += 0.85 * total
        rank = following
    return rank


def root_of(parents, x):
    while parents[x] != x:
        parents[x] = parents[parents[x]]
        x = parents[x]
    return x


@program(lambda rng, n: (n, rng.integers(0, n, (2 * n, 2)), rng.uniform(0, 1, 2 * n)), 20, 20_000, "mixed", root_of)
def kruskal(n, edges, lengths):
    parents = np.arange(n)
    total, count = 0.0, 0
    for e in np.argsort(lengths):
        a, b = root_of(parents, edges[e, 0]), root_of(parents, edges[e, 1])
        if a != b:
            parents[a] = b
            total += lengths[e]
            count += 1
    return total, count


@program(lambda rng, n: (rng.integers(0, 10, (n, n)),), 8, 400, "arrays", modes=BOTH)
def path_finder(wall):
    best = wall[0].copy()
    for i in range(1, len(wall)):
        least = best.copy()
        least[1:] = np.minimum(least[1:], best[:-1])
        least[:-1] = np.minimum(least[:-1], best[1:])
        best = wall[i] + least
    return best


@program(lambda rng, n: (rng.integers(0, 4, n), rng.integers(0, 4, n)), 20, 500, "loops")
def needleman_wunsch(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    for i in range(1, len(a) + 1):
        table[i, 0] = -2 * i
    for j in range(1, len(b) + 1):
        table[0, j] = -2 * j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            score = 3 if a[i - 1] == b[j - 1] else -1
            table[i, j] = max(table[i - 1, j - 1] + score, table[i - 1, j] - 2, table[i, j - 1] - 2)
    return table


@program(lambda rng, n: sparse(rng, n)[:2], 20, 5000, "mixed")
def colours_by_sets(starts, targets):
    n = len(starts) - 1
    colours = np.full(n, -1)
    for node in range(n):
        taken = set()
        for e in range(starts[node], starts[node + 1]):
            if colours[targets[e]] >= 0:
                taken.add(colours[targets[e]])
        colour = 0
        while colour in taken:
            colour += 1
        colours[node] = colour
    return colours, len(set(colours))


@program(lambda rng, n: (rng.integers(0, n, (3 * n, 2)),), 20, 3000, "mixed")
def components_by_lists(edges):
    n = len(edges) // 3
    neighbours = [[0] for _ in range(n)]
    for k in range(len(edges)):
        neighbours[edges[k, 0]].append(edges[k, 1])
        neighbours[edges[k, 1]].append(edges[k, 0])
    seen = np.zeros(n, np.bool_)
    sizes = [0]
    for start in range(n):
        if seen[start]:
            continue
        stack, size = [start], 0
        seen[start] = True
        while stack:
            node = stack.pop()
            size += 1
            for k in range(1, len(neighbours[node])):
                other = neighbours[node][k]
                if not seen[other]:
                    seen[other] = True
                    stack.append(other)
        sizes.append(size)
    return sizes


@program(lambda rng, n: (rng.uniform(0, 1, (n, n)) < 0.7,), 10, 150, "mixed")
def flood_and_count(open_places):
    rows, columns = open_places.shape
    labels = np.zeros((rows, columns), np.int64)
    count = 0
    for i, j in np.ndindex(rows, columns):
        if open_places[i, j] and labels[i, j] == 0:
            count += 1
            stack = [(i, j)]
            labels[i, j] = count
            while len(stack) > 0:
                y, x = stack.pop()
                for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    a, b = y + dy, x + dx
                    if 0 <= a < rows and 0 <= b < columns and open_places[a, b] and labels[a, b] == 0:
                        labels[a, b] = count
                        stack.append((a, b))
    return count, labels


@program(lambda rng, n: (rng.uniform(0, 1, (n, 4)), rng.uniform(0, 1, (50, 4)), 5), 60, 3000, "arrays", modes=BOTH)
def nearest_neighbours(points, queries, k):
    found = np.empty((len(queries), k), np.int64)
    for q in range(len(queries)):
        distance = np.sqrt(((points - queries[q]) ** 2).sum(axis=1))
        found[q] = np.argsort(distance)[:k]
    return found
