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


def test_leaks_are_found():
    import child

    kept = []
    assert child.leaked(lambda value: value * 2, [3]) == 0
    assert child.leaked(lambda value: kept.append(bytes(value)), [1000]) >= 900
