// SPDX-License-Identifier: MIT
// LLVM 7 text: what it looks like, that libnvvm takes it, and that its PTX assembles.
#include "tests/unit/test.h"

#include "compiler/backends/gpu/llvm7/writer.h"
#include "compiler/backends/gpu/nvvm/nvvm.h"
#include "tests/unit/gpu_checks.h"

static LLVMModuleRef parse(const char *ir)
{
    return gpu_case_parse(LLVMGetGlobalContext(), ir);
}

static void check_writes(const struct gpu_case *gpu_case)
{
    struct error err = {0};
    struct str text = {0};
    LLVMModuleRef module = parse(str_text(&gpu_case->ir));
    REQUIRE(module);
    char *before = LLVMPrintModuleToString(module);
    if (!llvm7_write(module, &text, &err))
        TEST_FAIL("%s: %s", gpu_case->name, err.message);
    char *after = LLVMPrintModuleToString(module);
    CHECK_STR(after, before);
    CHECK_CONTAINS(str_text(&text), "!nvvmir.version = !{!0}");
    CHECK(!strstr(str_text(&text), " ptr "));
    LLVMDisposeMessage(before);
    LLVMDisposeMessage(after);
    LLVMDisposeModule(module);
    str_finish(&text);
}

TEST(writes_every_case_and_leaves_the_module_alone)
{
    CHECK(gpu_cases_each(check_writes) > 15);
}

static bool compile_case(const struct gpu_case *gpu_case, int cc, struct str *ptx)
{
    struct error err = {0};
    struct ptx_options options = ptx_options_default();
    LLVMModuleRef module = parse(str_text(&gpu_case->ir));
    bool is_done = module && nvvm_compile(module, cc, &options, ptx, &err);
    if (!is_done)
        TEST_FAIL("%s, compute_%d: %s", gpu_case->name, cc, err.message);
    if (module)
        LLVMDisposeModule(module);
    return is_done;
}

static void check_compiles(const struct gpu_case *gpu_case, int cc, const char *arch)
{
    struct str ptx = {0};
    if (compile_case(gpu_case, cc, &ptx)) {
        if (gpu_case->ptx[0] && !strstr(str_text(&ptx), gpu_case->ptx))
            TEST_FAIL("%s, compute_%d: PTX lacks %s:\n%s", gpu_case->name, cc,
                    gpu_case->ptx, str_text(&ptx));
        if (arch && !gpu_assemble(str_text(&ptx), arch))
            TEST_FAIL("%s, compute_%d: ptxas refuses\n%s", gpu_case->name, cc,
                    str_text(&ptx));
    }
    str_finish(&ptx);
}

static void check_architectures(const struct gpu_case *gpu_case)
{
    bool have_ptxas = gpu_have_ptxas();
    check_compiles(gpu_case, 75, have_ptxas ? "sm_75" : NULL);
    check_compiles(gpu_case, 90, NULL);
    check_compiles(gpu_case, 100, have_ptxas ? "sm_100" : NULL);
}

TEST(libnvvm_takes_every_case)
{
    struct error err = {0};
    if (!nvvm_is_available(&err))
        SKIP(err.message);
    CHECK(gpu_cases_each(check_architectures) > 15);
}

TEST(unknown_capability_takes_the_nearest_below)
{
    static const char empty[] = "define ptx_kernel void @k() {\n  ret void\n}";
    struct error err = {0};
    struct ptx_options options = ptx_options_default();
    if (!nvvm_is_available(&err))
        SKIP(err.message);
    gpu_check_ptx(nvvm_compile, empty, 99, &options, ".target sm_90", "");
    if (nvvm_version() >= 200) // that of CUDA 13, which has left sm_70 behind
        gpu_check_refused(nvvm_compile, empty, 70, &options, ERROR_DEVICE_SUPPORT, "");
    gpu_check_refused(nvvm_compile, empty, 20, &options, ERROR_DEVICE_SUPPORT, "");
}

static void check_refuses(const char *ir, const char *message)
{
    struct error err = {0};
    struct str text = {0};
    LLVMModuleRef module = parse(ir);
    REQUIRE(module);
    CHECK(!llvm7_write(module, &text, &err));
    CHECK_INT(err.kind, ERROR_NVVM);
    CHECK_CONTAINS(err.message, message);
    CHECK_INT(text.len, 0);
    LLVMDisposeModule(module);
}

TEST(names_what_it_cannot_say)
{
    check_refuses("define void @f(ptr %p) {\n  %x = load bfloat, ptr %p\n  ret void\n}",
            "type bfloat in 'f', '%v0 = load bfloat, ptr %a0");
    check_refuses(
            "define void @f(ptr %p) {\n  %x = atomicrmw add ptr %p, i16 1 monotonic\n"
            "  ret void\n}",
            "atomic of this width in 'f'");
    check_refuses(
            "define void @f(ptr %p, ptr %q) {\n  %x = va_arg ptr %p, i32\n  ret void\n}",
            "va_arg");
    check_refuses("@a = global i32 1\n@b = alias i32, ptr @a", "alias 'b'");
    check_refuses("define void @f(<vscale x 2 x i32> %x) {\n  ret void\n}", "vscale");
}

TEST(undefined_functions_are_named)
{
    struct error err = {0};
    struct ptx_options options = ptx_options_default();
    if (!nvvm_is_available(&err))
        SKIP(err.message);
    gpu_check_refused(
            nvvm_compile, gpu_calls_missing, 90, &options, ERROR_LOWERING, "'missing'");
}

TEST(fast_math_options_reach_the_code)
{
    struct error err = {0};
    struct ptx_options options = ptx_options_fastmath();
    if (!nvvm_is_available(&err))
        SKIP(err.message);
    gpu_check_ptx(nvvm_compile,
            "define ptx_kernel void @k(ptr %p, float %a, float %b) {\n"
            "  %c = fdiv float %a, %b\n  store float %c, ptr %p\n"
            "  ret void\n}",
            90, &options, "div.full.ftz.f32", "");
}
