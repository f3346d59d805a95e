// SPDX-License-Identifier: MIT
// How values look in memory at the border of compiled code: what callers fill in and read
// back. kinds.def says what a value of each kind consists of, and how large it is where
// that is the same for all: a bool is a byte, a number what C has under its name, a tuple
// a struct of C. What abi_part_at tells of a type is its layout.
//
// An argument block is a sequence of values, each at the next multiple of 8 bytes.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "compiler/types/type.h"

struct abi_memory;

struct abi_array {
    void *memory; // struct abi_memory that compiled code counts references on; NULL: not
                  // counted
    void *parent; // opaque: the array object that a host argument came from; ABI_NOBODY
    void *data;
    int64_t dims[]; // shape[ndim] in elements, then strides[ndim] in bytes
};

// In an array's `parent`: the memory is nobody's that compiled code knows of, as what
// carray() lays over an address; whoever gave the address sees to it. Arrays without
// memory and parent are compiled code's own constants: the host copies them.
#define ABI_NOBODY ((void *)1)

// A str: UCS-4 characters (on devices, where all are constants: UTF-8).
struct abi_text {
    struct abi_memory *memory; // that `data` lies in; NULL: not counted
    const uint32_t *data;
    int64_t len; // in characters
};

// Heap memory made by compiled code. `release` frees it when count drops to 0.
struct abi_memory {
    int64_t count;
    void (*release)(struct abi_memory *memory);
    void *data;
    int64_t size_bytes;
};

// A generator made by compiled code, counted. Ends at its first failure.
struct abi_generator {
    struct abi_memory memory;
    void *handle; // of the coroutine
    void (*resume)(void *handle);
    void (*destroy)(void *handle);
    int32_t status; // how it ended
    int32_t is_done, is_running;
    int32_t is_value_taken;    // the receiver has the reference to the value
    _Alignas(16) char value[]; // yielded last
};

// What asking a generator answers, or a status other than STATUS_OK.
enum { GENERATOR_ENDED = 0, GENERATOR_YIELDED = -100 };

// A function as a value, counted. Its code takes the address of the result and the leaves
// of the arguments, and returns a status. A function of C has an address instead.
struct abi_callable {
    struct abi_memory memory;
    void *code; // NULL: a function of C
    union {
        const void *compiled; // struct compiled, whose raise sites the status is about
        void *address;        // code == NULL
    };
    void *object; // opaque: the function on the host; NULL: made where one is asked for
};

// A growable row of items: a list, or, with one item that holds its fields, an object. A
// value of such a type is a pointer to this.
struct abi_row {
    struct abi_memory memory; // data: the items; size_bytes: room for them
    int64_t len, capacity;    // in items
    void *parent;             // opaque: the object that stands for it on the host
    int64_t item_bytes;
    int64_t inside_bytes; // room for items behind the places, in the row's own block
    int64_t place_count;  // pointers to counted memory in each item, NULL if unused
    int64_t places[];     // where, in bytes
};

// Where the fields of a set or dict are in its row: behind the places of two of them.
enum { ABI_TABLE_FIELDS = sizeof(struct abi_row) + 2 * sizeof(int64_t) };

// Status that compiled functions return.
enum abi_status {
    STATUS_OK = 0,
    STATUS_INTERRUPTED = -1, // the interrupt flag was seen
    STATUS_PYTHON = -2,      // a Python exception is set
    STATUS_MEMORY = -3,      // out of memory
    STATUS_GRID = -4,        // a block of the emulated device: all its threads wait for
                             // the grid
    STATUS_FAULT = -5,       // a fault of the machine, see runtime/threads/fault.h
    // n > 0: entry n - 1 of the module's table of raise sites
};

// The classes of errors with a text of their own, which functions that compiled code
// calls leave on their thread, as handlers tell them apart. What such a function returns
// is the place of its error's class here, plus 1.
#define ABI_RAISED_CLASSES                                                               \
    "ValueError", "TypeError", "OverflowError", "UnicodeDecodeError", "UnicodeEncodeError"

// Entry of a host function: arguments in an argument block, result stored at `result`.
typedef int32_t (*abi_entry)(void *result, const void *args);
// Inner loop of a NumPy ufunc (PyUFuncGenericFunction).
typedef void (*abi_ufunc_loop)(
        char **args, const intptr_t *dims, const intptr_t *steps, void *data);

// What the emulated device hands to a block of threads.
enum {
    EMULATED_BLOCK_THREADS = 1024, // the most of a block
    EMULATED_ROW_THREADS = 2048,   // the most side by side that run as one
};
struct abi_emulated_block {
    int32_t grid_dim[3], block_dim[3], block_idx[3];
    void *shared; // static, then dynamic shared memory, zero-filled by nobody
    int64_t dynamic_shared_bytes;
    void *scratch; // coroutine frames of the block's threads
    int64_t scratch_bytes;
    volatile int32_t *stop;    // set: leave as soon as possible
    int32_t failed_thread[3];  // filled in when a thread raises
    int32_t failed_line;       // where, if the raise site does not know; else 0
    int32_t is_resumed;        // goes on where it returned STATUS_GRID
    int32_t counts_apart;      // arrays that are only counted in are this CPU thread's
    int32_t joined;            // so many blocks from this one along x run as one
    int32_t failed_joined;     // filled in when a thread raises: in which of them
    struct abi_shadow *shadow; // NULL: shared memory is not checked
    struct observer *observer; // NULL: nobody counts what this block does
    int64_t turn;              // of the call that an observed thread is about to make,
    int32_t line;              // see codegen/body/observe.c
    int64_t *tally;            // of an observed kernel: how often each thread has come to
    int64_t tally_slots;       // each part of it, for one thread after the other
    struct observed_track *tracks; // by site
    int64_t observed_warp;    // that runs, -1: the runtime is to be called in any case
    int64_t observed_order;   // of what is told next: it grows with all that is
    int64_t observed_barrier; // site of that which a thread came to last, -1: none
};
// How a thread touches shared memory, for the checks of the emulated device.
enum abi_access { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };
// What a check finds: offsets to the raise site that compiled code gives it.
enum abi_finding {
    FINDING_UNWRITTEN,
    FINDING_WRITTEN_BY_OTHER,
    FINDING_READ_BY_OTHER,
    FINDING_COUNT,
};
// What the threads of a warp, and of a block from BLOCK_COUNT on, meet for.
enum abi_meeting {
    MEETING_NONE,
#define MEETING(id, name, count, params, item, result, ptx, capability, doc) MEETING_##id,
#include "compiler/types/intrinsics.def"
};
// How a load or store tells the GPU to cache it (PTX's cache operators).
enum cache_hint {
#define LOAD_HINT(id, name, ptx, doc) CACHE_LOAD_##id,
#define STORE_HINT(id, name, ptx, doc) CACHE_STORE_##id,
#include "compiler/types/intrinsics.def"
};
// A thread of an emulated block that has barriers: its slot in the block's scratch
// memory.
struct abi_emulated_thread {
    int32_t status;
    int32_t scope; // of the barrier that it waits at: 1 warp, 2 block, 3 grid
    int64_t slot_bytes;
    int32_t number, threads; // in the block
    uint32_t mask;           // of the meeting, with the two below
    int32_t lane;
    int32_t meeting; // enum abi_meeting; NONE once it is over
    int32_t line;    // of the barrier, where shared memory is checked
    int64_t item, result;
    int64_t unused_too;
    char frame[]; // LLVM's
};
// The global variable of a kernel for a GPU that holds the first exception of a thread.
#define ABI_GPU_ERROR "gridcell_error"
struct abi_gpu_error {
    int32_t status; // 0: none
    int32_t thread[3], block[3];
};
// The global variable of a kernel for a GPU by which the host stops it, and by which its
// blocks meet.
#define ABI_GPU_CONTROL "gridcell_control"
struct abi_gpu_control {
    int32_t stop;    // not 0: threads end at the next poll
    int32_t arrived; // blocks at a barrier of the grid: codegen/cuda/target_gpu.c
};
// Entry of a kernel on the emulated device: runs one whole block; returns a status.
typedef int32_t (*abi_emulated_entry)(struct abi_emulated_block *block, const void *args);

// Bytes and alignment of a value, and of a whole argument block; offsets may be NULL.
size_t abi_size(const struct type *type);
size_t abi_alignment(const struct type *type);
// What an array's items are aligned to nearly always, where that is more than the array's
// type says: complex numbers and records, as whole as a GPU reads them; 1 for all else.
size_t abi_usual_alignment(const struct type *type);
size_t abi_block_layout(const struct type *const *types, size_t count, size_t *offsets);
// Places a value after *offset, as a C compiler would, and moves *offset past it; returns
// where it is.
size_t abi_place(const struct type *type, size_t *offset);
// Bytes from one of several values in a row to the next.
size_t abi_stride(const struct type *type);

// One of the values that a value consists of, in their order.
struct abi_part {
    const struct type *type;
    const char *name; // "data"; "" if it stands for the value; NULL: one of its items
    int number;       // of the axis or item, else -1
};
// What is a leaf has no parts, nor have records and cells, which never are in registers.
size_t abi_part_count(const struct type *type);
struct abi_part abi_part_at(const struct type *type, size_t index);
// Whether a value is one scalar: BOOL, INT, FLOAT, or an address.
bool abi_is_leaf(const struct type *type);

// The scalar leaves of a value in order, for kernel parameters: calls `visit` with the
// byte offset and size of each. An array's are memory, parent, data, shape..., strides...
void abi_leaves(const struct type *type, size_t offset,
        void (*visit)(void *context, size_t offset, size_t size_bytes), void *context);

// Where a value has pointers to counted memory: returns how many; `places` may be NULL.
size_t abi_counted(const struct type *type, size_t offset, int64_t *places);
// Whether it can have such pointers, in memory or, as iterators, in registers.
bool type_is_counted(const struct type *type);
