// SPDX-License-Identifier: MIT
// Frames of the Debug Adapter Protocol, whole, in pieces, and broken.
#include "tests/unit/test.h"

#include <sys/socket.h>
#include <unistd.h>

#include "kernel/debugger/dap.h"

// Both ends in one process: what is written to the second comes in at the first.
static int open_pair(struct dap *dap)
{
    int ends[2];
    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    *dap = (struct dap){.fd = ends[0]};
    return ends[1];
}

static bool put(struct dap *dap, int end, const char *text)
{
    struct error err = {0};
    return write(end, text, strlen(text)) == (ssize_t)strlen(text) &&
           dap_receive(dap, &err);
}

TEST(messages_come_back_as_sent)
{
    struct dap dap;
    int end = open_pair(&dap);
    struct dap other = {.fd = end};
    struct error err = {0};
    json_t *sent = json_pack("{s:s, s:i}", "command", "caf\xc3\xa9", "seq", 7);
    for (int i = 0; i < 3; i++)
        CHECK(dap_send(&other, sent, &err));
    CHECK(dap_receive(&dap, &err));
    for (int i = 0; i < 3; i++) {
        json_t *got = dap_next(&dap, &err);
        CHECK(json_equal(got, sent));
        json_decref(got);
    }
    CHECK(!dap_next(&dap, &err));
    CHECK_INT(err.kind, ERROR_NONE);
    json_decref(sent);
    dap_close(&other);
    CHECK(!dap_receive(&dap, &err)); // the other side is gone
    dap_close(&dap);
}

TEST(pieces_are_put_together)
{
    static const char text[] = "X-Other: 1\r\ncontent-length: 9\r\n\r\n{\"a\": 12}";
    struct dap dap;
    struct error err = {0};
    int end = open_pair(&dap);
    for (const char *at = text; *at; at++) {
        CHECK(!dap_next(&dap, &err));
        CHECK(put(&dap, end, (char[]){*at, '\0'}));
    }
    json_t *got = dap_next(&dap, &err);
    CHECK_INT(json_integer_value(json_object_get(got, "a")), 12);
    CHECK_INT(err.kind, ERROR_NONE);
    json_decref(got);
    dap_close(&dap);
    close(end);
}

// The text, so many times over, must end the connection.
static void check_breaks(const char *text, int times)
{
    struct dap dap;
    struct error err = {0};
    int end = open_pair(&dap);
    for (int i = 0; i < times; i++)
        CHECK(put(&dap, end, text));
    CHECK(!dap_next(&dap, &err));
    CHECK(err.kind != ERROR_NONE);
    dap_close(&dap);
    close(end);
}

TEST(broken_frames_are_errors)
{
    check_breaks("\r\n\r\n{}", 1);
    check_breaks("Content-Length: x\r\n\r\n{}", 1);
    check_breaks("Content-Length: 99999999999999\r\n\r\n", 1);
    check_breaks("Content-Length: 2\r\n\r\n[}", 1);
}

TEST(a_header_does_not_grow_for_ever)
{
    check_breaks("no header ", 1000);
}

TEST(nobody_listens)
{
    struct dap dap;
    struct error err = {0};
    CHECK(!dap_connect(&dap, "127.0.0.1", 1, &err));
    CHECK_INT(dap.fd, -1);
    CHECK(!dap_send(&dap, NULL, &err));
    err = (struct error){0};
    CHECK(!dap_connect(&dap, "nonsense", 1, &err));
}

TEST(a_length_is_in_its_own_line)
{
    static const char *const broken[] = {"Content-Length:\r\n\r\n7{\"a\": 1}",
            "Content-Length: \r\n\r\n2{}", "Content-Length: -1\r\n\r\n{}",
            "Content-Length: +2\r\n\r\n{}", "Content-Length: x2\r\n\r\n{}",
            "Content-Length: 99999999999999999999\r\n\r\n{}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct dap dap;
        struct error err = {0};
        int end = open_pair(&dap);
        CHECK(put(&dap, end, broken[i]));
        CHECK(!dap_next(&dap, &err));
        CHECK_CONTAINS(err.message, "without a length");
        close(end);
        dap_close(&dap);
    }
}
