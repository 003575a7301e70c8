/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of addresses (--tcp, --udp-out, …) and the addresses that they mean, for ports and for
 * configurations. */
#include "hal-posix/endpoint.h"

#include "hal-posix/baud.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *form;
} k_kind[] = {
#define X(name, spelling, form) [MF_PORT_##name] = {spelling, form},
    MF_PORT_KIND_LIST(X)
#undef X
};

const char *mf_port_kind_name(enum mf_port_kind kind)
{
    MF_ASSERT(kind < MF_PORT_KIND_COUNT);
    return k_kind[kind].name;
}

__attribute__((format(printf, 2, 3))) static int refuse(char *reason, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, MF_REASON_MAX, format, args);
    va_end(args);
    return MF_E_RANGE;
}

static int refuse_form(enum mf_port_kind kind, const char *text, char *reason)
{
    return refuse(reason, "'%.100s' is not a valid %s, allowed: %s", text,
                  kind == MF_PORT_SERIAL ? "serial device with speed" : "address",
                  k_kind[kind].form);
}

/* Read a number of digits only. A value of more than 32 bits becomes the largest one. */
static bool parse_number(const char *text, uint32_t *value)
{
    uint64_t v = 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        v = v > UINT32_MAX ? v : v * 10u + (uint64_t)(*text - '0');
    }
    *value = v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
    return true;
}

static int parse_port(const char *text, uint32_t lowest, uint16_t *port, char *reason)
{
    uint32_t value;
    if (!parse_number(text, &value)) {
        return refuse(reason, "port '%.100s' is not a number, allowed: %u .. 65535", text, lowest);
    }
    if (value < lowest || value > 65535u) {
        return refuse(reason, "port %s is out of range, allowed: %u .. 65535", text, lowest);
    }
    *port = (uint16_t)value;
    return MF_E_OK;
}

/* Split "[::1]:5760" or "host:5760" in place. @return the text of the port; NULL: the host is
 * missing */
static char *split_host(char *text, char **host)
{
    char *colon = strrchr(text, ':');
    *host = text;
    if (text[0] == '[') {
        char *end = strchr(text, ']');
        if (end == NULL || end[1] != ':') {
            return NULL;
        }
        *host = text + 1;
        *end = '\0';
        return end + 2;
    }
    if (colon == NULL || colon == text || memchr(text, ':', (size_t)(colon - text)) != NULL) {
        return NULL; /* more than one colon: IPv6 needs its brackets */
    }
    *colon = '\0';
    return colon + 1;
}

static bool copy_host(struct mf_endpoint *ep, const char *host)
{
    const size_t n = strlen(host);
    if (n == 0 || n >= sizeof ep->host) {
        return false;
    }
    memcpy(ep->host, host, n + 1);
    return true;
}

static int parse_address(struct mf_endpoint *ep, char *copy, const char *text, char *reason)
{
    const bool server = ep->kind == MF_PORT_TCP_SERVER || ep->kind == MF_PORT_UDP_SERVER;
    char *at = ep->kind == MF_PORT_UDP_CLIENT ? strrchr(copy, '@') : NULL;
    if (at != NULL) {
        *at = '\0';
        if (parse_port(at + 1, 0, &ep->local_port, reason) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    uint32_t number;
    char loopback[] = "127.0.0.1";
    char *host = loopback;
    char *port = copy;
    if (!server || !parse_number(copy, &number)) {
        port = split_host(copy, &host);
    }
    if (port == NULL || !copy_host(ep, host)) {
        return refuse_form(ep->kind, text, reason);
    }
    ep->inherited = ep->kind == MF_PORT_TCP_CLIENT && strcmp(ep->host, "fd") == 0;
    return parse_port(port, server ? 0 : 1, &ep->port, reason);
}

static int parse_serial(struct mf_endpoint *ep, char *copy, const char *text, char *reason)
{
    char *colon = strrchr(copy, ':');
    if (colon == NULL) {
        return refuse_form(ep->kind, text, reason);
    }
    *colon = '\0';
    if (!copy_host(ep, copy) || !parse_number(colon + 1, &ep->baud)) {
        return refuse_form(ep->kind, text, reason);
    }
    if (!mf_baud_known(ep->baud)) {
        return refuse(reason,
                      "%s baud is not a usual speed, allowed: 1200 .. 4000000 in the usual steps, "
                      "such as 57600, "
                      "115200, 921600",
                      colon + 1);
    }
    return MF_E_OK;
}

int mf_endpoint_parse(struct mf_endpoint *ep, enum mf_port_kind kind, const char *text,
                      char *reason)
{
    MF_ASSERT(kind < MF_PORT_KIND_COUNT && text != NULL);
    char copy[MF_HOST_MAX + 16u];
    memset(ep, 0, sizeof *ep);
    ep->kind = kind;
    if (strlen(text) >= sizeof copy) {
        return refuse_form(kind, text, reason);
    }
    memcpy(copy, text, strlen(text) + 1);
    return kind == MF_PORT_SERIAL ? parse_serial(ep, copy, text, reason)
                                  : parse_address(ep, copy, text, reason);
}

void mf_addr_set_port(struct mf_addr *addr, uint16_t port)
{
    if (addr->any.sa_family == AF_INET) {
        addr->in.sin_port = htons(port);
    } else {
        addr->in6.sin6_port = htons(port);
    }
}

int mf_endpoint_resolve(struct mf_endpoint *ep, char *reason)
{
    if (ep->kind == MF_PORT_SERIAL) {
        return MF_E_OK;
    }
    if (mf_resolve(ep->inherited ? "127.0.0.1" : ep->host, &ep->addr) != MF_E_OK) {
        (void)refuse(reason, "host '%s' is not known", ep->host);
        return MF_E_NOENT;
    }
    mf_addr_set_port(&ep->addr, ep->port);
    return MF_E_OK;
}

uint16_t mf_addr_port(const struct mf_addr *addr)
{
    return ntohs(addr->any.sa_family == AF_INET ? addr->in.sin_port : addr->in6.sin6_port);
}

bool mf_addr_equal(const struct mf_addr *a, const struct mf_addr *b)
{
    if (a->any.sa_family != b->any.sa_family || mf_addr_port(a) != mf_addr_port(b)) {
        return false;
    }
    if (a->any.sa_family == AF_INET) {
        return a->in.sin_addr.s_addr == b->in.sin_addr.s_addr;
    }
    return memcmp(&a->in6.sin6_addr, &b->in6.sin6_addr, sizeof a->in6.sin6_addr) == 0 &&
           a->in6.sin6_scope_id == b->in6.sin6_scope_id;
}

uint32_t mf_addr_hash(const struct mf_addr *addr)
{
    uint32_t word[4] = {0};
    if (addr->any.sa_family == AF_INET) {
        memcpy(word, &addr->in.sin_addr, sizeof addr->in.sin_addr);
    } else {
        memcpy(word, &addr->in6.sin6_addr, sizeof addr->in6.sin6_addr);
    }
    uint32_t hash = mf_addr_port(addr);
    for (size_t i = 0; i < 4; i++) {
        hash = (hash ^ word[i]) * 0x9E3779B1u; /* 2^32 divided by the golden ratio */
    }
    return hash ^ hash >> 16;
}

bool mf_addr_is_loopback(const struct mf_addr *addr)
{
    if (addr->any.sa_family == AF_INET) {
        return ntohl(addr->in.sin_addr.s_addr) >> 24 == 127u;
    }
    return IN6_IS_ADDR_LOOPBACK(&addr->in6.sin6_addr);
}

struct mf_addr mf_addr_local_for(const struct mf_addr *like, uint16_t port)
{
    struct mf_addr local;
    memset(&local, 0, sizeof local);
    local.any.sa_family = like->any.sa_family;
    local.len = like->len;
    if (like->any.sa_family == AF_INET) {
        local.in.sin_addr.s_addr = htonl(mf_addr_is_loopback(like) ? INADDR_LOOPBACK : INADDR_ANY);
    } else {
        local.in6.sin6_addr = mf_addr_is_loopback(like) ? in6addr_loopback : in6addr_any;
    }
    mf_addr_set_port(&local, port);
    return local;
}

void mf_addr_text(const struct mf_addr *addr, char *text)
{
    char host[INET6_ADDRSTRLEN] = "?";
    const unsigned port = mf_addr_port(addr);
    if (addr->any.sa_family == AF_INET) {
        (void)inet_ntop(AF_INET, &addr->in.sin_addr, host, sizeof host);
    } else if (IN6_IS_ADDR_V4MAPPED(&addr->in6.sin6_addr)) {
        (void)inet_ntop(AF_INET, &addr->in6.sin6_addr.s6_addr[12], host, sizeof host);
    } else {
        (void)inet_ntop(AF_INET6, &addr->in6.sin6_addr, host, sizeof host);
        (void)snprintf(text, MF_ADDR_TEXT_MAX, "[%s]:%u", host, port);
        return;
    }
    (void)snprintf(text, MF_ADDR_TEXT_MAX, "%s:%u", host, port);
}
