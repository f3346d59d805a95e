// SPDX-License-Identifier: MIT
// Code on disk: what its key depends on, that it comes back and runs, and that files
// which are torn, of another version or no code at all do no harm.
#include "tests/unit/test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file_store.h"
#include "base/sha256.h"
#include "tests/unit/ir_builder.h"

enum { HEADER_BYTES = 32 }; // of file_store.c; the key follows

static char root[200], folder[250];

// A folder for each test.
static void open_folder(void)
{
    snprintf(root, sizeof root, "/tmp/gridcell-code-cache-XXXXXX");
    REQUIRE(mkdtemp(root));
    snprintf(folder, sizeof folder, "%s/cache", root);
}

// a * factor, compiled with the folders as its cache.
static struct compiled *build_times(int64_t factor, int opt_level,
        const char *const *folders, size_t folder_count, struct error *err)
{
    struct code_cache cache = {folders, folder_count, "test.times"};
    struct compile_options options = {.kind = COMPILE_FUNCTION,
            .target = TARGET_HOST,
            .opt_level = opt_level,
            .cache = &cache};
    start("gc_times_7", PARAMS(type_int64), type_int64);
    give(binary(BINARY_MUL, arg(0), integer(factor)));
    return compile_resolved(f, &options, err);
}

static struct compiled *times(int64_t factor, int opt_level)
{
    const char *folders[] = {folder};
    struct error err = {0};
    struct compiled *compiled = build_times(factor, opt_level, folders, 1, &err);
    if (!compiled)
        TEST_FAIL("times: %s", err.message);
    return compiled;
}

static int64_t run(const struct compiled *compiled, int64_t a)
{
    int64_t result = -1;
    CHECK_INT(compiled->entry(&result, &a), 0);
    return result;
}

// Compiles, checks how the cache took part and what the code does; the file's name.
static void check_times(int64_t factor, enum cache_outcome outcome, char *path)
{
    struct compiled *compiled = times(factor, 3);
    REQUIRE(compiled);
    CHECK_INT(compiled->cache_outcome, outcome);
    CHECK_INT(run(compiled, 5), 5 * factor);
    if (path)
        snprintf(path, 500, "%s", compiled->cache_file ? compiled->cache_file : "");
    drop(compiled, f);
}

static size_t read_file(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t len = file ? fread(bytes, 1, size, file) : 0;
    if (file)
        fclose(file);
    return len;
}

static void write_file(const char *path, const char *bytes, size_t len)
{
    FILE *file = fopen(path, "w");
    CHECK(file && fwrite(bytes, 1, len, file) == len);
    if (file)
        fclose(file);
}

TEST(code_comes_back_and_runs)
{
    char path[500], again[500];
    open_folder();
    check_times(3, CACHE_MISS, path);
    CHECK(!access(path, R_OK));
    CHECK(strstr(path, "/test.times-"));
    check_times(3, CACHE_HIT, again);
    CHECK_STR(again, path);
}

TEST(two_copies_of_one_object_live_side_by_side)
{
    open_folder();
    struct compiled *first = times(4, 3);
    struct ir_function *function = f;
    REQUIRE(first);
    struct compiled *second = times(4, 3);
    REQUIRE(second);
    CHECK_INT(second->cache_outcome, CACHE_HIT);
    CHECK((void *)first->entry != (void *)second->entry);
    CHECK_INT(run(first, 2), 8);
    drop(first, function);
    CHECK_INT(run(second, 3), 12);
    drop(second, f);
}

TEST(other_code_and_other_options_have_other_files)
{
    char paths[3][500];
    open_folder();
    check_times(3, CACHE_MISS, paths[0]);
    check_times(5, CACHE_MISS, paths[1]);
    struct compiled *plain = times(3, 0);
    REQUIRE(plain);
    CHECK_INT(plain->cache_outcome, CACHE_MISS);
    snprintf(paths[2], sizeof paths[2], "%s", plain->cache_file);
    drop(plain, f);
    CHECK(strcmp(paths[0], paths[1]) && strcmp(paths[0], paths[2]) &&
            strcmp(paths[1], paths[2]));
}

TEST(a_hit_is_shown_as_it_was_compiled)
{
    struct error err = {0};
    open_folder();
    struct compiled *made = times(6, 3);
    REQUIRE(made && made->llvm_ir);
    char *text = strdup(made->llvm_ir);
    drop(made, f);
    struct compiled *found = times(6, 3);
    REQUIRE(found);
    CHECK(!found->llvm_ir);
    const char *shown = compiled_llvm(found, &err);
    REQUIRE(shown);
    CHECK(strstr(shown, "mul") && strstr(text, "mul"));
    CHECK_INT(run(found, 7), 42);
    drop(found, f);
    free(text);
}

TEST(torn_and_changed_files_count_as_none)
{
    static char bytes[1 << 16], changed[1 << 16];
    char path[500];
    open_folder();
    check_times(3, CACHE_MISS, path);
    size_t len = read_file(path, bytes, sizeof bytes);
    REQUIRE(len > HEADER_BYTES + SHA256_BYTES && len < sizeof bytes);
    static const size_t cuts[] = {0, 7, HEADER_BYTES, HEADER_BYTES + SHA256_BYTES};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        write_file(path, bytes, cuts[i]);
        check_times(3, CACHE_MISS, NULL);
        check_times(3, CACHE_HIT, NULL);
    }
    write_file(path, bytes, len - 1);
    check_times(3, CACHE_MISS, NULL);
    static const size_t flips[] = {0, 7, HEADER_BYTES, HEADER_BYTES + SHA256_BYTES + 1};
    for (size_t i = 0; i < sizeof flips / sizeof *flips; i++) {
        memcpy(changed, bytes, len);
        changed[flips[i]] ^= 1; // 7: the store's version
        write_file(path, changed, len);
        check_times(3, CACHE_MISS, NULL);
    }
    check_times(3, CACHE_HIT, NULL);
}

TEST(what_is_no_object_is_refused)
{
    static char bytes[1 << 16];
    char path[500];
    open_folder();
    check_times(3, CACHE_MISS, path);
    REQUIRE(read_file(path, bytes, sizeof bytes) > HEADER_BYTES + SHA256_BYTES);
    char *name = strrchr(path, '/') + 1;
    *strrchr(name, '.') = 0;
    struct file_store store = {folder, ".gco"};
    const char *folders[] = {folder};
    static const char content[] =
            "no ELF at all, but longer than its header, which counts "
            "sections and strings";
    struct error err = {0}, failure = {0};
    REQUIRE(file_store_write(&store, name, bytes + HEADER_BYTES, SHA256_BYTES, content,
            sizeof content, &err));
    CHECK(!build_times(3, 3, folders, 1, &failure));
    CHECK_INT(failure.kind, ERROR_LOWERING);
    CHECK(strstr(failure.message, "damaged"));
    ir_function_destroy(f);
}

TEST(folders_are_tried_in_order)
{
    char blocked[250], file[250];
    struct error err = {0};
    open_folder();
    snprintf(file, sizeof file, "%s/file", root);
    snprintf(blocked, sizeof blocked, "%s/file/cache", root); // below a file: no folder
    write_file(file, "", 0);
    const char *both[] = {blocked, folder}, *none[] = {blocked};
    struct compiled *compiled = build_times(9, 3, both, 2, &err);
    REQUIRE(compiled);
    CHECK_INT(compiled->cache_outcome, CACHE_MISS);
    CHECK(compiled->cache_file && !strncmp(compiled->cache_file, folder, strlen(folder)));
    CHECK(!compiled->cache_failure);
    drop(compiled, f);
    compiled = build_times(9, 3, none, 1, &err);
    REQUIRE(compiled);
    CHECK_INT(compiled->cache_outcome, CACHE_MISS);
    CHECK(!compiled->cache_file && compiled->cache_failure);
    CHECK_INT(run(compiled, 2), 18);
    drop(compiled, f);
}

TEST(names_lose_what_differs_between_processes)
{
    struct arena arena = {0};
    CHECK_STR(backend_plain_name(&arena, "gc_times_12"), "times");
    CHECK_STR(backend_plain_name(&arena, "gc_times_12.entry"), "times.entry");
    CHECK_STR(backend_plain_name(&arena, "times12"), "times12");
    arena_finish(&arena);
}
