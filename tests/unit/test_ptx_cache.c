// SPDX-License-Identifier: MIT
// PTX on disk: what its key depends on, and that it comes back as it was put.
#include "tests/unit/test.h"

#include <sys/stat.h>

#include "compiler/backends/gpu/ptx_cache.h"
#include "tests/unit/gpu_cases.h"

static const char FIRST[] = "define ptx_kernel void @k(ptr %p) {\n"
                            "  store i32 1, ptr %p\n  ret void\n}\n",
                  SECOND[] = "define ptx_kernel void @k(ptr %p) {\n"
                             "  store i32 2, ptr %p\n  ret void\n}\n";

// A toolkit whose libnvvm is an empty file, and a folder for caches.
static void open_folders(void)
{
    static char root[] = "/tmp/gridcell-ptx-cache-XXXXXX";
    static bool is_made;
    char path[200];
    if (is_made)
        return;
    is_made = mkdtemp(root);
    static const char *const folders[] = {"", "/nvvm", "/nvvm/lib64", "/cache"};
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s%s", root, folders[i]);
        mkdir(path, 0700);
    }
    setenv("GRIDCELL_CACHE_DIR", path, 1);
    setenv("CUDA_HOME", root, 1);
    snprintf(path, sizeof path, "%s/nvvm/lib64/libnvvm.so", root);
    fclose(fopen(path, "w"));
}

static bool key_of(
        struct ptx_key *key, const char *ir, int cc, const struct ptx_options *options)
{
    open_folders();
    LLVMModuleRef module = gpu_case_parse(LLVMGetGlobalContext(), ir);
    bool is_wanted = module && ptx_cache_key(key, module, cc, options);
    LLVMDisposeModule(module);
    return is_wanted;
}

TEST(equal_modules_have_equal_keys_and_different_ones_have_not)
{
    struct ptx_options options = ptx_options_default(), bounded = options,
                       fast = ptx_options_fastmath();
    bounded.max_registers = 32;
    struct ptx_key key, same, others[4];
    REQUIRE(key_of(&key, FIRST, 90, &options));
    CHECK(key_of(&same, FIRST, 90, &options));
    CHECK(!memcmp(&key, &same, sizeof key));
    CHECK(key_of(&others[0], SECOND, 90, &options));
    CHECK(key_of(&others[1], FIRST, 80, &options));
    CHECK(key_of(&others[2], FIRST, 90, &bounded));
    CHECK(key_of(&others[3], FIRST, 90, &fast));
    for (size_t i = 0; i < 4; i++)
        CHECK(memcmp(&key, &others[i], sizeof key));
}

TEST(what_was_put_comes_back)
{
    struct ptx_options options = ptx_options_default();
    struct ptx_key key, other;
    struct str ptx = {0}, back = {0};
    REQUIRE(key_of(&key, FIRST, 90, &options) && key_of(&other, SECOND, 90, &options));
    CHECK(!ptx_cache_get(&key, &back));
    str_append_bytes(&ptx, "ltoir\0with zeros", 16);
    ptx_cache_put(&key, &ptx);
    CHECK(!ptx_cache_get(&other, &back));
    CHECK(ptx_cache_get(&key, &back));
    CHECK_INT(back.len, 16);
    CHECK(!memcmp(back.text, ptx.text, 16));
    str_finish(&ptx);
    str_finish(&back);
}

TEST(nothing_is_kept_where_no_caches_are_wanted)
{
    struct ptx_options options = ptx_options_default();
    struct ptx_key key;
    REQUIRE(key_of(&key, FIRST, 90, &options));
    setenv("GRIDCELL_CACHE_DIR", "", 1);
    CHECK(!key_of(&key, FIRST, 90, &options));
}
