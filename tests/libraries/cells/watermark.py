"""watermark: versions and the machine; numpy"""
# %%
%load_ext watermark
%watermark -v -p numpy,IPython
# %%
%watermark -m
