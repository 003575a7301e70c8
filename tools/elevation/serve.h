/* SPDX-License-Identifier: Apache-2.0 */
/** The HTTP side of the service. */
#ifndef MF_ELEVATION_SERVE_H
#define MF_ELEVATION_SERVE_H

#include "tools/elevation/library.h"

#include <stdio.h>

struct elevation_server;

/**
 * @brief Serve until elevation_serve_stop().
 * @param listen   "HOST:PORT", "[V6]:PORT"; port 0: a free one
 * @param library  which must outlive the server
 * @param log      where a line per request goes; NULL: nowhere
 * @param url      out [url_size]: the address to tell clients
 * @return NULL, and why in @p error
 */
struct elevation_server *elevation_serve(const char *listen, struct elevation_library *library,
                                         FILE *log, char *url, size_t url_size, char *error,
                                         size_t error_size);

void elevation_serve_stop(struct elevation_server *server);

#endif
