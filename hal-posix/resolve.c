/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookup of host names, for endpoint.c and net_lookup.c, without getaddrinfo() of the C library: in
 * a static program that function may load shared objects of the same glibc, and an image FROM
 * scratch does not contain them. This file supports numeric forms, localhost, /etc/hosts, and the
 * name servers and search list of /etc/resolv.conf, IPv4 first.
 */
#include "hal-posix/resolve_read.h"

#include <arpa/nameser.h>
#include <resolv.h>
#include <string.h>
#include <strings.h>

#define DNS_ANSWER_MAX 4096

/* Search /etc/hosts. */
static bool from_hosts_file(const char *host, struct mf_addr *addr)
{
    FILE *file = fopen("/etc/hosts", "re");
    const bool found = file != NULL && mf_addr_from_hosts(file, host, addr);
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

static bool from_servers(const char *host, int type, struct mf_addr *addr)
{
    uint8_t answer[DNS_ANSWER_MAX];
    const int n = res_search(host, C_IN, type, answer, sizeof answer);
    return n > 0 && mf_addr_from_answer(answer, (size_t)(n < DNS_ANSWER_MAX ? n : DNS_ANSWER_MAX),
                                        type, addr);
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
    return mf_addr_from_text("127.0.0.1", addr);
}

bool mf_host_is_name(const char *host)
{
    struct mf_addr addr;
    return !mf_addr_from_text(host, &addr) && !from_localhost(host, &addr);
}

int mf_resolve(const char *host, struct mf_addr *addr)
{
    MF_ASSERT(host != NULL);
    if (mf_addr_from_text(host, addr) || from_localhost(host, addr) ||
        from_hosts_file(host, addr) || from_servers(host, T_A, addr) ||
        from_servers(host, T_AAAA, addr)) {
        return MF_E_OK;
    }
    return MF_E_NOENT;
}
