"""Lists, dicts, sets and tuples."""
from functions import case


@case(lambda rng, n: (rng.integers(0, 100, n),), 50, 100_000)
def count_by_value(values):
    counts = {}
    for value in values:
        if value in counts:
            counts[value] += 1
        else:
            counts[value] = 1
    total = 0
    for key, count in counts.items():
        total += key * count
    return total


@case(lambda rng, n: (n,), 50, 100_000)
def squares_of_odds(n):
    return sum([i * i for i in range(n) if i % 2])


@case(lambda rng, n: (rng.integers(0, n, n),), 50, 100_000)
def count_distinct(values):
    seen = set()
    for value in values:
        seen.add(value)
    return len(seen)


@case(lambda rng, n: (n,), 50, 100_000)
def breadth_first_depths(n):
    depth = [-1] * n
    depth[0] = 0
    queue = [0]
    head = 0
    while head < len(queue):
        node = queue[head]
        head += 1
        for follower in (2 * node + 1, 2 * node + 2):
            if follower < n and depth[follower] < 0:
                depth[follower] = depth[node] + 1
                queue.append(follower)
    return sum(depth)


@case(lambda rng, n: (n,), 4, 7)
def queens(n):
    columns = [0] * n
    row = found = 0
    columns[0] = -1
    while row >= 0:
        columns[row] += 1
        if columns[row] == n:
            row -= 1
            continue
        is_free = True
        for above in range(row):
            difference = columns[row] - columns[above]
            if difference == 0 or abs(difference) == row - above:
                is_free = False
                break
        if is_free:
            if row == n - 1:
                found += 1
            else:
                row += 1
                columns[row] = -1
    return found
