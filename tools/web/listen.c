/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/web/listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HOST_MAX 256u

/* Split "HOST:PORT" or "[V6]:PORT". @param host  out [HOST_MAX]
 * @param port  out: within @p listen  @return false: of another form */
static bool split_address(const char *listen, char *host, const char **port)
{
    const char *colon = strrchr(listen, ':');
    const bool bracket = *listen == '[';
    if (colon == NULL || colon == listen || colon[1] == '\0' || (bracket && colon[-1] != ']')) {
        return false;
    }
    const size_t n = (size_t)(colon - listen) - (bracket ? 2 : 0);
    if (n < 1 || n >= HOST_MAX || (!bracket && memchr(listen, ':', n) != NULL)) {
        return false;
    }
    memcpy(host, listen + (bracket ? 1 : 0), n);
    host[n] = '\0';
    *port = colon + 1;
    return true;
}

static int open_socket(const struct addrinfo *info, int backlog)
{
    const int yes = 1;
    const int fd = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC, info->ai_protocol);
    if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, (socklen_t)sizeof yes) != 0 ||
                    bind(fd, info->ai_addr, info->ai_addrlen) != 0 || listen(fd, backlog) != 0)) {
        const int why = errno;
        (void)close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

int web_listen(const char *listen, int backlog, const char *scheme, char *url, size_t url_size,
               char *error, size_t error_size)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *info = NULL;
    struct sockaddr_storage local;
    socklen_t length = sizeof local;
    char host[HOST_MAX], service[16];
    const char *port = NULL;
    if (!split_address(listen, host, &port)) {
        (void)snprintf(error, error_size, "an address is HOST:PORT, not '%s'", listen);
        return -1;
    }
    const int result = getaddrinfo(host, port, &hints, &info);
    if (result != 0) {
        (void)snprintf(error, error_size, "%s: %s", listen, gai_strerror(result));
        return -1;
    }
    const int fd = open_socket(info, backlog);
    freeaddrinfo(info);
    if (fd < 0 || getsockname(fd, (struct sockaddr *)&local, &length) != 0 ||
        getnameinfo((struct sockaddr *)&local, length, NULL, 0, service, sizeof service,
                    NI_NUMERICSERV) != 0) {
        (void)snprintf(error, error_size, "%s: %s", listen, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return -1;
    }
    const bool v6 = strchr(host, ':') != NULL;
    (void)snprintf(url, url_size, "%s://%s%s%s:%s", scheme, v6 ? "[" : "", host, v6 ? "]" : "",
                   service);
    return fd;
}
