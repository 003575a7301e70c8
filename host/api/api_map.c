/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: the map in the background of the live picture. */
#include "host/api/api_route.h"
#include "host/api/page.h"

#include <stdio.h>
#include <string.h>

const struct mf_api_field mf_api_map_fields[] = {
    {"tiles", "string?",
     "address of a tile of the map, with {z}, {x} and {y} or {-y}; null: no map"},
    {"credit", "string", "owner of the map"},
    {NULL, NULL, NULL},
};

/* Longest origin of a map [bytes]: the policy of the page must fit into a header of a proxy. */
#define HOST_MAX 128u

/* Find the origin (scheme and host) of a URL, which a page's policy contains. @return its length;
 * 0: the text is not a URL */
static size_t origin_of(const char *url)
{
    static const char k_host[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 ".-:[]";
    const size_t scheme = strncmp(url, "https://", 8) == 0  ? 8
                          : strncmp(url, "http://", 7) == 0 ? 7
                                                            : 0;
    const size_t host = scheme > 0 ? strspn(url + scheme, k_host) : 0;
    return host > 0 && host <= HOST_MAX && url[scheme + host] == '/' ? scheme + host : 0;
}

bool mf_api_set_map(struct mf_api_server *server, const char *tiles, const char *credit)
{
    static const char k_images[] = "img-src data:";
    const size_t origin = origin_of(tiles);
    for (const char *c = tiles; *c != '\0'; c++) {
        if (*c <= ' ' || *c > '~') {
            return false;
        }
    }
    if (origin == 0 || strstr(tiles, "{z}") == NULL || strstr(tiles, "{x}") == NULL ||
        (strstr(tiles, "{y}") == NULL && strstr(tiles, "{-y}") == NULL)) {
        return false;
    }
    const char *images = strstr(mf_page_headers, k_images);
    MF_ASSERT(images != NULL);
    const char *rest = images + sizeof k_images - 1;
    const int n =
        snprintf(server->page_headers, sizeof server->page_headers, "%.*s %.*s%s",
                 (int)(rest - mf_page_headers), mf_page_headers, (int)origin, tiles, rest);
    MF_ASSERT(n > 0 && (size_t)n < sizeof server->page_headers);
    server->map = tiles;
    server->map_credit = credit;
    return true;
}

void mf_api_get_map(struct mf_api_call *call)
{
    const struct mf_api_server *server = call->api->server;
    if (server->map == NULL) {
        mf_json_null(&call->json, "tiles");
    } else {
        mf_json_text(&call->json, "tiles", server->map);
    }
    mf_json_text(&call->json, "credit", server->map != NULL ? server->map_credit : "");
}
