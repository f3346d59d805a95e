"""Text and bytes: loops with short-circuit conditions, tables, edit distances."""
import zlib

import numpy as np
from numba import cuda, int32, uint8, uint32

from gpu_kernels import case, line

BLANK, NEWLINE, ZERO, NINE = 32, 10, 48, 57


def texts(rng, n):
    letters = np.frombuffer(b"abcdef  \n", np.uint8)
    return letters[rng.integers(0, letters.size, 64 * n)], np.zeros(n, np.int32)


def word_counts(text, out):
    before = np.concatenate([[NEWLINE], text[:-1]])
    is_blank, was_blank = ((a == BLANK) | (a == NEWLINE) for a in (text, before))
    return ((~is_blank & was_blank).reshape(-1, 64).sum(1),)


def counted(*arguments):
    return *arguments, np.int32(arguments[-1].size)


@case(make=texts, launch=line(128), expected=word_counts, native=counted, large=1 << 18, small=90)
def count_words(text, out):
    i = cuda.grid(1)
    if i < out.size:
        words = 0
        for k in range(i * 64, (i + 1) * 64):
            if (text[k] != BLANK and text[k] != NEWLINE
                    and (k == 0 or text[k - 1] == BLANK or text[k - 1] == NEWLINE)):
                words += 1
        out[i] = words


def haystack(rng, n):
    pattern = np.array([97, 98, 97, 97, 98], np.uint8)
    return pattern, rng.integers(97, 99, n, np.uint8), np.zeros(n, np.uint8)


def found_at(pattern, text, out):
    found = np.zeros_like(out)
    windows = np.lib.stride_tricks.sliding_window_view(text, pattern.size)
    found[:windows.shape[0]] = (windows == pattern).all(1)
    return (found,)


@case(make=haystack, launch=line(256), expected=found_at, large=1 << 24, small=700,
      native=lambda pattern, text, out: (pattern, text, out, np.int32(pattern.size), np.int32(text.size)))
def find_pattern(pattern, text, out):
    i = cuda.grid(1)
    if i < text.size:
        k = 0
        while k < pattern.size and i + k < text.size and text[i + k] == pattern[k]:
            k += 1
        out[i] = 1 if k == pattern.size else 0


CRC_TABLE = np.zeros(256, np.uint32)
for number in range(256):
    value = number
    for _ in range(8):
        value = value >> 1 ^ (0xedb88320 if value & 1 else 0)
    CRC_TABLE[number] = value


def messages(rng, n):
    return rng.integers(0, 256, (n, 128), np.uint8), CRC_TABLE.copy(), np.zeros(n, np.uint32)


@case(make=messages, launch=line(128), native=counted, large=1 << 16, small=60,
      expected=lambda rows, table, out: (np.array([zlib.crc32(row.tobytes()) for row in rows], np.uint32),))
def crc_of_rows(rows, table, out):
    i = cuda.grid(1)
    if i < rows.shape[0]:
        crc = uint32(0xffffffff)
        for j in range(rows.shape[1]):
            crc = table[(crc ^ rows[i, j]) & 255] ^ (crc >> uint32(8))
        out[i] = crc ^ uint32(0xffffffff)


def cipher_blocks(rng, n):
    return rng.permutation(256).astype(np.uint8), rng.integers(0, 256, 16, np.uint8), \
        rng.integers(0, 256, (n, 16), np.uint8), np.zeros((n, 16), np.uint8)


def doubled(a):
    return ((a << 1) ^ np.where(a & 128, 0x1b, 0)) & 255


def one_round(box, key, blocks, out):
    shifted = box[blocks][:, [(4 * ((k // 4 + k % 4) % 4)) + k % 4 for k in range(16)]].astype(np.int64)
    columns = shifted.reshape(-1, 4, 4)
    following = np.roll(columns, -1, 2)
    all_four = columns[..., 0] ^ columns[..., 1] ^ columns[..., 2] ^ columns[..., 3]
    mixed = columns ^ all_four[..., None] ^ doubled(columns ^ following)
    return (mixed.reshape(-1, 16) ^ key,)


@case(make=cipher_blocks, launch=line(128), expected=one_round, large=1 << 19, small=60,
      native=lambda *a: (*a, np.int32(a[2].shape[0])))
def cipher_round(box, key, blocks, out):
    i = cuda.grid(1)
    if i >= blocks.shape[0]:
        return
    state = cuda.local.array(16, uint8)
    for column in range(4):
        for row in range(4):
            state[4 * column + row] = box[blocks[i, 4 * ((column + row) % 4) + row]]
    for column in range(4):
        every = 0
        for row in range(4):
            every ^= state[4 * column + row]
        for row in range(4):
            both = int32(state[4 * column + row]) ^ int32(state[4 * column + (row + 1) % 4])
            twice = both << 1
            if both & 128:
                twice ^= 0x1b
            out[i, 4 * column + row] = state[4 * column + row] ^ every ^ (twice & 255) ^ key[4 * column + row]


WORD = 24
COSTS = WORD + 1


def word_pairs(rng, n):
    return rng.integers(97, 101, (n, WORD), np.uint8), rng.integers(97, 101, (n, WORD), np.uint8), \
        np.zeros(n, np.int32)


def distances(a, b, out):
    before = np.tile(np.arange(WORD + 1), (a.shape[0], 1))
    for i in range(WORD):
        now = np.full_like(before, i + 1)
        for j in range(WORD):
            change = before[:, j] + (a[:, i] != b[:, j])
            now[:, j + 1] = np.minimum(np.minimum(before[:, j + 1], now[:, j]) + 1, change)
        before = now
    return (before[:, -1],)


@case(make=word_pairs, launch=line(128), expected=distances, native=counted, large=1 << 17, small=80)
def levenshtein(a, b, out):
    pair = cuda.grid(1)
    if pair < out.size:
        costs = cuda.local.array(COSTS, int32)
        for j in range(WORD + 1):
            costs[j] = j
        for i in range(WORD):
            corner = costs[0]
            costs[0] = i + 1
            for j in range(WORD):
                change = corner if a[pair, i] == b[pair, j] else corner + 1
                corner = costs[j + 1]
                costs[j + 1] = min(min(corner, costs[j]) + 1, change)
        out[pair] = costs[WORD]


def sequences(rng, n):
    return n, rng.integers(0, 4, n, np.uint8), rng.integers(0, 4, n, np.uint8), \
        rng.integers(0, 20, n + 1, np.int32), rng.integers(0, 20, n + 1, np.int32), np.zeros(n + 1, np.int32)


def next_diagonal(d, a, b, older, old, new):
    new, i = new.copy(), np.arange(1, d)
    j = d - i
    match = older[i - 1] + np.where(a[i - 1] == b[j - 1], 3, -2)
    new[i] = np.maximum(np.maximum(match, 0), np.maximum(old[i - 1], old[i]) - 1)
    return (new,)


@case(make=sequences, launch=line(256), expected=next_diagonal, large=1 << 21, small=300,
      native=lambda d, *a: (np.int32(d), *a))
def smith_waterman_diagonal(d, a, b, older, old, new):
    i = cuda.grid(1) + 1
    if i < d:
        j = d - i
        score = older[i - 1] + (3 if a[i - 1] == b[j - 1] else -2)
        score = max(score, old[i - 1] - 1, old[i] - 1, 0)
        new[i] = score


def lines_of_numbers(rng, n):
    rows = [b"%d," % number for number in rng.integers(-10**6, 10**6, n)]
    starts = np.zeros(n, np.int32)
    starts[1:] = np.cumsum([len(row) for row in rows])[:-1]
    return np.frombuffer(b"".join(rows), np.uint8).copy(), starts, np.zeros(n, np.int64)


@case(make=lines_of_numbers, launch=line(256), large=1 << 20, small=200,
      native=lambda text, starts, out: (text, starts, out, np.int32(out.size), np.int32(text.size)),
      expected=lambda text, starts, out: (np.array([int(t) for t in text.tobytes().split(b",")[:-1]]),))
def parse_numbers(text, starts, out):
    i = cuda.grid(1)
    if i < out.size:
        k = starts[i]
        is_negative = text[k] == 45
        if is_negative:
            k += 1
        value = 0
        while k < text.size and text[k] >= ZERO and text[k] <= NINE:
            value = value * 10 + (text[k] - ZERO)
            k += 1
        out[i] = -value if is_negative else value
