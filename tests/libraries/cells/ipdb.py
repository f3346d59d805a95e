"""ipdb: its prompt, with as many lines as it is told"""
# %%
# answers: p a|context 1|w|c
import ipdb
def g():
    a = 1
    ipdb.set_trace(context=3)
    return a
g()
