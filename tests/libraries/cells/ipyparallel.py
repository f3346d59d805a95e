"""ipyparallel: engines, views, %px, %%px and %autopx, and errors of engines"""
# %%
import ipyparallel as ipp
cluster = ipp.Cluster(n=2, log_level=40)
rc = cluster.start_and_connect_sync(activate=True)
rc.ids
# %%
%px import os
%px a = 6 * 7
%px print(a)
# %%
%%px --targets 0
a + 1
# %%
%%px --noblock
a - 1
# %%
%pxresult
# %%
%%px
1 / 0
# %%
rc[:].map_sync(lambda x: x ** 2, range(4))
# %%
rc[:]["a"]
# %%
@rc[:].remote(block=True)
def where():
    return type(get_ipython()).__name__
where()
# %%
%autopx
# %%
b = a + 1
print(b)
# %%
%autopx
# %%
"b" in globals(), rc[:]["b"]
# %%
cluster.stop_cluster_sync()
