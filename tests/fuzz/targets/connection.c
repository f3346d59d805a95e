// SPDX-License-Identifier: MIT
// The connection file: read, judged, its addresses made, and written anew.
#include "tests/fuzz/targets/target.h"

#include "base/log.h"
#include "kernel/protocol/message.h"
#include "kernel/protocol/trust.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = target_file(data, size);
    struct connection connection;
    struct error err = {0};
    log_set_level(LOG_ERROR);
    if (connection_read(&connection, path, &err)) {
        char endpoint[ENDPOINT_SIZE];
        struct wire wire;
        bool is_trusted = trust_check(&connection, false, &err);
        REQUIRE(is_trusted || !*connection.key);
        REQUIRE(!is_trusted || *connection.key || connection.is_ipc ||
                trust_is_local(connection.ip));
        error_clear(&err);
        if (wire_init(&wire, connection.signature_scheme, connection.key, &err))
            wire_finish(&wire);
        error_clear(&err);
        for (int i = 0; i < CHANNEL_COUNT; i++)
            connection_endpoint(&connection, (enum channel)i, endpoint, &err);
        error_clear(&err);
        REQUIRE(connection_write(&connection, &err));
        connection_finish(&connection);
        REQUIRE(connection_read(&connection, path, &err));
        connection_finish(&connection);
    } else {
        REQUIRE(err.kind != ERROR_NONE && strstr(err.message, path));
    }
    unlink(path);
    return 0;
}
