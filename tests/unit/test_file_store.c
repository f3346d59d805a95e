// SPDX-License-Identifier: MIT
// Files by key: what is read back, what counts as none, what is deleted; SHA-256.
#include "tests/unit/test.h"

#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/file_store.h"
#include "base/sha256.h"

static char folder[64];
static struct file_store store = {folder, ".kept"};

static void open_folder(void)
{
    strcpy(folder, "/tmp/test_storeXXXXXX");
    if (!mkdtemp(folder))
        TEST_FAIL("no folder");
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s.kept", folder, name);
    return path;
}

static void close_folder(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK_INT(system(command), 0);
}

static bool keep(const char *name, const char *key, const char *content)
{
    struct error err = {0};
    return file_store_write(
            &store, name, key, strlen(key), content, strlen(content), &err);
}

// Whether the content is found under the key.
static bool holds(const char *name, const char *key, const char *content)
{
    size_t size_bytes = 0;
    char *found = file_store_read(&store, name, key, strlen(key), &size_bytes);
    bool is_same =
            found && size_bytes == strlen(content) && !memcmp(found, content, size_bytes);
    free(found);
    return is_same;
}

TEST(content_comes_back_for_its_key_alone)
{
    open_folder();
    CHECK(!holds("a", "key", "content"));
    CHECK(keep("a", "key", "content"));
    CHECK(holds("a", "key", "content"));
    CHECK(!holds("a", "kez", "content"));
    CHECK(!holds("a", "keycontent", ""));
    CHECK(keep("a", "key", "newer"));
    CHECK(holds("a", "key", "newer"));
    close_folder();
}

// An exchange of one file.
static struct {
    char name[32], *bytes;
    size_t size_bytes;
    int fetches;
} others;

static char *fetch_one(const char *name, size_t *size_bytes)
{
    others.fetches++;
    if (!others.bytes || strcmp(name, others.name))
        return NULL;
    char *copy = malloc(others.size_bytes);
    *size_bytes = others.size_bytes;
    return memcpy(copy, others.bytes, others.size_bytes);
}

static void offer_one(const char *name, const void *bytes, size_t size_bytes)
{
    free(others.bytes);
    snprintf(others.name, sizeof others.name, "%s", name);
    others.bytes = memcpy(malloc(size_bytes), bytes, size_bytes);
    others.size_bytes = size_bytes;
}

TEST(what_the_disk_lacks_comes_from_an_exchange)
{
    static const struct file_exchange exchange = {fetch_one, offer_one};
    open_folder();
    file_store_join(&exchange);
    CHECK(keep("a", "key", "content"));
    CHECK(holds("a", "key", "content"));
    CHECK_INT(others.fetches, 0);
    CHECK(!unlink(path_of("a")));
    CHECK(holds("a", "key", "content"));
    CHECK(!holds("a", "kez", "content"));
    CHECK(!holds("b", "key", "content"));
    others.bytes[others.size_bytes - 1] ^= 1;
    CHECK(!holds("a", "key", "content"));
    others.size_bytes = 3;
    CHECK(!holds("a", "key", "content"));
    store.folder = NULL; // the exchange alone
    CHECK(keep("c", "key", "content"));
    CHECK(holds("c", "key", "content"));
    file_store_trim(&store, 0);
    store.folder = folder;
    file_store_join(NULL);
    CHECK(!holds("c", "key", "content"));
    CHECK(!file_store_is_joined());
    free(others.bytes);
    close_folder();
}

TEST(folders_are_made_for_the_user_alone)
{
    struct stat status;
    open_folder();
    char deep[96];
    snprintf(deep, sizeof deep, "%s/some/deep", folder);
    struct file_store inside = {deep, ".kept"};
    struct error err = {0};
    CHECK(file_store_write(&inside, "a", "k", 1, "c", 1, &err));
    CHECK(!stat(deep, &status));
    CHECK_INT(status.st_mode & 0777, 0700);
    close_folder();
}

TEST(damaged_files_count_as_none)
{
    open_folder();
    CHECK(keep("a", "key", "a longer content than before"));
    const char *path = path_of("a");
    FILE *file = fopen(path, "r+b");
    REQUIRE(file);
    fseek(file, -3, SEEK_END);
    fputc('!', file);
    fclose(file);
    CHECK(!holds("a", "key", "a longer content than before"));
    for (int size = 50; size >= 0; size -= 10) {
        CHECK(!truncate(path, size));
        CHECK(!holds("a", "key", "a longer content than before"));
    }
    CHECK(keep("a", "key", "again"));
    CHECK(holds("a", "key", "again"));
    close_folder();
}

TEST(files_that_others_may_have_written_count_as_none)
{
    open_folder();
    CHECK(keep("a", "key", "content"));
    CHECK(!chmod(path_of("a"), 0666));
    CHECK(!holds("a", "key", "content"));
    CHECK(!chmod(path_of("a"), 0644));
    CHECK(holds("a", "key", "content"));
    char target[128];
    snprintf(target, sizeof target, "%s", path_of("a"));
    CHECK(!symlink(target, path_of("link")));
    CHECK(!holds("link", "key", "content"));
    CHECK(!mkdir(path_of("folder"), 0700));
    CHECK(!holds("folder", "key", "content"));
    CHECK(!mkfifo(path_of("pipe"), 0600));
    CHECK(!holds("pipe", "key", "content"));
    close_folder();
}

TEST(failures_to_write_are_told)
{
    struct error err = {0};
    struct file_store nowhere = {"/proc/none", ".kept"};
    CHECK(!file_store_write(&nowhere, "a", "k", 1, "c", 1, &err));
    CHECK_INT(err.kind, ERROR_SYSTEM);
    CHECK_CONTAINS(err.message, "/proc/none");
}

static void set_age(const char *path, long seconds)
{
    struct timeval now, times[2];
    gettimeofday(&now, NULL);
    times[0] = times[1] = (struct timeval){now.tv_sec - seconds, 0};
    CHECK(!utimes(path, times));
}

TEST(what_was_used_longest_ago_goes_first)
{
    open_folder();
    char content[1001];
    memset(content, 'x', 1000);
    content[1000] = '\0';
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        CHECK(keep(names[i], "key", content));
        set_age(path_of(names[i]), 5000 - 1000 * i);
    }
    CHECK(holds("a", "key", content)); // which makes it the youngest
    char other[128], torn[128];
    snprintf(other, sizeof other, "%s/other.txt", folder);
    snprintf(torn, sizeof torn, "%s/e.kept.1.2.tmp", folder);
    fclose(fopen(other, "w"));
    fclose(fopen(torn, "w"));
    set_age(torn, 100000);
    file_store_trim(&store, 2500);
    CHECK(holds("a", "key", content));
    CHECK(!holds("b", "key", content));
    CHECK(!holds("c", "key", content));
    CHECK(holds("d", "key", content));
    CHECK(!access(other, F_OK));
    CHECK(access(torn, F_OK));
    file_store_trim(&store, 0);
    CHECK(!holds("a", "key", content));
    close_folder();
}

static const char *digest_of(const char *text, size_t repeat)
{
    static char hex[2 * SHA256_BYTES + 1];
    unsigned char digest[SHA256_BYTES];
    struct sha256 sha;
    sha256_init(&sha);
    for (size_t i = 0; i < repeat; i++)
        sha256_add(&sha, text, strlen(text));
    sha256_finish(&sha, digest);
    for (int i = 0; i < SHA256_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    return hex;
}

// The examples of FIPS 180-2, appendix B.
TEST(sha256_is_that_of_the_standard)
{
    CHECK_STR(digest_of("", 1),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK_STR(digest_of("abc", 1),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_STR(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK_STR(digest_of("aaaaaaaaaa", 100000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(this_build_has_an_identity)
{
    struct str id = {0};
    build_id_append(&id);
    CHECK(id.len >= 16);
    CHECK_INT(strspn(id.text, "0123456789abcdef"), id.len);
    str_finish(&id);
}
