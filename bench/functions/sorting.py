"""Sorting, searching and sieves."""
import numpy as np

from functions import case


def numbers(rng, n):
    return (rng.integers(0, 10 * n, n),)


def partition(a, low, high):
    pivot = a[(low + high) // 2]
    i, j = low - 1, high + 1
    while True:
        i += 1
        while a[i] < pivot:
            i += 1
        j -= 1
        while a[j] > pivot:
            j -= 1
        if i >= j:
            return j
        a[i], a[j] = a[j], a[i]


@case(numbers, 50, 100_000, partition)
def quicksort(values):
    a = values.copy()
    stack = [(0, len(a) - 1)]
    while stack:
        low, high = stack.pop()
        if low < high:
            middle = partition(a, low, high)
            stack.append((low, middle))
            stack.append((middle + 1, high))
    return a


@case(numbers, 30, 2000)
def insertion_sort(values):
    a = values.copy()
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a


@case(numbers, 50, 100_000)
def library_sort(values):
    return np.sort(values)[::-1]


@case(lambda rng, n: (np.sort(rng.uniform(0, 1, n)), rng.uniform(0, 1, n)), 50, 50_000)
def binary_searches(ordered, wanted):
    total = 0
    for value in wanted:
        low, high = 0, len(ordered)
        while low < high:
            middle = (low + high) // 2
            if ordered[middle] < value:
                low = middle + 1
            else:
                high = middle
        total += low
    return total


@case(lambda rng, n: (n,), 100, 300_000)
def prime_sieve(n):
    is_prime = np.ones(n + 1, np.bool_)
    is_prime[:2] = False
    for i in range(2, int(n ** 0.5) + 1):
        if is_prime[i]:
            for j in range(i * i, n + 1, i):
                is_prime[j] = False
    return is_prime.sum()


@case(lambda rng, n: (rng.integers(1, 50, n), rng.integers(1, 100, n), 10 * n), 8, 300)
def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, np.int64)
    for i in range(len(weights)):
        for room in range(capacity, weights[i] - 1, -1):
            best[room] = max(best[room], best[room - weights[i]] + values[i])
    return best[capacity]


@case(lambda rng, n: (rng.integers(0, 4, n), rng.integers(0, 4, n)), 12, 700)
def edit_distance(a, b):
    row = np.arange(len(b) + 1)
    for i in range(len(a)):
        previous = row[0]
        row[0] = i + 1
        for j in range(len(b)):
            kept = row[j + 1]
            row[j + 1] = min(row[j + 1] + 1, row[j] + 1, previous + (a[i] != b[j]))
            previous = kept
    return row[-1]
