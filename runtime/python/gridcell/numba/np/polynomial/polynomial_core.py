# SPDX-License-Identifier: MIT
"""Objects of numpy.polynomial.Polynomial in compiled code: made of arrays, passed and given back, with their coefficients,
domain and window. It is loaded when a program's function first names something that is not known."""
import numpy as np
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import (NativeValue, box, intrinsic, make_attribute_wrapper, models, overload, register_model,
                             typeof_impl, unbox)
from numpy.polynomial.polynomial import Polynomial

from gridcell import _gridcell as _extension


class PolynomialType(types.Type):
    """Polynomials: the types of the three arrays, and how many of them a program gave."""

    def __init__(self, coef, domain=None, window=None, n_args=1):
        self.coef, self.domain, self.window, self.n_args = coef, domain, window, n_args
        super().__init__(name=f"PolynomialType({coef}, {domain}, {window}, {n_args})")


types.PolynomialType = PolynomialType
_PARTS = "coef", "domain", "window"


@register_model(PolynomialType)
class PolynomialModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(part, getattr(fe_type, part)) for part in _PARTS])


for _part in _PARTS:
    make_attribute_wrapper(PolynomialType, _part, _part)


@typeof_impl.register(Polynomial)
def typeof_polynomial(val, c):
    return PolynomialType(*(_extension.typeof(getattr(val, part)) for part in _PARTS), 3)


# --- Making one

def _row(kind, name):
    """The dtype that an argument's array has in the polynomial."""
    if not isinstance(kind, types.Array):
        raise TypingError(f"Polynomial() takes arrays in compiled code: {name} is {kind}")
    if kind.ndim != 1:
        raise TypingError("Coefficient array is not 1-d" if name == "coef" else f"The {name} of Polynomial() is not 1-d")
    return kind.dtype if isinstance(kind.dtype, (types.Float, types.Complex)) else types.float64


def _make(n_args):
    @intrinsic
    def make(typingctx, coef, domain, window):
        made = PolynomialType(coef, domain, window, n_args)

        def write(context, builder, signature, args):
            polynomial = cgutils.create_struct_proxy(made)(context, builder)
            for part, kind, value in zip(_PARTS, signature.args, args):
                setattr(polynomial, part, value)
                context.nrt.incref(builder, kind, value)
            return polynomial._getvalue()
        return made(coef, domain, window), write
    return make


_make_of_one, _make_of_three = _make(1), _make(3)


@overload(Polynomial)
def polynomial(coef, domain=None, window=None):
    def is_left_out(kind):
        return kind is None or isinstance(kind, types.Omitted) or kind == types.none
    item = _row(coef, "coef")
    if is_left_out(domain) and is_left_out(window):
        ends = Polynomial.domain.dtype.type

        def of_coefficients(coef, domain=None, window=None):
            if len(coef) == 0:
                raise ValueError("Coefficient array is empty")
            default = np.array([ends(-1), ends(1)])
            return _make_of_one(coef.astype(item), default, default.copy())
        return of_coefficients
    domain_item, window_item = _row(domain, "domain"), _row(window, "window")

    def of_all(coef, domain=None, window=None):
        if len(coef) == 0:
            raise ValueError("Coefficient array is empty")
        if len(domain) != 2:
            raise ValueError("Domain has wrong number of elements.")
        if len(window) != 2:
            raise ValueError("Window has wrong number of elements.")
        return _make_of_three(coef.astype(item), domain.astype(domain_item), window.astype(window_item))
    return of_all


# --- To Python and back

@unbox(PolynomialType)
def unbox_polynomial(typ, obj, c):
    polynomial = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    is_error = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    for part in _PARTS:
        held = c.pyapi.object_getattr_string(obj, part)
        native = c.unbox(getattr(typ, part), held)
        c.pyapi.decref(held)
        setattr(polynomial, part, native.value)
        with c.builder.if_then(native.is_error):
            c.builder.store(cgutils.true_bit, is_error)
    return NativeValue(polynomial._getvalue(), is_error=c.builder.load(is_error))


@box(PolynomialType)
def box_polynomial(typ, val, c):
    polynomial = cgutils.create_struct_proxy(typ)(c.context, c.builder, value=val)
    given = _PARTS if typ.n_args == 3 else _PARTS[:1]
    parts = [c.box(getattr(typ, part), getattr(polynomial, part)) for part in given]
    for part in _PARTS[len(given):]:
        c.context.nrt.decref(c.builder, getattr(typ, part), getattr(polynomial, part))
    class_ = c.pyapi.unserialize(c.pyapi.serialize_object(Polynomial))
    made = c.pyapi.call_function_objargs(class_, parts)
    for held in (*parts, class_):
        c.pyapi.decref(held)
    return made
