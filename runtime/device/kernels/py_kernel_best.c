// SPDX-License-Identifier: MIT
// The best of several declared signatures for the types of a launch.
#include "runtime/device/kernels/py_kernel.h"

enum { LEAST_UNSAFE = 10000 };

// An array of integers, as if they had the other's sign.
static const struct type *with_sign_of(const struct type *from, const struct type *to)
{
    bool is_other = from->kind == TYPE_ARRAY && to->kind == TYPE_ARRAY &&
                    from->element->kind == TYPE_INT && to->element->kind == TYPE_INT &&
                    from->element->bits == to->element->bits &&
                    from->element != to->element;
    return is_other ? type_array_in(to->element, from->array.ndim, from->array.layout,
                              from->array.is_readonly, from->array.is_aligned,
                              from->array.address_space)
                    : from;
}

// Pointers are given as addresses. Arrays are what their bytes are, as in numba.
static enum conversion argument_conversion(const struct type *from, const struct type *to)
{
    const struct type *taken = with_sign_of(from, to);
    if (taken != from)
        return type_conversion(taken, to) == CONVERT_NEVER ? CONVERT_NEVER
                                                           : CONVERT_UNSAFE;
    return to->kind == TYPE_POINTER && from->kind == TYPE_INT ? CONVERT_SAFE
                                                              : type_conversion(from, to);
}

// The sum of the conversions' costs, or -1 when one is impossible.
static int conversion_cost(
        const struct specialization *spec, const struct type *const *types)
{
    static const int costs[] = {[CONVERT_EXACT] = 0,
            [CONVERT_PROMOTE] = 1,
            [CONVERT_SAFE] = 100,
            [CONVERT_UNSAFE] = LEAST_UNSAFE};
    int cost = 0;
    for (size_t i = 0; i < spec->param_count; i++) {
        enum conversion conversion = argument_conversion(types[i], spec->params[i]);
        if (conversion == CONVERT_NEVER)
            return -1;
        cost += costs[conversion];
    }
    return cost;
}

static bool is_candidate(
        const struct specialization *spec, const struct device *device, size_t count)
{
    return spec->device == device && spec->param_count == count;
}

static void raise_ambiguous(const struct kernel *self, const struct device *device,
        const struct type *const *types, size_t count, int cost)
{
    PyObject *text = py_ambiguity(self->py_func, types, count);
    vec_each (spec, &self->specializations)
        if (is_candidate(*spec, device, count) && conversion_cost(*spec, types) == cost)
            py_ambiguity_add(&text, (*spec)->params, count, type_none);
    if (text)
        PyErr_SetObject(PyExc_TypeError, text);
    Py_XDECREF(text);
}

struct specialization *kernel_best(const struct kernel *self, const struct device *device,
        const struct type *const *types, size_t count)
{
    struct specialization *best = NULL;
    bool is_ambiguous = false;
    int best_cost = 0;
    vec_each (spec, &self->specializations) {
        int cost =
                is_candidate(*spec, device, count) ? conversion_cost(*spec, types) : -1;
        if (cost < 0 || (best && cost > best_cost))
            continue;
        is_ambiguous = best && cost == best_cost;
        if (is_ambiguous)
            continue;
        best = *spec;
        best_cost = cost;
    }
    if (!is_ambiguous || best_cost < LEAST_UNSAFE) // of safe ones, the first serves
        return best;
    raise_ambiguous(self, device, types, count, best_cost);
    return NULL;
}
