// SPDX-License-Identifier: MIT
// NVIDIA's compilers and linkers beside libnvvm: what kernels with foreign code need. No
// device is needed. Any thread.
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "base/str.h"
#include "base/error.h"
#include "compiler/support/foreign.h"

// What is made for: the compute capability (90 for 9.0), the newest PTX that the driver
// takes (90 for 9.0, 0: any), and whether code is optimised once more when linked.
struct link_target {
    int cc, max_ptx_version;
    bool optimises; // -lto: CUDA C becomes LTO-IR, too
};

// nvrtc.c: CUDA C as PTX, as a cubin where its PTX would be too new, or as LTO-IR; `kind`
// says what it became.
bool nvrtc_compile(const struct foreign_code *code, const struct link_target *target,
        enum foreign_kind *kind, struct str *out, struct error *err);

// nvjitlink.c: links codes (none of CUDA C) to a cubin, or with `as_ptx` to PTX.
bool nvjitlink_is_available(struct error *err);
bool nvjitlink_link(const struct foreign_code *codes, size_t count,
        const struct link_target *target, bool as_ptx, struct str *out,
        struct error *err);

// foreign_link.c
// A list of codes with CUDA C compiled; what was made is kept with it.
struct foreign_inputs {
    struct foreign_code *items;
    size_t count;
    struct str *made;
    bool has_ltoir;
};
bool foreign_inputs_make(struct foreign_inputs *inputs, const struct foreign_code *first,
        const struct foreign_code *const *codes, size_t count,
        const struct link_target *target, struct error *err);
void foreign_inputs_finish(struct foreign_inputs *inputs);
// The codes linked to a cubin (or PTX) without a driver, by nvJitLink.
bool foreign_link(const struct foreign_code *first,
        const struct foreign_code *const *codes, size_t count,
        const struct link_target *target, bool as_ptx, struct str *out,
        struct error *err);
// Whether one of them, or CUDA C under the target, becomes LTO-IR.
bool foreign_needs_nvjitlink(const struct foreign_code *const *codes, size_t count,
        const struct link_target *target);

// NVIDIA's compilers install signal handlers, which hide ours (interrupts, faults): taken
// before a call of theirs, and put back after it.
struct toolkit_signals {
    struct sigaction actions[32]; // by signal number
};
void toolkit_signals_keep(struct toolkit_signals *signals);
void toolkit_signals_restore(const struct toolkit_signals *signals);

// The functions of a library, of a list X(name, params), as pointers of a struct that is
// called `library`; and as the list below.
#define TOOLKIT_POINTER(name, params) int(*name) params;
#define TOOLKIT_FUNCTION(name, params) {#name, &library.name},

// A library of the toolkit: what to look for, and what it became.
struct toolkit_library {
    const char *stem, *use; // "nvrtc", "to compile CUDA C"
    const char *too_old;    // the message where it lacks a function
    const struct toolkit_function {
        const char *name;
        void *place; // the pointer to set
    } * functions;
    size_t count;
};
// Opens the newest version and finds its functions; if not, err says what the library is
// for and how to get it.
bool toolkit_load(const struct toolkit_library *library, struct error *err);
