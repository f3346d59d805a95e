// SPDX-License-Identifier: MIT
// Files that are written whole, in a folder where others have prepared something.
#include "tests/unit/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/str.h"

static char folder[64], path[96], victim[96];

static void begin(void)
{
    strcpy(folder, "/tmp/gridcell-files-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(victim, sizeof victim, "%s/victim", folder);
}

// Nothing else was left behind.
static void finish(int expected)
{
    int count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        if (entry->d_name[0] == '.')
            continue;
        count++;
        unlinkat(dirfd(list), entry->d_name, 0);
    }
    closedir(list);
    CHECK_INT(count, expected);
    rmdir(folder);
}

static void check_content(const char *name, const char *expected)
{
    struct str text = {0};
    CHECK(str_append_file(&text, name));
    CHECK_STR(str_text(&text), expected);
    str_finish(&text);
}

static int mode_of(const char *name)
{
    struct stat status;
    CHECK(!lstat(name, &status));
    return (int)(status.st_mode & 07777);
}

static void write_victim(void)
{
    CHECK(file_replace(victim, "precious", 8, FILE_PRIVATE));
}

TEST(replaces_a_link_and_not_what_it_leads_to)
{
    struct stat status;
    begin();
    write_victim();
    CHECK(!symlink(victim, path));
    CHECK(file_replace(path, "new", 3, FILE_PRIVATE));
    check_content(victim, "precious");
    check_content(path, "new");
    CHECK(!lstat(path, &status) && S_ISREG(status.st_mode));
    finish(2);
}

TEST(replaces_one_name_of_several)
{
    begin();
    write_victim();
    CHECK(!link(victim, path));
    CHECK(file_replace(path, "new", 3, FILE_PRIVATE));
    check_content(victim, "precious");
    finish(2);
}

TEST(private_files_are_private_under_any_umask)
{
    static const mode_t masks[] = {0, 022, 077, 0277, 0777};
    begin();
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        mode_t before = umask(masks[i]);
        CHECK(file_replace(path, "new", 3, FILE_PRIVATE));
        umask(before);
        CHECK_INT(mode_of(path), 0600);
        unlink(path);
    }
    mode_t before = umask(027);
    CHECK(file_replace(path, "new", 3, FILE_SHARED));
    umask(before);
    CHECK_INT(mode_of(path), 0640);
    finish(1);
}

TEST(an_open_file_is_not_made_private_later)
{
    begin();
    CHECK(file_replace(path, "old", 3, FILE_SHARED));
    CHECK(!chmod(path, 0666));
    int fd = open(path, O_RDONLY);
    CHECK(file_replace(path, "secret", 6, FILE_PRIVATE));
    char seen[8] = {0};
    CHECK_INT(read(fd, seen, sizeof seen), 3); // who has the old one open sees no secret
    close(fd);
    CHECK_INT(mode_of(path), 0600);
    finish(1);
}

TEST(what_cannot_be_written_says_why_and_leaves_nothing)
{
    begin();
    CHECK(!mkdir(path, 0700));
    CHECK(!file_replace(path, "new", 3, FILE_PRIVATE));
    CHECK_INT(errno, EISDIR);
    rmdir(path);
    snprintf(path, sizeof path, "%s/none/file", folder);
    CHECK(!file_replace(path, "new", 3, FILE_PRIVATE));
    CHECK_INT(errno, ENOENT);
    CHECK(!file_replace("/dev/full/x", "new", 3, FILE_PRIVATE));
    CHECK_INT(errno, ENOTDIR);
    finish(0);
}

TEST(folders_are_for_this_user)
{
    begin();
    snprintf(path, sizeof path, "%s/a/file", folder);
    file_make_folders(path, 0700);
    CHECK(file_replace(path, "", 0, FILE_PRIVATE));
    unlink(path);
    *strrchr(path, '/') = '\0';
    CHECK_INT(mode_of(path), 0700);
    rmdir(path);
    finish(0);
}
