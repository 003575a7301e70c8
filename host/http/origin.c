/* SPDX-License-Identifier: Apache-2.0 */
/* Compares Host and Origin; the control API and the page of a swarm refuse requests by it. */
#include "host/http/origin.h"

#include <string.h>
#include <strings.h>

bool mf_http_names_loopback(const struct mf_http_request *r)
{
    const struct mf_http_text *host = &r->host;
    size_t n = host->len;
    while (n > 0 && host->at[n - 1] >= '0' && host->at[n - 1] <= '9') {
        n--;
    }
    n = n > 0 && host->at[n - 1] == ':' ? n - 1 : host->len;
    if (n == 9 && strncasecmp(host->at, "localhost", 9) == 0) {
        return true;
    }
    if (n == 5 && memcmp(host->at, "[::1]", 5) == 0) {
        return true;
    }
    bool numeric = n > 4 && memcmp(host->at, "127.", 4) == 0;
    for (size_t i = 0; numeric && i < n; i++) {
        numeric = host->at[i] == '.' || (host->at[i] >= '0' && host->at[i] <= '9');
    }
    return numeric;
}

bool mf_http_crosses_origins(const struct mf_http_request *r)
{
    static const char k_http[] = "http://";
    const size_t n = sizeof k_http - 1;
    return r->origin.len > 0 && (r->host.len == 0 || r->origin.len != n + r->host.len ||
                                 memcmp(r->origin.at, k_http, n) != 0 ||
                                 memcmp(r->origin.at + n, r->host.at, r->host.len) != 0);
}
