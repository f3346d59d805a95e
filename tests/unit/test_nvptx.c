// SPDX-License-Identifier: MIT
// LLVM's NVPTX route: every case compiles and assembles, what would abort is refused, and
// the choice between the routes.
#include "tests/unit/test.h"

#include "compiler/backends/gpu/module/ptx_module.h"
#include "compiler/backends/gpu/nvptx/nvptx.h"
#include "compiler/backends/gpu/nvvm/nvvm.h"
#include "tests/unit/gpu_checks.h"

static LLVMModuleRef parse(const char *ir)
{
    return gpu_case_parse(LLVMGetGlobalContext(), ir);
}

static void check_compiles(
        const struct gpu_case *gpu_case, int cc, const char *arch, int optimization)
{
    struct error err = {0};
    struct str ptx = {0};
    struct ptx_options options = ptx_options_default();
    options.optimization = optimization;
    LLVMModuleRef module = parse(str_text(&gpu_case->ir));
    REQUIRE(module);
    bool is_done = nvptx_compile(module, cc, &options, &ptx, &err);
    if (!is_done && err.kind == ERROR_DEVICE_SUPPORT)
        SKIP(err.message); // no math library here
    if (!is_done)
        TEST_FAIL("%s, sm_%d: %s", gpu_case->name, cc, err.message);
    else if (gpu_case->ptx[0] && !strstr(str_text(&ptx), gpu_case->ptx))
        TEST_FAIL("%s, sm_%d: PTX lacks %s:\n%s", gpu_case->name, cc, gpu_case->ptx,
                str_text(&ptx));
    else if (arch && !gpu_assemble(str_text(&ptx), arch))
        TEST_FAIL("%s, sm_%d: ptxas refuses\n%s", gpu_case->name, cc, str_text(&ptx));
    LLVMDisposeModule(module);
    str_finish(&ptx);
}

static void check_architectures(const struct gpu_case *gpu_case)
{
    bool have_ptxas = gpu_have_ptxas();
    check_compiles(gpu_case, 75, have_ptxas ? "sm_75" : NULL, 3);
    check_compiles(gpu_case, 90, have_ptxas ? "sm_90" : NULL, 3);
    check_compiles(gpu_case, 120, NULL, 0);
}

TEST(nvptx_takes_every_case)
{
    CHECK(gpu_cases_each(check_architectures) > 15);
}

// "i32 @llvm.abs.i32(i32, i1=false)" -> its declaration, and a kernel that calls it.
static void add_intrinsic(struct str *ir, const char *line, int number)
{
    struct str types = {0}, params = {0}, args = {0};
    int result_len = (int)(strstr(line, " @") - line);
    const char *name = line + result_len + 1;
    int name_len = (int)strcspn(name, "(");
    const char *arg = name + name_len + 1, *end = strrchr(line, ')');
    for (int i = 0; arg < end; i++) {
        const char *comma = strstr(arg, ", ");
        int len = (int)((comma ? comma : end) - arg),
            type_len = (int)strcspn(arg, "=,\n");
        if (type_len > len)
            type_len = len;
        str_printf(&types, "%s%.*s", i ? ", " : "", type_len, arg);
        str_printf(&args, "%s%.*s ", i ? ", " : "", type_len, arg);
        if (type_len < len) {
            str_printf(&args, "%.*s", len - type_len - 1, arg + type_len + 1);
        } else {
            str_printf(&args, "%%x%d", i);
            str_printf(&params, ", %.*s %%x%d", type_len, arg, i);
        }
        arg += len + 2;
    }
    bool is_void = strncmp(line, "void ", 5) == 0;
    str_printf(ir, "declare %.*s %.*s(%s)\n", result_len, line, name_len, name,
            str_text(&types));
    str_printf(
            ir, "define ptx_kernel void @k%d(ptr %%p%s) {\n", number, str_text(&params));
    str_printf(ir, "  %scall %.*s %.*s(%s)\n", is_void ? "" : "%r = ", result_len, line,
            name_len, name, str_text(&args));
    if (!is_void)
        str_printf(ir, "  store %.*s %%r, ptr %%p\n", result_len, line);
    str_append(ir, "  ret void\n}\n");
    str_finish(&types), str_finish(&params), str_finish(&args);
}

TEST(everything_white_listed_compiles)
{
    char line[256];
    struct gpu_case all = {.name = "intrinsics"};
    FILE *file = fopen(TEST_DATA "/nvptx_intrinsics.txt", "r");
    REQUIRE(file);
    int count = 0;
    while (fgets(line, sizeof line, file))
        add_intrinsic(&all.ir, line, count++);
    fclose(file);
    CHECK(count > 400);
    check_compiles(&all, 90, gpu_have_ptxas() ? "sm_90" : NULL, 3);
    check_compiles(&all, 90, NULL, 0);
    str_finish(&all.ir);
}

// Each would end the process in code generation.
static const struct {
    const char *ir, *message;
} REFUSED[] = {
        {"define ptx_kernel void @k(ptr %p) {\n  %x = load fp128, ptr %p\n"
         "  %y = fadd fp128 %x, %x\n  store fp128 %y, ptr %p\n  ret void\n}",
                "type"},
        {"define ptx_kernel void @k(ptr %p, i128 %i) {\n  %x = sitofp i128 %i to double\n"
         "  store double %x, ptr %p\n  ret void\n}",
                "conversion"},
        {"declare half @llvm.pow.f16(half, half)\ndefine ptx_kernel void @k(ptr %p) {\n"
         "  %x = load half, ptr %p\n  %y = call half @llvm.pow.f16(half %x, half %x)\n"
         "  store half %y, ptr %p\n  ret void\n}",
                "intrinsic"},
        {"define ptx_kernel void @k(ptr addrspace(3) %s, ptr %p) {\n"
         "  %g = addrspacecast ptr addrspace(3) %s to ptr addrspace(1)\n"
         "  %x = load i32, ptr addrspace(1) %g\n  store i32 %x, ptr %p\n  ret void\n}",
                "address spaces"},
        {"declare ptr @llvm.stacksave.p0()\ndefine ptx_kernel void @k(ptr %p) {\n"
         "  %x = call ptr @llvm.stacksave.p0()\n  store ptr %x, ptr %p\n  ret void\n}",
                "intrinsic"},
        {"declare void @llvm.nvvm.nanosleep(i32)\ndefine ptx_kernel void @k() {\n"
         "  call void @llvm.nvvm.nanosleep(i32 1)\n  ret void\n}",
                "compute capability 6.0"},
};

TEST(nvptx_refuses_what_it_cannot_select)
{
    struct ptx_options options = ptx_options_default();
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        gpu_check_refused(nvptx_compile, REFUSED[i].ir, 60, &options, ERROR_NVVM,
                REFUSED[i].message);
    gpu_check_refused(
            nvptx_compile, gpu_calls_missing, 60, &options, ERROR_LOWERING, "'missing'");
}

static const char MULTIPLY_ADD[] =
        "define ptx_kernel void @k(ptr %p, float %a, float %b) {\n"
        "  %c = fmul float %a, %b\n  %d = fadd float %c, %a\n"
        "  %e = fdiv float %d, %b\n"
        "  store float %e, ptr %p\n  ret void\n}";

TEST(options_reach_the_code)
{
    struct ptx_options options = ptx_options_default(), fast = ptx_options_fastmath();
    gpu_check_ptx(nvptx_compile, MULTIPLY_ADD, 80, &options, "fma.rn.f32", "div.rn.f32");
    options.separate_multiply_add = true;
    gpu_check_ptx(nvptx_compile, MULTIPLY_ADD, 80, &options, "mul.rn.f32", "");
    gpu_check_ptx(nvptx_compile, MULTIPLY_ADD, 80, &fast, "fma.rn.ftz.f32",
            "div.approx.ftz.f32");
}

// A sum of two float16, and what is done with it.
#define OF_HALVES(then)                                                                  \
    "define ptx_kernel void @k(ptr addrspace(1) %p, half %a, half %b) {\n"               \
    "  %c = fadd half %a, %b\n" then "  ret void\n}"

TEST(bytes_of_halves_are_no_numbers)
{
    struct ptx_options options = ptx_options_default();
    static const char at_odd_place[] =
            OF_HALVES("  store half %c, ptr addrspace(1) %p, align 1\n");
    static const char lower_byte[] =
            OF_HALVES("  %i = bitcast half %c to i16\n  %l = trunc i16 %i to i8\n"
                      "  store i8 %l, ptr addrspace(1) %p\n");
    for (int optimization = 0; optimization <= 3; optimization += 3) {
        options.optimization = optimization;
        gpu_check_ptx(
                nvptx_compile, at_odd_place, 90, &options, "mov.b16 %rs", "st.global.u8");
        gpu_check_ptx(
                nvptx_compile, lower_byte, 90, &options, "mov.b16 %rs", "st.global.u8");
    }
}

TEST(registers_are_limited_by_both_routes)
{
    struct error err = {0};
    struct ptx_options options = ptx_options_default();
    options.max_registers = 24;
    gpu_check_ptx(nvptx_compile, MULTIPLY_ADD, 80, &options, ".maxnreg 24", "");
    for (int cc = 90; cc <= 100 && nvvm_is_available(&err); cc += 10)
        gpu_check_ptx(nvvm_compile, MULTIPLY_ADD, cc, &options, ".maxnreg 24", "");
}

TEST(ptx_is_never_newer_than_the_driver)
{
    struct ptx_options options = ptx_options_default();
    CHECK_INT(ptx_version("//\n.version 7.0\n.target sm_80\n"), 70);
    options.max_ptx_version = 70;
    gpu_check_ptx(
            ptx_compile, MULTIPLY_ADD, 90, &options, ".version 7.0", ".target sm_80");
    options.max_ptx_version = 30;
    gpu_check_refused(ptx_compile, MULTIPLY_ADD, 90, &options, ERROR_DEVICE_SUPPORT, "");
}

TEST(environment_chooses_the_route)
{
    struct error err = {0};
    struct ptx_options options = ptx_options_default();
    setenv("GRIDCELL_PTX", "nvptx", 1);
    gpu_check_ptx(ptx_compile, MULTIPLY_ADD, 90, &options,
            "Generated by LLVM NVPTX Back-End", "");
    setenv("GRIDCELL_PTX", "nvvm", 1);
    if (nvvm_is_available(&err))
        gpu_check_ptx(ptx_compile, MULTIPLY_ADD, 90, &options,
                "Generated by NVIDIA NVVM Compiler", "");
    setenv("GRIDCELL_PTX", "other", 1);
    gpu_check_refused(
            ptx_compile, MULTIPLY_ADD, 90, &options, ERROR_VALUE, "GRIDCELL_PTX=other");
    unsetenv("GRIDCELL_PTX");
}
