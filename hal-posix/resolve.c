/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookup of host names, for endpoint.c and net_lookup.c, without getaddrinfo() of the C library: in
 * a static program that function may load shared objects of the same glibc, and an image FROM
 * scratch does not contain them. This file supports numeric forms, localhost, /etc/hosts, and the
 * name servers and search list of /etc/resolv.conf, IPv4 first.
 */
#include "hal-posix/endpoint.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <net/if.h>
#include <resolv.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Sizes of the wire format, RFC 1035 section 4.1. */
#define DNS_HEADER_BYTES   12
#define DNS_QUESTION_BYTES 4  /* type and class, after the name */
#define DNS_RECORD_BYTES   10 /* type, class, time to live and length of the data, after the name */
#define DNS_ANSWER_MAX     4096

static void set_in(struct mf_addr *addr, const void *in_addr)
{
    memset(addr, 0, sizeof *addr);
    addr->in.sin_family = AF_INET;
    memcpy(&addr->in.sin_addr, in_addr, sizeof addr->in.sin_addr);
    addr->len = sizeof addr->in;
}

static void set_in6(struct mf_addr *addr, const void *in6_addr)
{
    memset(addr, 0, sizeof *addr);
    addr->in6.sin6_family = AF_INET6;
    memcpy(&addr->in6.sin6_addr, in6_addr, sizeof addr->in6.sin6_addr);
    addr->len = sizeof addr->in6;
}

/* Read a numeric address: "10.0.0.1", "::1" or "fe80::1%eth0". @return false: it is not numeric */
static bool from_numeric(const char *host, struct mf_addr *addr)
{
    uint8_t bytes[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, host, bytes) == 1) {
        set_in(addr, bytes);
        return true;
    }
    char copy[INET6_ADDRSTRLEN];
    const char *scope = strchr(host, '%');
    const size_t n = scope == NULL ? strlen(host) : (size_t)(scope - host);
    if (n >= sizeof copy) {
        return false;
    }
    memcpy(copy, host, n);
    copy[n] = '\0';
    if (inet_pton(AF_INET6, copy, bytes) != 1) {
        return false;
    }
    set_in6(addr, bytes);
    if (scope != NULL) {
        addr->in6.sin6_scope_id = if_nametoindex(scope + 1);
    }
    return scope == NULL || addr->in6.sin6_scope_id != 0;
}

/* Search a line of /etc/hosts (an address, then names) for a name. @return true: found */
static bool line_names(char *line, const char *host, struct mf_addr *addr)
{
    line[strcspn(line, "#\r\n")] = '\0';
    char *save = NULL;
    const char *address = strtok_r(line, " \t", &save);
    if (address == NULL) {
        return false;
    }
    for (const char *name = strtok_r(NULL, " \t", &save); name != NULL;
         name = strtok_r(NULL, " \t", &save)) {
        if (strcasecmp(name, host) == 0) {
            return from_numeric(address, addr);
        }
    }
    return false;
}

/* Search /etc/hosts. An IPv4 line has priority over an earlier IPv6 line. */
static bool from_hosts_file(const char *host, struct mf_addr *addr)
{
    FILE *file = fopen("/etc/hosts", "re");
    if (file == NULL) {
        return false;
    }
    char line[1024];
    bool found = false;
    while (fgets(line, sizeof line, file) != NULL) {
        struct mf_addr one;
        if (line_names(line, host, &one) && (!found || one.any.sa_family == AF_INET)) {
            *addr = one;
            found = true;
            if (one.any.sa_family == AF_INET) {
                break;
            }
        }
    }
    (void)fclose(file);
    return found;
}

static uint16_t read_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

/* Find the first address record of a type in an answer. Records of aliases (CNAME) are skipped: the
 * server has followed them. */
static bool first_record(const uint8_t *answer, const uint8_t *end, int type, struct mf_addr *addr)
{
    const size_t size = type == T_A ? sizeof(struct in_addr) : sizeof(struct in6_addr);
    const uint8_t *p = answer + DNS_HEADER_BYTES;
    for (int questions = read_u16(answer + 4); questions > 0; questions--) {
        const int n = dn_skipname(p, end);
        if (n < 0 || end - p < n + DNS_QUESTION_BYTES) {
            return false;
        }
        p += n + DNS_QUESTION_BYTES;
    }
    for (int records = read_u16(answer + 6); records > 0; records--) {
        const int n = dn_skipname(p, end);
        if (n < 0 || end - p < n + DNS_RECORD_BYTES) {
            return false;
        }
        p += n;
        const size_t length = read_u16(p + 8);
        const int found = read_u16(p);
        p += DNS_RECORD_BYTES;
        if ((size_t)(end - p) < length) {
            return false;
        }
        if (found == type && length == size) {
            (type == T_A ? set_in : set_in6)(addr, p);
            return true;
        }
        p += length;
    }
    return false;
}

static bool from_servers(const char *host, int type, struct mf_addr *addr)
{
    uint8_t answer[DNS_ANSWER_MAX];
    const int n = res_search(host, C_IN, type, answer, sizeof answer);
    if (n < DNS_HEADER_BYTES) {
        return false;
    }
    return first_record(answer, answer + (n < DNS_ANSWER_MAX ? n : DNS_ANSWER_MAX), type, addr);
}

/* Resolve localhost to the loopback, whatever files and servers say (RFC 6761). */
static bool from_localhost(const char *host, struct mf_addr *addr)
{
    const size_t n = strlen(host);
    const size_t suffix = strlen(".localhost");
    if (strcasecmp(host, "localhost") != 0 &&
        (n <= suffix || strcasecmp(host + n - suffix, ".localhost") != 0)) {
        return false;
    }
    const struct in_addr loopback = {.s_addr = htonl(INADDR_LOOPBACK)};
    set_in(addr, &loopback);
    return true;
}

bool mf_host_is_name(const char *host)
{
    struct mf_addr addr;
    return !from_numeric(host, &addr) && !from_localhost(host, &addr);
}

int mf_resolve(const char *host, struct mf_addr *addr)
{
    MF_ASSERT(host != NULL);
    if (from_numeric(host, addr) || from_localhost(host, addr) || from_hosts_file(host, addr) ||
        from_servers(host, T_A, addr) || from_servers(host, T_AAAA, addr)) {
        return MF_E_OK;
    }
    return MF_E_NOENT;
}
