// SPDX-License-Identifier: MIT
// The connection file: what is accepted, and the words for what is not.
#include "tests/unit/test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "kernel/protocol/connection.h"

static const char *write_temporary(const char *text)
{
    static char path[64];
    strcpy(path, "/tmp/gridcell-test-XXXXXX");
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    CHECK_INT(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return path;
}

#define PORTS                                                                            \
    "\"shell_port\": 1, \"control_port\": 2, \"stdin_port\": 3, \"iopub_port\": 4, "     \
    "\"hb_port\": 5"

static void check_refused(const char *text, const char *why)
{
    struct connection connection;
    struct error err = {0};
    const char *path = write_temporary(text);
    CHECK(!connection_read(&connection, path, &err));
    CHECK_CONTAINS(err.message, why);
    CHECK_CONTAINS(err.message, path);
    unlink(path);
}

TEST(reads_ports_and_defaults)
{
    struct connection connection;
    struct error err = {0};
    const char *path = write_temporary("{" PORTS ", \"key\": \"k\"}");
    REQUIRE(connection_read(&connection, path, &err));
    CHECK_STR(connection.key, "k");
    CHECK_STR(connection.signature_scheme, "hmac-sha256");
    CHECK_INT(connection.ports[CHANNEL_HEARTBEAT], 5);
    connection_finish(&connection);
    unlink(path);
}

static void check_endpoint(const char *text, enum channel channel, const char *expected)
{
    struct connection connection;
    struct error err = {0};
    char endpoint[ENDPOINT_SIZE];
    const char *path = write_temporary(text);
    REQUIRE(connection_read(&connection, path, &err));
    CHECK(connection_endpoint(&connection, channel, endpoint, &err));
    CHECK_STR(endpoint, expected);
    connection_finish(&connection);
    unlink(path);
}

TEST(knows_tcp_ipc_and_ipv6)
{
    check_endpoint("{" PORTS "}", CHANNEL_IOPUB, "tcp://127.0.0.1:4");
    check_endpoint("{" PORTS ", \"transport\": \"ipc\", \"ip\": \"/tmp/kernel-x-ipc\"}",
            CHANNEL_SHELL, "ipc:///tmp/kernel-x-ipc-1");
    check_endpoint("{" PORTS ", \"ip\": \"::1\"}", CHANNEL_SHELL, "tcp://[::1]:1");
}

TEST(refuses_broken_files)
{
    struct connection connection;
    struct error err = {0};
    CHECK(!connection_read(&connection, "/nonexistent/file.json", &err));
    CHECK_CONTAINS(err.message, "No such file");
    check_refused("", "line");
    check_refused("{\"shell_port\": ", "line 1");
    check_refused("[]", "not a JSON object");
    check_refused("{}", "no shell_port");
    check_refused("{\"shell_port\": \"x\"}", "shell_port is not a port number");
    check_refused("{\"shell_port\": 65536}", "shell_port is not a port number");
    check_refused("{\"shell_port\": -1}", "shell_port is not a port number");
    check_refused("{" PORTS ", \"key\": 5}", "key is not a string");
    check_refused("{" PORTS ", \"transport\": \"udp\"}", "'udp' is neither tcp nor ipc");
    check_refused("{" PORTS ", \"curve_publickey\": \"short\"}", "Z85");
    check_refused("{" PORTS
                  ", \"curve_publickey\": \"0123456789012345678901234567890123456789\"}",
            "curve keys is missing");
}

TEST(rewrites_ports_and_keeps_the_rest)
{
    struct connection connection;
    struct error err = {0};
    const char *path =
            write_temporary("{\"shell_port\": 0, \"control_port\": 2, \"stdin_port\": 3,"
                            "\"iopub_port\": 4, \"hb_port\": 5, \"extra\": [1]}");
    REQUIRE(connection_read(&connection, path, &err));
    connection.ports[CHANNEL_SHELL] = 4321;
    CHECK(connection_write(&connection, &err));
    connection_finish(&connection);
    REQUIRE(connection_read(&connection, path, &err));
    CHECK_INT(connection.ports[CHANNEL_SHELL], 4321);
    CHECK(json_is_array(json_object_get(connection.file, "extra")));
    connection_finish(&connection);
    unlink(path);
}

// The old way was the name FILE.PID: a link there was written through.
TEST(writes_through_no_link_that_somebody_prepared)
{
    struct connection connection;
    struct error err = {0};
    char trap[96], text[64] = {0};
    const char *victim = "/tmp/gridcell-test-victim";
    const char *path = write_temporary("{" PORTS ", \"key\": \"k\"}");
    struct stat status;
    unlink(victim);
    snprintf(trap, sizeof trap, "%s.%ld", path, (long)getpid());
    REQUIRE(!symlink(victim, trap));
    REQUIRE(!chmod(path, 0644));
    REQUIRE(connection_read(&connection, path, &err));
    CHECK(connection_write(&connection, &err));
    CHECK(access(victim, F_OK) != 0);
    CHECK(readlink(trap, text, sizeof text - 1) > 0);
    CHECK(!lstat(path, &status) && S_ISREG(status.st_mode));
    CHECK_INT(status.st_mode & 0777, 0600);
    connection_finish(&connection);
    unlink(trap);
    unlink(path);
}
