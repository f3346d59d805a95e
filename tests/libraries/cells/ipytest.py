"""ipytest: tests in cells, one of which fails; pytest"""
# %%
import ipytest
ipytest.autoconfig()
# %%
%%ipytest -qq -p no:cacheprovider
def test_a():
    assert 1 == 1
def test_b():
    assert [1, 2] == [1, 3]
