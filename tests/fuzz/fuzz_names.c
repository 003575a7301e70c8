/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes short files and texts that programs of an operating system read, by the first byte: 'H' a
 * name and, behind the first line end, the hosts file; 'A' and 'Q' an answer of a name server about
 * IPv4 or IPv6; 'P' the text of an endpoint; 'K' a file of a signing key; 'E' a program that is to
 * join virtual time: an ELF file or a script; 'V' an event of a stream of virtual time; 'T' a file
 * of the end of a lifetime. An address can be written and read again.
 */
#include "hal-posix/lifetime.h"
#include "hal-posix/resolve_read.h"
#include "host/spec/keyfile.h"
#include "host/time/virtual_program.h"
#include "host/time/virtual_stream.h"
#include "tests/fuzz/fuzz_file.h"

#include <arpa/nameser.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX 8192u

static void check_address(const struct mf_addr *addr)
{
    char text[MF_ADDR_TEXT_MAX], host[MF_ADDR_TEXT_MAX];
    struct mf_addr again;
    check(addr->any.sa_family == AF_INET || addr->any.sa_family == AF_INET6);
    check(mf_addr_port(addr) == 0);
    mf_addr_text(addr, text);
    check(strlen(text) < sizeof text);
    const char *from = text[0] == '[' ? text + 1 : text;
    (void)snprintf(host, sizeof host, "%.*s", (int)strcspn(from, text[0] == '[' ? "]" : ":"), from);
    check(mf_addr_from_text(host, &again));
}

static void fuzz_hosts(char *text)
{
    struct mf_addr addr;
    const char *host = strsep(&text, "\n");
    if (text == NULL || text[0] == '\0') {
        return;
    }
    FILE *file = fmemopen(text, strlen(text), "r");
    check(file != NULL);
    if (mf_addr_from_hosts(file, host, &addr)) {
        check_address(&addr);
    }
    (void)fclose(file);
}

static void fuzz_answer(const uint8_t *data, size_t size, int type)
{
    struct mf_addr addr;
    if (mf_addr_from_answer(data, size, type, &addr)) {
        check(addr.any.sa_family == (type == T_A ? AF_INET : AF_INET6));
        check_address(&addr);
    }
}

static void fuzz_endpoint(const char *text)
{
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    for (unsigned kind = 0; kind < MF_PORT_KIND_COUNT; kind++) {
        reason[0] = '\0';
        if (mf_endpoint_parse(&ep, (enum mf_port_kind)kind, text, reason) == MF_E_OK) {
            check(ep.host[0] != '\0' && strlen(ep.host) < sizeof ep.host);
            (void)mf_host_is_name(ep.host);
        } else {
            check(reason[0] != '\0' && strlen(reason) < sizeof reason);
        }
    }
}

static void fuzz_key(const char *text, size_t n)
{
    static const uint8_t k_none[MF_KEYFILE_KEY_BYTES];
    uint8_t key[MF_KEYFILE_KEY_BYTES];
    if (mf_keyfile_parse(text, n, key) == MF_E_OK) {
        check(memcmp(key, k_none, sizeof key) != 0);
    }
}

static void fuzz_lifetime(const uint8_t *data, size_t size)
{
    const struct mf_lifetime lifetime = {.end_us = MF_NEVER, .file = fuzz_file_path(data, size)};
    check(mf_lifetime_look(&lifetime) >= 0);
}

static void fuzz_program(const uint8_t *data, size_t size)
{
    char reason[MF_VIRTUAL_REASON_MAX] = "";
    const char *path = fuzz_file_path(data, size);
    check(mf_virtual_can_follow(path, reason) == (reason[0] == '\0'));
    (void)mf_virtual_is_go(path);
}

static void fuzz_event(const uint8_t *data, size_t size)
{
    uint8_t again[TEXT_MAX];
    struct mf_stream_event e;
    if (mf_stream_read(data, size, &e)) {
        check(mf_stream_write(&e, again) == size && memcmp(again, data, size) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char s_text[TEXT_MAX];
    if (size < 2 || size > TEXT_MAX) {
        return 0;
    }
    const size_t n = size - 1;
    memcpy(s_text, data + 1, n);
    s_text[n] = '\0';
    switch (data[0]) {
    case 'H':
        fuzz_hosts(s_text);
        break;
    case 'A':
        fuzz_answer(data + 1, n, T_A);
        break;
    case 'Q':
        fuzz_answer(data + 1, n, T_AAAA);
        break;
    case 'P':
        fuzz_endpoint(s_text);
        break;
    case 'K':
        fuzz_key((const char *)data + 1, n);
        break;
    case 'V':
        fuzz_event(data + 1, n);
        break;
    case 'T':
        fuzz_lifetime(data + 1, n);
        break;
    case 'E':
        fuzz_program(data + 1, n);
        break;
    default:
        break;
    }
    return 0;
}
