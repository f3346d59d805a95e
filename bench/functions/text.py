"""Strings."""
from functions import case

WORDS = "the quick brown fox jumps over the lazy dog while it rains in spain "


@case(lambda rng, n: (WORDS * n,), 2, 200)
def count_words(text):
    counts = {}
    for word in text.split():
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    best = 0
    for word in counts:
        best = max(best, counts[word] * len(word))
    return best


@case(lambda rng, n: (WORDS * n,), 2, 200)
def caesar_cipher(text):
    moved = []
    for letter in text:
        code = ord(letter)
        if 97 <= code <= 122:
            moved.append(chr((code - 97 + 13) % 26 + 97))
        else:
            moved.append(letter)
    return "".join(moved)


@case(lambda rng, n: (WORDS * n,), 2, 500)
def count_palindromes(text):
    count = 0
    for centre in range(len(text)):
        left, right = centre - 1, centre + 1
        while left >= 0 and right < len(text) and text[left] == text[right]:
            count += 1
            left -= 1
            right += 1
    return count
