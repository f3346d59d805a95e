// SPDX-License-Identifier: MIT
// Checks of a route to PTX with one module as text. Include it after test.h.
#pragma once

#include "compiler/backends/gpu/ptx.h"
#include "tests/unit/gpu_cases.h"

// One of the ways to PTX: nvvm_compile, nvptx_compile or ptx_compile.
typedef bool gpu_route(LLVMModuleRef module, int cc, const struct ptx_options *options,
        struct str *ptx, struct error *err);

// The PTX that the route makes must have both parts.
static inline void gpu_check_ptx(gpu_route *route, const char *ir, int cc,
        const struct ptx_options *options, const char *part, const char *other_part)
{
    struct error err = {0};
    struct str ptx = {0};
    LLVMModuleRef module = gpu_case_parse(LLVMGetGlobalContext(), ir);
    REQUIRE(module);
    if (!route(module, cc, options, &ptx, &err))
        TEST_FAIL("compute_%d: %s", cc, err.message);
    CHECK_CONTAINS(str_text(&ptx), part);
    CHECK_CONTAINS(str_text(&ptx), other_part);
    LLVMDisposeModule(module);
    str_finish(&ptx);
}

// The route must refuse the module, with this error, and leave no PTX.
static inline void gpu_check_refused(gpu_route *route, const char *ir, int cc,
        const struct ptx_options *options, enum error_kind kind, const char *message)
{
    struct error err = {0};
    struct str ptx = {0};
    LLVMModuleRef module = gpu_case_parse(LLVMGetGlobalContext(), ir);
    REQUIRE(module);
    CHECK(!route(module, cc, options, &ptx, &err));
    CHECK_INT(err.kind, kind);
    CHECK_CONTAINS(err.message, message);
    CHECK_INT(ptx.len, 0);
    LLVMDisposeModule(module);
    str_finish(&ptx);
}

// A kernel that calls a function which is defined nowhere.
static const char gpu_calls_missing[] __attribute__((unused)) =
        "declare void @missing()\n"
        "define ptx_kernel void @k() {\n"
        "  call void @missing()\n  ret void\n}";
