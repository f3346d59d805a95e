"""Completers of the user's beside the kernel's own."""
import pytest


@pytest.fixture
def complete(kernel):
    def ask(code):
        content = kernel.ask("complete_request", {"code": code, "cursor_pos": len(code)}).content
        return content["matches"], code[content["cursor_start"]:content["cursor_end"]]
    return ask


def test_a_completer_of_words(cells, complete):
    cells.ok("""
def colours(completer, text):
    return [word for word in ('teal', 'tea green', 'tan') if word.startswith(text)]
get_ipython().set_custom_completer(colours)
class Owner: pass
owner = Owner(); owner.attr = 1""")
    assert complete("te")[0] == ["tea green", "teal"]
    assert complete("x = t")[0][:1] != [] and "tan" in complete("x = t")[0]
    assert complete("owner.a") == (["attr"], "a")
    cells.ok("get_ipython().Completer.custom_matchers.clear()")
    assert "teal" not in complete("te")[0]


def test_what_it_says_of_dotted_words_replaces_all_of_them(cells, complete):
    cells.ok("""
def dotted(completer, text):
    return ['owner.attic'] if text.startswith('owner.') else []
class Owner: pass
owner = Owner(); owner.attr = 1
get_ipython().set_custom_completer(dotted)""")
    matches, replaced = complete("owner.at")
    assert matches == ["owner.attic", "owner.attr"] and replaced == "owner.at"
    cells.ok("get_ipython().Completer.custom_matchers.clear()")


def test_completers_of_commands(cells, complete):
    cells.ok("""
def branches(shell, event):
    assert event.command in ('git', '%git') and event.line.startswith(event.command)
    return ['main', 'maintenance', event.symbol + '!']
get_ipython().set_hook('complete_command', branches, str_key='git')
get_ipython().set_hook('complete_command', lambda shell, event: ['Alpha', 'beta'], re_key='.*greek')""")
    assert complete("git checkout main") == (["main", "maintenance", "main!"], "main")  # in its order
    assert complete("say greek a") == (["Alpha"], "a")
    assert complete("gi")[0] != ["main"]


def test_matchers_with_a_context(cells, complete):
    cells.ok("""
from IPython.core.completer import SimpleCompletion, context_matcher
@context_matcher()
def numbers(context):
    return {'completions': [SimpleCompletion(context.token + '_one', type='number')]}
get_ipython().Completer.custom_matchers.append(numbers)""")
    assert "zz_one" in complete("x = zz")[0]
    cells.ok("get_ipython().Completer.disable_matchers = [numbers.matcher_identifier]")
    assert complete("x = zz")[0] == []
    cells.ok("get_ipython().Completer.disable_matchers = []\nget_ipython().Completer.custom_matchers.clear()")


def test_one_that_fails_hides_nothing(cells, complete):
    cells.ok("def broken(completer, text): raise ValueError\n"
             "get_ipython().set_custom_completer(broken)\nvalue_of_mine = 1")
    assert complete("value_of_m") == (["value_of_mine"], "value_of_m")
    cells.ok("get_ipython().Completer.custom_matchers.clear()")


def test_matchers_hide_others(cells):
    """What a matcher says, and what IPCompleter.suppress_competing_matchers and its priority make of it."""
    assert cells.text("""
from IPython.core.completer import SimpleCompletion, completion_matcher
ip = get_ipython()
completer = ip.Completer

@completion_matcher(identifier="hides", api_version=2)
def hides(context):
    return {"completions": [SimpleCompletion("zz_b")], "suppress": True, "do_not_suppress": {"spared"}}

@completion_matcher(identifier="spared")
def spared(text):
    return ["zz_a"]

@completion_matcher(identifier="hidden")
def hidden(text):
    return iter(["zz_c"])

zz_name = 1
completer.custom_matchers = [spared, hides, hidden]
print(completer.complete("zz_")[1])
completer.suppress_competing_matchers = {"hides": False}
print(completer.complete("zz_")[1])
completer.suppress_competing_matchers, completer.disable_matchers = None, ["hides"]
print(completer.complete("zz_")[1])
completer.custom_matchers, completer.disable_matchers = [], []
""").splitlines() == ["['zz_a', 'zz_b']", "['zz_a', 'zz_b', 'zz_c', 'zz_name']", "['zz_a', 'zz_c', 'zz_name']"]
