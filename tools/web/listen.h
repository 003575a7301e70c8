/* SPDX-License-Identifier: Apache-2.0 */
/** A socket that listens at an address as people write it. */
#ifndef MF_WEB_LISTEN_H
#define MF_WEB_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

/**
 * @brief Listen. @param backlog  greatest number of waiting connections
 * @param scheme  "http", for the url
 * @param url     out [url_size]: with the port in use
 * @return the socket; -1, and why in @p error
 */
int web_listen(const char *listen, int backlog, const char *scheme, char *url, size_t url_size,
               char *error, size_t error_size);

#endif
