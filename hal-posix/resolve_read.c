/* SPDX-License-Identifier: Apache-2.0 */
/* Reads addresses from numeric text, from the hosts file and from answers of name servers, for
 * resolve.c. */
#include "hal-posix/resolve_read.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <net/if.h>
#include <resolv.h>
#include <string.h>
#include <strings.h>

/* Sizes of the wire format, RFC 1035 section 4.1. */
#define DNS_HEADER_BYTES   12
#define DNS_QUESTION_BYTES 4  /* type and class, after the name */
#define DNS_RECORD_BYTES   10 /* type, class, time to live and length of the data, after the name */
#define LINE_MAX_HERE      1024 /* of the hosts file, with its NUL */

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

bool mf_addr_from_text(const char *host, struct mf_addr *addr)
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
            return mf_addr_from_text(address, addr);
        }
    }
    return false;
}

/* Read a line, at most LINE_MAX_HERE - 1 characters of it; the rest of a longer one is skipped, so
 * that the end of a comment is not taken for a line. @return false: the end */
static bool read_line(FILE *file, char line[LINE_MAX_HERE])
{
    line[LINE_MAX_HERE - 2u] = '\0';
    if (fgets(line, LINE_MAX_HERE, file) == NULL) {
        return false;
    }
    if (line[LINE_MAX_HERE - 2u] != '\0' && line[LINE_MAX_HERE - 2u] != '\n') {
        for (int c = 0; c != '\n' && c != EOF; c = fgetc(file)) {
        }
    }
    return true;
}

bool mf_addr_from_hosts(FILE *file, const char *host, struct mf_addr *addr)
{
    char line[LINE_MAX_HERE];
    bool found = false;
    while (read_line(file, line)) {
        struct mf_addr one;
        if (line_names(line, host, &one) && (!found || one.any.sa_family == AF_INET)) {
            *addr = one;
            found = true;
            if (one.any.sa_family == AF_INET) {
                break;
            }
        }
    }
    return found;
}

static uint16_t read_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

/* Records of aliases (CNAME) are skipped: the server has followed them. */
bool mf_addr_from_answer(const uint8_t *answer, size_t n, int type, struct mf_addr *addr)
{
    if (n < DNS_HEADER_BYTES) {
        return false;
    }
    const uint8_t *end = answer + n;
    const size_t size = type == T_A ? sizeof(struct in_addr) : sizeof(struct in6_addr);
    const uint8_t *p = answer + DNS_HEADER_BYTES;
    for (int questions = read_u16(answer + 4); questions > 0; questions--) {
        const int name = dn_skipname(p, end);
        if (name < 0 || end - p < name + DNS_QUESTION_BYTES) {
            return false;
        }
        p += name + DNS_QUESTION_BYTES;
    }
    for (int records = read_u16(answer + 6); records > 0; records--) {
        const int name = dn_skipname(p, end);
        if (name < 0 || end - p < name + DNS_RECORD_BYTES) {
            return false;
        }
        p += name;
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
