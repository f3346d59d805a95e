"""Loops over numbers."""
import math

from functions import case


@case(lambda rng, n: (n,), 1000, 1_000_000)
def sum_of_multiples(n):
    total = 0
    for i in range(n):
        if i % 3 == 0 or i % 5 == 0:
            total += i
    return total


@case(lambda rng, n: (n,), 10, 27)
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@case(lambda rng, n: (n,), 50, 3000)
def collatz_longest(n):
    best = 0
    for start in range(1, n):
        steps, value = 0, start
        while value != 1:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            steps += 1
        if steps > best:
            best = steps
    return best


@case(lambda rng, n: (n,), 50, 2000)
def greatest_common_divisors(n):
    total = 0
    for i in range(1, n):
        a, b = n, i
        while b:
            a, b = b, a % b
        total += a
    return total


@case(lambda rng, n: (n,), 100, 1_000_000)
def leibniz_pi(n):
    total = 0.0
    sign = 1.0
    for k in range(n):
        total += sign / (2 * k + 1)
        sign = -sign
    return 4 * total


@case(lambda rng, n: (n, 0.0, math.pi), 100, 1_000_000)
def simpson(n, low, high):
    step = (high - low) / n
    total = math.sin(low) + math.sin(high)
    for i in range(1, n):
        total += (4 if i % 2 else 2) * math.sin(low + i * step)
    return total * step / 3


@case(lambda rng, n: (2.0, n), 5, 100_000)
def newton_root(value, repeats):
    total = 0.0
    for i in range(repeats):
        guess = value + i
        for _ in range(20):
            better = 0.5 * (guess + (value + i) / guess)
            if abs(better - guess) < 1e-12:
                break
            guess = better
        total += guess
    return total


@case(lambda rng, n: (12345, n), 100, 1_000_000)
def linear_congruential(seed, n):
    state = seed
    inside = 0
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2147483648
        x = state / 2147483648.0
        state = (1103515245 * state + 12345) % 2147483648
        y = state / 2147483648.0
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / n


def cumulative_normal(x):
    return 0.5 * math.erfc(-x * math.sqrt(0.5))


@case(lambda rng, n: (rng.uniform(50, 150, n), rng.uniform(50, 150, n), rng.uniform(0.1, 3, n)),
      100, 100_000, cumulative_normal)
def black_scholes(prices, strikes, years):
    rate, volatility, total = 0.02, 0.3, 0.0
    for i in range(len(prices)):
        root = volatility * math.sqrt(years[i])
        d1 = (math.log(prices[i] / strikes[i]) + (rate + 0.5 * volatility ** 2) * years[i]) / root
        discounted = strikes[i] * math.exp(-rate * years[i])
        total += prices[i] * cumulative_normal(d1) - discounted * cumulative_normal(d1 - root)
    return total
