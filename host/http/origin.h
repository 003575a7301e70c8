/* SPDX-License-Identifier: Apache-2.0 */
/** Requests of foreign pages: a page from elsewhere, in a browser of this machine, must not control
 * what runs here, neither by a name of its own for this machine, nor across origins. */
#ifndef MF_HOST_HTTP_ORIGIN_H
#define MF_HOST_HTTP_ORIGIN_H

#include "host/http/http.h"

/** @brief True if the Host header of a request is a name of this machine that no name server
 *  decides: localhost, 127.x, [::1], with a port or without. */
bool mf_http_names_loopback(const struct mf_http_request *r);

/** @brief True if a page of another origin sends the request. Requests without Origin are not. */
bool mf_http_crosses_origins(const struct mf_http_request *r);

#endif
