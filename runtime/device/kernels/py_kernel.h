// SPDX-License-Identifier: MIT
// A CUDA kernel as Python holds it: the function, what it was compiled to for which
// device and argument types, and its launches.
#pragma once

#include "base/vec.h"
#include "runtime/device/arrays/py_device_array.h"

// Each adds its part to the module. False with an exception set.
bool py_kernel_init(struct device_types *types, PyObject *module);
// Functions of the module, by file; runtime/py_module.c adds them.
extern PyMethodDef py_ufunc_arguments_functions[], py_module_functions[],
        py_launch_functions[];

// What a version does not assume of its arguments, and what it has besides.
enum version {
    VERSION_OVERLAPPING = 1,
    VERSION_JOINED = 2,
    VERSION_UNALIGNED = 4,
    VERSION_COUNT = 8,
};

// One compiled version, loaded on one device.
struct specialization {
    struct device *device;
    struct arena arena; // holds `params`, `is_written` and `offsets`
    const struct type **params;
    size_t param_count;
    struct launch_constants constants;
    struct source *source; // its own where it is for certain constants, else NULL
    struct compiled *compiled;
    // what some launches take instead, by enum version; NULL until there is one
    struct specialization *versions[VERSION_COUNT];
    int wide_launches; // of JOINED_LEAST blocks and more, until they are joined
    struct device_kernel *kernel;
    uint64_t generation; // of the context that holds `kernel`
    PyObject *module;    // for the callbacks of linked code; NULL where there are none
    int carveout;        // see kernel_options
    bool *is_written;    // by argument: whether the kernel may write to it
    size_t *offsets;     // of each argument in the argument block
    size_t block_bytes;  // of the argument block, rounded up to 16
};

struct kernel_options {
    struct source_options source;
    int opt_level, max_registers;
    int carveout; // share of a multiprocessor's memory to be shared memory, -1: any
    int launch_bounds[3]; // most threads of a block, least blocks, largest cluster
    bool lineinfo;
    bool lto;         // with foreign code: optimised when it is linked
    bool is_cached;   // cache=True
    bool is_observed; // what its threads do is counted: cuda.xray
    int boundscheck;  // -1: on the emulated device, unless the environment says otherwise
};

// The base of numba.cuda.dispatcher.CUDADispatcher; also the whole of a device function.
struct kernel {
    PyObject ob_base;
    PyObject *dict, *weakrefs;
    PyObject *py_func;
    struct kernel_options options;
    struct source *source; // NULL until first needed
    bool is_source_whole;  // which it is not yet while a thread imports it
    // of before recompile(): launches of other threads may be under way
    VEC(struct source *) old_sources;
    VEC(struct specialization *) old_specializations;
    PyObject *extensions;   // list of cuda.jit(extensions=...), or NULL
    unsigned launch_needed; // constants of the launch that shapes depend on
    VEC(struct specialization *) specializations;
    bool can_compile;     // false once it has declared signatures
    bool is_quiet;        // our own kernels warn of nothing
    struct kernel *plain; // of an observed kernel: the one that it observes, or NULL
    struct observation *observation; // of the launches since it was taken, or NULL
    PyObject *configs; // dict: (grid, block, stream, shared bytes) as given -> launch
    // the last launch's argument types, and what they led to
    VEC(const struct type *) last_types;
    struct specialization *last;
};

// A kernel with its grid: k[grid, block, stream, shared_bytes].
struct launch {
    PyObject ob_base;
    vectorcallfunc vectorcall;
    struct kernel *kernel;
    PyObject *stream_object; // NULL: default
    PyObject *callbacks;     // list to be called before each launch, or NULL
    struct launch_config config;
    bool is_warned; // of the copies of host arrays
    // py_launch_watch.c: in the list of all, and what points here
    struct launch *next, **place;
};

// The specialization for the argument types on a device, compiled if there is none. NULL
// with an exception set. `args` (one per type, or NULL) are for the messages.
// `config`: of the launch, or NULL.
struct specialization *kernel_specialize(struct kernel *self, struct device *device,
        const struct type *const *types, size_t count, PyObject *const *args,
        const struct launch_config *config);
// Likewise for declared types, always compiled anew unless it exists.
struct specialization *kernel_compile(struct kernel *self, struct device *device,
        const struct type *const *types, size_t count, PyObject *const *args,
        const struct launch_config *config);
// Loads what was compiled into the device's present context.
bool specialization_load(struct specialization *spec, struct error *err);
// The same, loaded anew if the context that held it has ended; NULL with an exception
// set.
struct specialization *specialization_current(struct specialization *spec);
// py_module.c: calls the setup callbacks of the linked code; those for teardown.
bool specialization_tell_loaded(struct specialization *spec, struct error *err);
void specialization_tell_ending(struct specialization *spec);
// The version for the arguments in the block and the grid, compiled if there is none;
// NULL with an exception set.
struct specialization *specialization_for(struct kernel *self,
        struct specialization *spec, const char *block,
        const struct launch_config *config);
// Compiles for the specialization's types and constants and loads the result. `version`:
// of enum version.
bool specialization_build(struct kernel *self, struct specialization *spec,
        unsigned version, struct error *err);
struct specialization *specialization_create(
        struct device *device, const struct type *const *types, size_t count);
void specialization_destroy(struct specialization *spec);
// Raises where cache=True cannot keep it: a device array lies in this process alone.
bool specialization_can_be_cached(
        const struct kernel *self, const struct specialization *spec);
// The source, imported on first use; NULL with err set.
struct source *kernel_source(struct kernel *self, struct error *err);
bool kernel_is_device_function(PyObject *kernel);
// Gives the source the signatures of `_device_signatures`; false with err set.
bool kernel_declare(PyObject *kernel, struct source *source, struct error *err);
// The constants of a launch that the kernel needs; false with an exception set.
bool kernel_launch_constants(struct kernel *self, PyObject *const *args, size_t count,
        const struct launch_config *config, struct launch_constants *constants);

// Where a kernel is to run: a device, or a GPU that need not be there.
struct compile_place {
    enum target_kind target;
    int compute_major, compute_minor, max_ptx_version;
    bool wants_ltoir;
    // it is for launches of ours
    bool may_assume_disjoint, may_assume_aligned, may_join_blocks, is_stoppable;
};
struct compiled *kernel_compile_at(struct kernel *self, struct source *source,
        const struct compile_place *place, const struct type *const *types, size_t count,
        struct error *err);
// Makes the failure of a compilation the exception. `args`: the arguments, or NULL.
void kernel_raise_failed(struct kernel *self, const struct error *err,
        const struct type *const *types, size_t count, PyObject *const *args);

// One version of the kernel; NULL with an exception set.
struct specialization *kernel_version_at(PyObject *kernel, Py_ssize_t index);

// Methods of the kernel object (py_kernel_inspect.c, py_kernel_ptx.c).
PyObject *kernel_argument_types(PyObject *object, PyObject *unused);
PyObject *kernel_last_types(PyObject *object, PyObject *unused);
PyObject *kernel_inspect(PyObject *object, PyObject *args);
PyObject *kernel_attribute_of(PyObject *object, PyObject *args);
PyObject *kernel_blocks_of(PyObject *object, PyObject *args);
PyObject *kernel_ptx(PyObject *object, PyObject *args);
PyObject *kernel_gpu_code(PyObject *object, PyObject *args);
PyObject *kernel_gpu_graph(PyObject *object, PyObject *args);
PyObject *kernel_device_ptx(PyObject *object, PyObject *args);
PyObject *kernel_lto_ptx(PyObject *object, PyObject *args);
// py_observation.c: what was counted since the last call, as a tuple, or None.
PyObject *kernel_take_observation(PyObject *object, PyObject *unused);
void kernel_observation_destroy(struct observation *observation);
// py_kernel_recompile.c
PyObject *kernel_recompile(PyObject *object, PyObject *unused);

// Runs the kernel; new reference to None, or NULL with an exception set.
PyObject *kernel_launch(struct launch *launch, PyObject *const *args, size_t count);

// A launch configuration from the items between the brackets: checked, and kept with the
// kernel.
PyObject *launch_from_items(struct kernel *self, PyObject *items);
// py_launch_watch.c: a new configuration, one that ends; the entry of those that nobody
// looks at.
void launch_enlist(struct launch *self);
void launch_delist(struct launch *self);
PyObject *launch_vectorcall(PyObject *object, PyObject *const *args, size_t flagged_count,
        PyObject *keywords);
// The type HostArgument.
bool py_host_argument_init(struct device_types *types);
bool py_launch_init(struct device_types *types, PyObject *module);

// What kernels print while no Python runs is kept between these two; the end hands it to
// sys.stdout and is false with an exception set when that fails.
void kernel_print_begin(void);
bool kernel_print_end(void);
// What a kernel prints is kept, what others print goes on.
void kernel_print_line(const char *text, size_t len);
char *kernel_array_text(
        const struct type *item, const struct abi_array *array, int ndim, bool is_repr);

// The version whose declared signature fits the types best, or NULL: with an exception
// set where two fit equally, and not safely.
struct specialization *kernel_best(const struct kernel *self, const struct device *device,
        const struct type *const *types, size_t count);
// Issues NumbaPerformanceWarning as numba.cuda.dispatcher, unless numba.config or the
// environment variable turns it off. It is for real devices only, or everywhere once
// either has been set to 1.
bool kernel_warn(struct kernel *self, struct device *device, const char *variable,
        const char *text);
