/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that browsers can reach the control API of a run. page_server.c calls it. */
#include "boards/swarm/page/page_api.h"

#include "hal-posix/endpoint.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 500

/* Find the address of the run's host. @return false: it is this machine */
static bool is_afar(int in, struct mf_addr *host)
{
    host->len = sizeof host->in6;
    return getpeername(in, &host->any, &host->len) == 0 &&
           (host->any.sa_family == AF_INET || host->any.sa_family == AF_INET6) &&
           !mf_addr_is_loopback(host);
}

/* True for the address of a listener on all addresses of its host. */
static bool is_everywhere(const struct mf_addr *a)
{
    return a->any.sa_family == AF_INET ? a->in.sin_addr.s_addr == htonl(INADDR_ANY)
                                       : IN6_IS_ADDR_UNSPECIFIED(&a->in6.sin6_addr) != 0;
}

static void set_port(struct mf_addr *a, uint16_t port)
{
    if (a->any.sa_family == AF_INET) {
        a->in.sin_port = htons(port);
    } else {
        a->in6.sin6_port = htons(port);
    }
}

/* Connect to an address, and disconnect. @return 0, or an errno */
static int try_connect(const struct mf_addr *to)
{
    const int fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int error = fd >= 0 && connect(fd, &to->any, to->len) == 0 ? 0 : errno;
    if (fd >= 0 && error == EINPROGRESS) {
        struct pollfd wait = {fd, POLLOUT, 0};
        socklen_t n = sizeof error;
        if (poll(&wait, 1, PATIENCE_MS) != 1 ||
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) != 0) {
            error = ETIMEDOUT;
        }
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return error;
}

bool swarm_page_reaches(const char *api, int in, char *text, size_t size)
{
    const struct mf_addr here = {
        .in = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}, .len = sizeof here.in};
    struct mf_endpoint to = {0};
    struct mf_addr host = {0};
    char reason[MF_REASON_MAX], address[MF_ADDR_TEXT_MAX];
    if (api[0] == '\0') {
        (void)snprintf(text, size, "This run has no control API: give its scenario links.api.");
        return false;
    }
    if (mf_endpoint_parse(&to, MF_PORT_TCP_CLIENT, api, reason) != MF_E_OK ||
        mf_endpoint_resolve(&to, reason) != MF_E_OK) {
        (void)snprintf(text, size, "The control API: %s", reason);
        return false;
    }
    const bool afar = is_afar(in, &host);
    if (afar && mf_addr_is_loopback(&to.addr)) {
        (void)snprintf(text, size, "Only its own host reaches the control API of this run, at %s.",
                       api);
        return false;
    }
    if (is_everywhere(&to.addr)) {
        to.addr = afar ? host : here;
        set_port(&to.addr, to.port);
    }
    mf_addr_text(&to.addr, address);
    const int error = try_connect(&to.addr);
    if (error == 0) {
        (void)snprintf(text, size, "http://%s/", address);
    } else {
        (void)snprintf(text, size, "The control API at %s does not answer: %s.", address,
                       strerror(error));
    }
    return error == 0;
}
