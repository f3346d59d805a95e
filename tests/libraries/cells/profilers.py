"""line_profiler: %lprun, %memit of memory_profiler, and %%pyinstrument; memory_profiler, pyinstrument"""
# %%
%load_ext line_profiler
%load_ext memory_profiler
%load_ext pyinstrument
def count(n):
    s = 0
    for i in range(n):
        s += i
    return s
# %%
%lprun -f count -u 1e-3 count(1000)
# %%
%memit -r 1 count(1000)
# %%
%%memit -r 1
x = [0] * 10**6
# %%
m = %memit -o -r 1 count(1000)
type(m).__name__
