"""Generated and mutated functions: compiled code gives Python's results, or a clean exception."""
import pytest

import campaign

PROGRAMS = 24


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(4))
def test_programs(seed):
    counts = {}
    report = next(campaign.failures(seed, PROGRAMS, counts=counts), None)
    assert report is None, report
    assert counts["programs"] == PROGRAMS
    # a fuzzer that compares nothing finds nothing
    assert counts["decided"] > PROGRAMS / 10, counts


def test_failures_are_found_and_reduced():
    """A program whose oracle differs is reported: here, by a call that ends the process."""
    child = campaign.Child()
    source = ("def helper(n, y):\n    return n\n\ndef f(v1):\n    v2 = v1 + 1\n    if v2 > 3:\n"
              "        v2 = 4\n    return v2\n")
    call = "(__import__('os')._exit(3), )"
    try:
        answer = campaign.check(child, source, ["(1, )"])
        assert answer == {"decided": 1, "kind": ""}
        answer = campaign.check(child, source, [call])
        assert answer["kind"] == "crash" and "status 3" in answer["wrong"]
        smaller, calls = campaign.reduced(child, source, ["(1, )", call], "crash")
        assert calls == [call] and len(smaller) < 0.6 * len(source)
    finally:
        child.stop()


def test_oracle_leaves_wide_integers_undecided():
    import oracle

    namespace, _ = oracle.instrumented("def f(a):\n    return a * a\n")
    assert namespace["f"](7) == 49
    with pytest.raises(oracle.Undecided):
        namespace["f"](2**40)


HEAD = "def f(v, n):\n"


@pytest.mark.parametrize("body, want", (
    ("    v[n % 0] += v[9]\n", ZeroDivisionError),  # an index before the item and the operand
    ("    v[9] += n % 0\n", IndexError),
    ("    v[v[0]] += 1\n    v[v.pop() - 1] -= 2\n    v[1:n] += [7]\n    return v\n", [1, -1, 7]),
    ("    return 2 ** 62 * 3 & 1\n", 0),  # Python computes literals itself
    ("    return np.array([q for q in v[:0]])\n", "an array of nothing"),
    ("    return pow(0, -0.5)\n", "power"),
    ("    return n << 62 + 1\n", OverflowError),
))
def test_oracle_does_what_python_does(body, want):
    import oracle

    namespace, _ = oracle.instrumented(HEAD + body, exact=True)
    if isinstance(want, type):
        with pytest.raises(want):
            namespace["f"]([0, 1, 2], 3)
    elif isinstance(want, str):
        with pytest.raises(oracle.Undecided, match=want):
            namespace["f"]([0, 1, 2], 3)
    else:
        assert namespace["f"]([0, 1, 2], 3) == want


@pytest.mark.parametrize("body, reason", (
    ("    random.seed(1)\n    return random.random()\n", None), ("    return np.random.rand()\n", "numbers of no seed"),
    ("    v.append(v)\n    return v\n", "a list in itself"),
))
def test_references_that_do_not_bind(body, reason):
    import child

    for head in ("", "# plain: \n"):
        if reason:
            with pytest.raises(child.oracle.Undecided, match=reason):
                child.reference(head + HEAD + body, [[1], 2])
        else:
            assert 0 <= child.reference(head + HEAD + body, [[1], 2])[0][0] < 1


def test_leaks_are_found():
    import child

    kept = []
    assert child.leaked(lambda value: value * 2, [3]) == 0
    assert child.leaked(lambda value: kept.append(bytes(value)), [1000]) >= 900
