// SPDX-License-Identifier: MIT
// Where libnvvm and libdevice are looked for, in folders made up for the test.
#include "tests/unit/test.h"

#include <sys/stat.h>

#include "compiler/backends/gpu/nvvm/search.h"

static char root[] = "/tmp/gridcell-toolkit-XXXXXX";

static void write_file(const char *path, const char *content)
{
    char full[512], *slash;
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (slash = full + strlen(root); (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    fputs(content, file);
    fclose(file);
}

static const char *in_root(const char *path)
{
    static char full[512];
    snprintf(full, sizeof full, "%s/%s", root, path);
    return full;
}

static bool is_first(const char *path, void *data)
{
    snprintf(data, 512, "%s", path);
    return true;
}

static const char *first_library(void)
{
    static char path[512];
    return nvvm_search_library(is_first, path) ? path : "";
}

TEST(environment_comes_first)
{
    REQUIRE(mkdtemp(root));
    write_file("home/nvvm/lib64/libnvvm.so.4", "");
    write_file("home/nvvm/libdevice/libdevice.10.bc", "of the toolkit");
    write_file("mine/libnvvm.so.3", "");
    write_file("mine/libnvvm.so.4", "");
    write_file("packages/nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so.4", "");
    write_file(
            "packages/nvidia/cuda_nvcc/nvvm/libdevice/libdevice.10.bc", "of a package");
    setenv("CUDA_HOME", in_root("home"), 1);
    unsetenv("GRIDCELL_NVVM");
    CHECK_STR(first_library(), in_root("home/nvvm/lib64/libnvvm.so.4"));
    setenv("GRIDCELL_NVVM", in_root("mine"), 1);
    CHECK_STR(first_library(), in_root("mine/libnvvm.so.4"));
    setenv("GRIDCELL_NVVM", in_root("mine/libnvvm.so.3"), 1);
    CHECK_STR(first_library(), in_root("mine/libnvvm.so.3"));
    unsetenv("GRIDCELL_NVVM");
}

static void check_libdevice(const char *libnvvm, const char *expected)
{
    size_t len = 0;
    char *content = nvvm_search_libdevice(libnvvm, &len);
    CHECK_INT(len, strlen(expected));
    CHECK(content && strncmp(content, expected, len) == 0);
    free(content);
}

TEST(libdevice_lies_beside_libnvvm)
{
    check_libdevice(NULL, "of the toolkit");
    check_libdevice(
            in_root("packages/nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so.4"), "of a package");
    check_libdevice(in_root("mine/libnvvm.so.4"), "of the toolkit");
}

static bool is_in_package(const char *path, void *data)
{
    return strstr(path, "/packages/nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so.4") != NULL;
}

TEST(packages_are_looked_through)
{
    CHECK(!nvvm_search_library(is_in_package, NULL));
    nvvm_search_add_packages(in_root("nowhere"));
    nvvm_search_add_packages(in_root("packages"));
    CHECK(nvvm_search_library(is_in_package, NULL));
    struct str places = {0};
    nvvm_search_describe(&places);
    CHECK_CONTAINS(str_text(&places), "nvidia/* in the folders of sys.path");
    str_finish(&places);
}

TEST(folders_are_removed)
{
    char command[600];
    snprintf(command, sizeof command, "rm -r %s", root);
    CHECK_INT(system(command), 0);
}
