// SPDX-License-Identifier: MIT
// Which modules for the GPU have functions that may come to call themselves.
#include "tests/unit/test.h"

#include "compiler/backends/gpu/module/call_graph.h"
#include "tests/unit/gpu_cases.h"

static bool recurses(const char *ir)
{
    LLVMModuleRef module = gpu_case_parse(LLVMGetGlobalContext(), ir);
    bool found = gpu_module_recurses(module);
    LLVMDisposeModule(module);
    return found;
}

TEST(functions_that_call_others)
{
    CHECK(!recurses("define void @a() {\n  ret void\n}\n"));
    CHECK(!recurses(
            "declare void @outside()\n"
            "define void @a() {\n  call void @b()\n  call void @c()\n  ret void\n}\n"
            "define void @b() {\n  call void @c()\n  call void @c()\n  ret void\n}\n"
            "define void @c() {\n  call void @outside()\n  ret void\n}\n"));
    CHECK(!recurses("@llvm.used = appending global [1 x ptr] [ptr @a]\n"
                    "define void @a() {\n  ret void\n}\n"));
}

TEST(functions_that_come_back)
{
    CHECK(recurses("define void @a() {\n  call void @a()\n  ret void\n}\n"));
    CHECK(recurses("define void @k() {\n  call void @a()\n  ret void\n}\n"
                   "define void @a() {\n  call void @b()\n  ret void\n}\n"
                   "define void @b() {\n  call void @c()\n  ret void\n}\n"
                   "define void @c() {\n  call void @a()\n  ret void\n}\n"));
}

TEST(functions_that_are_called_by_their_address)
{
    CHECK(recurses("define void @a(ptr %p) {\n  store ptr @b, ptr %p\n  ret void\n}\n"
                   "define void @b() {\n  ret void\n}\n"));
    CHECK(recurses("declare void @outside(ptr)\n"
                   "define void @a() {\n  call void @outside(ptr @b)\n  ret void\n}\n"
                   "define void @b() {\n  ret void\n}\n"));
}
