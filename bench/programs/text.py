"""Strings and bytes."""
import numpy as np

from programs import program

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def words(rng, n):
    return " ".join("".join(rng.choice(list(LETTERS[:9]), rng.integers(1, 6))) for _ in range(n))


def bases(rng, n):
    return "".join(rng.choice(list("ACGT"), n))


@program(lambda rng, n: (words(rng, n),), 30, 3000, "mixed")
def word_frequencies(text):
    counts = {}
    for word in text.split(" "):
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    best, most = "", 0
    for word, count in counts.items():
        if count > most or (count == most and word < best):
            best, most = word, count
    return best, most, len(counts)


@program(lambda rng, n: (bases(rng, n), 4), 50, 5000, "mixed")
def k_mers(sequence, k):
    counts = {}
    for i in range(len(sequence) - k + 1):
        part = sequence[i:i + k]
        if part in counts:
            counts[part] += 1
        else:
            counts[part] = 1
    return counts


@program(lambda rng, n: (bases(rng, n),), 30, 10_000, "loops")
def reverse_complement(sequence):
    out = []
    for i in range(len(sequence) - 1, -1, -1):
        letter = sequence[i]
        if letter == "A":
            out.append("T")
        elif letter == "T":
            out.append("A")
        elif letter == "C":
            out.append("G")
        else:
            out.append("C")
    return "".join(out)


@program(lambda rng, n: (words(rng, n), words(rng, n)), 4, 80, "loops")
def levenshtein(a, b):
    before = np.arange(len(b) + 1)
    for i in range(len(a)):
        row = np.empty(len(b) + 1, np.int64)
        row[0] = i + 1
        for j in range(len(b)):
            row[j + 1] = min(before[j + 1] + 1, row[j] + 1, before[j] + (a[i] != b[j]))
        before = row
    return before[-1]


@program(lambda rng, n: ("".join("ab"[b] * r for b, r in zip(rng.integers(0, 2, n), rng.integers(1, 20, n))),), 10, 500,
         "mixed")
def run_lengths(text):
    out = ""
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        out += str(j - i) + text[i]
        i = j
    return out


@program(lambda rng, n: (rng.integers(0, 256, n).astype(np.uint8).tobytes(),), 40, 50_000, "loops")
def cyclic_redundancy(data):
    table = np.zeros(256, np.uint32)
    for i in range(256):
        c = np.uint32(i)
        for _ in range(8):
            c = np.uint32((c >> 1) ^ 0xEDB88320) if c & 1 else np.uint32(c >> 1)
        table[i] = c
    crc = np.uint32(0xFFFFFFFF)
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> np.uint32(8))
    return crc ^ np.uint32(0xFFFFFFFF)


@program(lambda rng, n: (",".join(str(x) for x in rng.integers(-9999, 9999, n)),), 20, 3000, "mixed")
def sum_of_fields(line):
    total, largest = 0, -10000
    for field in line.split(","):
        number, sign = 0, 1
        for letter in field:
            if letter == "-":
                sign = -1
            else:
                number = 10 * number + ord(letter) - ord("0")
        number *= sign
        total += number
        largest = max(largest, number)
    return total, largest


@program(lambda rng, n: (words(rng, n),), 10, 1500, "mixed")
def titles(text):
    out = []
    for word in text.split():
        out.append(word[0].upper() + word[1:].lower() if len(word) > 2 else word.upper())
    return "_".join(out), text.replace("a", "xx").count("xx"), text.find("edc")


@program(lambda rng, n: (words(rng, n), "abc"), 30, 4000, "loops")
def boyer_moore_horspool(text, pattern):
    m = len(pattern)
    shift = np.full(128, m)
    for k in range(m - 1):
        shift[ord(pattern[k])] = m - 1 - k
    found, i = 0, 0
    while i <= len(text) - m:
        k = m - 1
        while k >= 0 and text[i + k] == pattern[k]:
            k -= 1
        if k < 0:
            found += 1
        i += shift[ord(text[i + m - 1])]
    return found


@program(lambda rng, n: (n,), 20, 3000, "mixed")
def numbers_as_text(n):
    total = 0
    for i in range(n):
        line = "item " + str(i) + ": " + str(i * i % 97)
        total += len(line) + ord(line[-1])
    return total
