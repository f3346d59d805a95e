// SPDX-License-Identifier: MIT
// What a message may do is not asked later on: whoever is let in runs code as this user.
// So the questions of trust are asked here, before a socket is bound.
#include "kernel/protocol/trust.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

static bool is_local_ipv6(const char *ip)
{
    char bare[INET6_ADDRSTRLEN];
    struct in6_addr address;
    size_t len = strlen(ip);
    bool has_brackets = len > 2 && ip[0] == '[' && ip[len - 1] == ']';
    size_t bare_len = has_brackets ? len - 2 : len;
    if (bare_len >= sizeof bare)
        return false;
    memcpy(bare, ip + has_brackets, bare_len);
    bare[bare_len] = '\0';
    if (inet_pton(AF_INET6, bare, &address) != 1)
        return false;
    return IN6_IS_ADDR_LOOPBACK(&address) ||
           (IN6_IS_ADDR_V4MAPPED(&address) && address.s6_addr[12] == 127);
}

bool trust_is_local(const char *ip)
{
    struct in_addr address;
    if (inet_pton(AF_INET, ip, &address) == 1)
        return ntohl(address.s_addr) >> 24 == 127;
    return !strcasecmp(ip, "localhost") || !strcmp(ip, "lo") || is_local_ipv6(ip);
}

// The key lets its reader run code; so does a file that others put there.
static void check_file(const struct connection *connection)
{
    struct stat status;
    if (stat(connection->path, &status))
        return;
    if (status.st_uid != geteuid() && status.st_uid != 0)
        log_write(LOG_WARNING,
                "the connection file %s belongs to another user, who can run code in "
                "this "
                "kernel",
                connection->path);
    if (status.st_mode & (S_IRWXG | S_IRWXO))
        log_write(LOG_WARNING,
                "other users may read or write the connection file %s (mode %04o): who "
                "has "
                "its key can run code in this kernel. chmod 600 closes it",
                connection->path, (unsigned)(status.st_mode & 07777));
}

static bool is_local(const struct connection *connection)
{
    return connection->is_ipc || trust_is_local(connection->ip);
}

static bool check_key(
        const struct connection *connection, bool allows_unsigned, struct error *err)
{
    if (*connection->key)
        return true;
    if (is_local(connection))
        log_write(LOG_WARNING,
                "connection file %s: the key is empty, so messages are not signed: every "
                "program and user of this machine that reaches %s can run code in this "
                "kernel",
                connection->path, connection->ip);
    else if (allows_unsigned)
        log_write(LOG_WARNING,
                "connection file %s: the key is empty, so messages are not signed: "
                "whoever "
                "reaches %s can run code in this kernel, as --allow-unsigned or "
                "GRIDCELL_ALLOW_UNSIGNED allows",
                connection->path, connection->ip);
    else
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "connection file %s: the key is empty and the address is %s: whoever "
                "reaches it could run code as this user. Give it a key; or, where "
                "something else keeps strangers out, --allow-unsigned or "
                "GRIDCELL_ALLOW_UNSIGNED=1",
                connection->path, connection->ip);
    return true;
}

bool trust_check(
        const struct connection *connection, bool allows_unsigned, struct error *err)
{
    if (!check_key(connection, allows_unsigned, err))
        return false;
    if (*connection->key && !is_local(connection) && !connection->curve_public)
        log_write(LOG_WARNING,
                "messages on %s are signed but not encrypted: others on the network can "
                "read code and results. Curve keys in the connection file, or a tunnel, "
                "hide them",
                connection->ip);
    check_file(connection);
    return true;
}
