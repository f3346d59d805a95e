"""jupyter-ai-magics: its models and its help, and a model that is not there"""
# %%
%load_ext jupyter_ai_magics
# %%
%ai help
# %%
%%ai nosuch:model
hello
