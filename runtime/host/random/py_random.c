// SPDX-License-Identifier: MIT
// Seeding by the host's random modules, and NumPy's own distributions, which its
// generator module exports for others to call.
#include "runtime/host/random/py_random.h"

#include <dlfcn.h>
#include <string.h>

#include "compiler/backends/cpu/symbols.h"
#include "runtime/host/random/random.h"

PyObject *py_random_seed(PyObject *self, PyObject *args)
{
    const char *which;
    Py_buffer words;
    if (!PyArg_ParseTuple(args, "sy*", &which, &words))
        return NULL;
    bool is_state = words.len == 624 * 4;
    if (is_state)
        random_set_state(
                strcmp(which, "np") ? gridcell_random_py() : gridcell_random_np(),
                words.buf);
    PyBuffer_Release(&words);
    if (is_state)
        Py_RETURN_NONE;
    PyErr_SetString(PyExc_ValueError, "a state has 624 words of 32 bits");
    return NULL;
}

// The generators that came in last, which are given back as they are; under the GIL.
enum { KNOWN_GENERATORS = 4 };
static struct {
    void *bitgen;
    PyObject *generator;
} known[KNOWN_GENERATORS];
static size_t next_known;
static ptrdiff_t place_in_source; // of the bitgen_t in the object of the BitGenerator

static void remember(void *bitgen, PyObject *source, PyObject *generator)
{
    place_in_source = (char *)bitgen - (char *)source;
    for (size_t i = 0; i < KNOWN_GENERATORS; i++)
        if (known[i].generator == generator && known[i].bitgen == bitgen)
            return;
    PyObject *oldest = known[next_known].generator;
    known[next_known].bitgen = bitgen;
    known[next_known].generator = Py_NewRef(generator);
    next_known = (next_known + 1) % KNOWN_GENERATORS;
    Py_XDECREF(oldest);
}

PyObject *py_box_generator(const void *value)
{
    void *bitgen = *(void *const *)value;
    for (size_t i = 0; i < KNOWN_GENERATORS; i++)
        if (known[i].generator && known[i].bitgen == bitgen)
            return Py_NewRef(known[i].generator);
    PyObject *class = py_import_attr("numpy.random", "Generator");
    PyObject *source = (PyObject *)((char *)bitgen - place_in_source);
    PyObject *generator = class ? PyObject_CallOneArg(class, source) : NULL;
    Py_XDECREF(class);
    return generator;
}

bool py_unbox_generator(PyObject *value, void *target)
{
    PyObject *source = PyObject_GetAttrString(value, "bit_generator");
    PyObject *capsule = source ? PyObject_GetAttrString(source, "capsule") : NULL;
    void *bitgen = capsule ? PyCapsule_GetPointer(capsule, "BitGenerator") : NULL;
    if (bitgen)
        remember(bitgen, source, value);
    Py_XDECREF(source);
    Py_XDECREF(capsule);
    memcpy(target, &bitgen, sizeof bitgen);
    return bitgen != NULL;
}

PyObject *py_random_load(PyObject *self, PyObject *path)
{
    static const char *const names[] = {"random_standard_uniform",
            "random_standard_uniform_f", "random_standard_normal",
            "random_standard_normal_f", "random_standard_exponential",
            "random_standard_exponential_f", "random_standard_gamma",
            "random_standard_gamma_f", "random_beta", "random_chisquare", "random_f",
            "random_gumbel", "random_laplace", "random_logistic", "random_lognormal",
            "random_standard_t", "random_standard_cauchy", "random_pareto",
            "random_weibull", "random_power", "random_rayleigh", "random_triangular",
            "random_vonmises", "random_wald", "random_noncentral_chisquare",
            "random_noncentral_f", "random_poisson", "random_binomial",
            "random_geometric", "random_negative_binomial", "random_zipf",
            "random_logseries", "random_hypergeometric", "random_interval",
            "random_bounded_uint64", "random_normal", "random_exponential",
            "random_gamma", "random_uniform", "random_standard_exponential_inv_fill",
            "random_standard_exponential_inv_fill_f", "random_bounded_uint64_fill",
            "random_bounded_uint32_fill", "random_bounded_uint16_fill",
            "random_bounded_uint8_fill", "random_bounded_bool_fill",
            "random_multinomial"};
    const char *file = PyUnicode_AsUTF8(path);
    void *library = file ? dlopen(file, RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (!file)
        return NULL;
    for (size_t i = 0; library && i < sizeof names / sizeof *names; i++) {
        char name[80];
        void *function = dlsym(library, names[i]);
        snprintf(name, sizeof name, "gridcell_numpy_%s", names[i]);
        if (function)
            compiler_define_symbol(name, function);
    }
    return PyBool_FromLong(library != NULL);
}
