// SPDX-License-Identifier: MIT
// A file of a cache: the bytes as a file, and with a checksum that is right, as who
// writes it can make it so.
#include "tests/fuzz/targets/target.h"

#include <sys/stat.h>

#include "base/file_store.h"
#include "base/map.h"

enum { HEADER_BYTES = 32, CHECKSUM_AT = 24 };

static char folder[64];

static void remove_folder(void)
{
    rmdir(folder);
}

static void read_back(const struct file_store *store, const char *key)
{
    size_t content_bytes = 0;
    char *content = file_store_read(store, "f", key, strlen(key), &content_bytes);
    if (content)
        REQUIRE(content_bytes > 0);
    free(content);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!folder[0]) {
        strcpy(folder, "/tmp/fuzz-cache-XXXXXX");
        REQUIRE(mkdtemp(folder) && !atexit(remove_folder));
    }
    const struct file_store store = {folder, ".x"};
    struct error err = {0};
    char path[80];
    snprintf(path, sizeof path, "%s/f.x", folder);
    uint8_t *copy = malloc(size + 1);
    memcpy(copy, data, size);
    for (int is_signed = 0; is_signed < 2; is_signed++) {
        if (is_signed && size > HEADER_BYTES) {
            uint64_t sum = map_hash((char *)copy + HEADER_BYTES, size - HEADER_BYTES);
            memcpy(copy + CHECKSUM_AT, &sum, sizeof sum);
        }
        FILE *file = fopen(path, "wb");
        REQUIRE(file && fwrite(copy, 1, size, file) == size && !fclose(file));
        REQUIRE(!chmod(path, 0600));
        read_back(&store, "");
        read_back(&store, "k");
        read_back(
                &store, "a longer key than most files hold, so that sizes are compared");
    }
    // what is written is read, whatever stood there before
    REQUIRE(file_store_write(&store, "f", "k", 1, copy, size, &err));
    size_t content_bytes = 0;
    char *content = file_store_read(&store, "f", "k", 1, &content_bytes);
    REQUIRE(size ? content && content_bytes == size && !memcmp(content, copy, size)
                 : !content);
    free(content);
    free(copy);
    unlink(path);
    return 0;
}
