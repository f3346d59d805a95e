// SPDX-License-Identifier: MIT
// Public entry of the compiler: a source and argument types in, machine code or PTX out,
// with everything that inspection shows. Nothing here needs Python or a device.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "compiler/backends/compiled.h"
#include "compiler/types/source.h"
#include "compiler/support/foreign.h"
#include "compiler/types/abi.h"
#include "compiler/types/observed.h"
#include "compiler/types/raise_site.h"

// The resolved IR of `source` for the argument types on a target, inferred on first use
// and owned by the source. Callees are inferred with it. `returns`: declared return type,
// or NULL. Errors: ERROR_TYPING, ERROR_UNSUPPORTED, ERROR_LOWERING with the place in the
// user's source.
struct ir_function *source_infer(struct source *source, const struct type *const *params,
        size_t param_count, const struct type *returns, enum target_kind target,
        struct error *err);

// The functions that count for observed kernels on a GPU, by enum counting.
bool compiler_find_counting(
        const struct ir_function *found[COUNTING_COUNT], struct error *err);

// Compiles `source` for the argument types. `returns`: the declared return type or NULL.
// May run without the GIL. Thread-safe.
struct compiled *compile(struct source *source, const struct type *const *params,
        size_t param_count, const struct type *returns,
        const struct compile_options *options, struct error *err);
void compiled_destroy(struct compiled *compiled);
// Whether it does more than arithmetic, whose flags of the processor are as they should
// be.
bool compiled_has_doubtful_flags(const struct compiled *compiled);
// Where the first return of a value is; line 0: nowhere.
struct span compiled_return_place(const struct compiled *compiled);

// The function itself, which takes the address of its result and the arguments' leaves
// and returns a status; TARGET_HOST.
void *compiled_code(const struct compiled *compiled);

// Text of the optimised LLVM module; owned by `compiled`. Code from a cache is compiled
// once more for it.
const char *compiled_llvm(struct compiled *compiled, struct error *err);
// Text of the machine code (host) or PTX; owned by `compiled`.
const char *compiled_asm(struct compiled *compiled, struct error *err);
// The control-flow graph of the function's optimised LLVM IR as DOT text in the form of
// LLVM's dot-cfg printer, and as a standalone SVG picture (no external program).
bool compiled_cfg_dot(struct compiled *compiled, struct str *out, struct error *err);
bool compiled_cfg_svg(struct compiled *compiled, struct str *out, struct error *err);
// The body of numba's inspect_types: each source line with its typed IR above it.
bool compiled_types(const struct compiled *compiled, const char *const *source_lines,
        size_t line_count, struct str *out, struct error *err);

void compiler_llvm_version(unsigned *major, unsigned *minor, unsigned *patch);

// Has the named pass fail when it is run next, once: by "fault", "trap", "division",
// "recursion", "assert", "abort", "llvm" (a fatal error of LLVM) or "heap". For tests.
// False: no such pass or way.
bool compiler_provoke(const char *pass, const char *way);
// The names of the passes, in order; NULL-terminated.
const char *const *compiler_pass_names(void);
