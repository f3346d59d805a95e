"""jax: compiled functions, gradients, and an error in one"""
# %%
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    return jnp.sin(x) ** 2
f(jnp.arange(3.0))
# %%
%timeit -n2 -r1 f(jnp.arange(3.0)).block_until_ready()
# %%
jax.grad(lambda x: x ** 3)(2.0), jax.make_jaxpr(f)(1.0)
