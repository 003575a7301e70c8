/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: quality of links, which clients can change. */
#include "host/api/api_route.h"
#include "host/spec/qualityspec.h"

#include <stdlib.h>
#include <string.h>

const struct mf_api_field mf_api_quality_fields[] = {
    {"quality", "string!",
     "quality as --link-quality takes it: sik57k; loss=5%,out:delay=200ms; none. Its times count "
     "from now on"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_ports_fields[] = {
    {"ports", "array:port", "links that are configured"},
    {NULL, NULL, NULL},
};

/* True if a word of the path, such as "3", "tcp" or "all", selects a port. */
static bool is_meant(const struct mf_http_text *word, uint16_t port, const char *kind)
{
    uint32_t number = 0;
    for (size_t i = 0; i < word->len; i++) {
        if (word->at[i] < '0' || word->at[i] > '9' || number > UINT16_MAX) {
            return (word->len == 3 && memcmp(word->at, "all", 3) == 0) ||
                   (word->len == strlen(kind) && memcmp(word->at, kind, word->len) == 0);
        }
        number = number * 10u + (uint32_t)(word->at[i] - '0');
    }
    return number == port;
}

static void write_port(struct mf_json *j, uint16_t number, const struct mf_api_port *about)
{
    char text[MF_LINK_SPEC_MAX];
    mf_link_spec_print(about->quality, text);
    mf_json_object(j, NULL);
    mf_json_integer(j, "port", number);
    mf_json_text(j, "kind", about->kind);
    mf_json_text(j, "address", about->address);
    mf_json_text(j, "quality", text);
    mf_json_end(j);
}

unsigned mf_api_write_ports(struct mf_api_call *call, const struct mf_http_text *word)
{
    const struct mf_api *api = call->api;
    struct mf_api_port about;
    unsigned count = 0;
    int result = MF_E_OK;
    mf_json_array(&call->json, "ports");
    for (uint16_t i = 0; result != MF_E_NOENT; i++) {
        result = api->ops->port(api->ops_ctx, i, &about);
        if (result == MF_E_OK && (word == NULL || is_meant(word, i, about.kind))) {
            write_port(&call->json, i, &about);
            count++;
        }
    }
    mf_json_end(&call->json);
    return count;
}

static void refuse_link(struct mf_api_call *call)
{
    const int n = (int)(call->param.len < 40 ? call->param.len : 40);
    mf_api_refuse(call, 404,
                  "'%.*s' is not a link, allowed: all, tcp, udp or another kind, or a number; "
                  "GET /v1/links lists them as ports",
                  n, call->param.at);
}

void mf_api_get_quality(struct mf_api_call *call)
{
    if (mf_api_write_ports(call, &call->param) == 0) {
        refuse_link(call);
    }
}

void mf_api_put_quality(struct mf_api_call *call)
{
    struct mf_api *api = call->api;
    const struct mf_json_member *said = mf_json_find(call->body, "quality");
    struct mf_link_quality quality;
    struct mf_api_port about;
    char reason[MF_LINK_REASON_MAX];
    int result = MF_E_OK;
    if (said == NULL) {
        mf_api_refuse(call, 422, "'quality' is missing: such as loss=5%%,delay=50ms, or none");
        return;
    }
    const char *text = said->text[0] != '\0' ? said->text : "none";
    if (mf_link_spec_parse(text, &quality, reason) != MF_E_OK) {
        mf_api_refuse(call, 422, "quality: %s", reason);
        return;
    }
    for (uint16_t i = 0; result != MF_E_NOENT; i++) {
        result = api->ops->port(api->ops_ctx, i, &about);
        if (result == MF_E_OK && is_meant(&call->param, i, about.kind)) {
            api->ops->set_quality(api->ops_ctx, i, &quality);
            api->server->posted = true;
        }
    }
    mf_api_get_quality(call);
}
