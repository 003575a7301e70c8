/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: parameters, one by one. */
#include "firmware/core/param.h"
#include "firmware/report/snapshot.h"
#include "host/api/api_route.h"
#include "mavlink/enums.h"

#include <math.h>
#include <string.h>

const struct mf_api_field mf_api_param_fields[] = {
    {"name", "string", "name of the parameter"},
    {"type", "string:float|int32", "type of its value"},
    {"value", "number", "value that counts now"},
    {"default", "number", "value after a reset"},
    {"min", "number", "lowest value that is allowed"},
    {"max", "number", "highest value that is allowed"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_params_fields[] = {
    {"parameters", "array:parameter", "all parameters, by name"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_param_request_fields[] = {
    {"value", "number!", "new value, from min to max; a whole number if the type is int32"},
    {NULL, NULL, NULL},
};

static void write_value(struct mf_json *j, const char *key, const struct mf_param_info *info,
                        union mf_param_value value)
{
    if (info->is_float) {
        mf_json_number(j, key, (double)value.f, 7);
    } else {
        mf_json_integer(j, key, value.i);
    }
}

static void write_param(struct mf_json *j, const struct mf_vehicle *v, enum mf_param param)
{
    const struct mf_param_info *info = mf_param_info(param);
    mf_json_text(j, "name", info->name);
    mf_json_text(j, "type", info->is_float ? "float" : "int32");
    write_value(j, "value", info, mf_snapshot_param(v, param));
    write_value(j, "default", info, info->value);
    write_value(j, "min", info, info->min);
    write_value(j, "max", info, info->max);
}

void mf_api_get_params(struct mf_api_call *call)
{
    if (mf_api_write_param_file(call)) {
        return;
    }
    mf_json_array(&call->json, "parameters");
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        mf_json_object(&call->json, NULL);
        write_param(&call->json, call->api->vehicle, (enum mf_param)i);
        mf_json_end(&call->json);
    }
    mf_json_end(&call->json);
}

/* Find the parameter of the path. @return < 0: refused */
static int find_named(struct mf_api_call *call)
{
    char name[MF_PARAM_NAME_MAX + 1u] = "";
    int param = MF_E_NOENT;
    if (call->param.len <= MF_PARAM_NAME_MAX) {
        memcpy(name, call->param.at, call->param.len);
        param = mf_param_find(name);
    }
    if (param < 0) {
        mf_api_refuse(call, 404, "there is no parameter '%.*s'; GET /v1/parameters lists all",
                      (int)(call->param.len < 40 ? call->param.len : 40), call->param.at);
    }
    return param;
}

void mf_api_get_param(struct mf_api_call *call)
{
    const int param = find_named(call);
    if (param >= 0) {
        write_param(&call->json, call->api->vehicle, (enum mf_param)param);
    }
}

static void refuse(struct mf_api_call *call, const struct mf_param_info *info, uint8_t error)
{
    const double low = info->is_float ? (double)info->min.f : info->min.i;
    const double high = info->is_float ? (double)info->max.f : info->max.i;
    if (error == MAV_PARAM_ERROR_VALUE_OUT_OF_RANGE) {
        mf_api_refuse(call, 422, "%s must be %.7g .. %.7g", info->name, low, high);
    } else {
        mf_api_refuse(call, 409, "%s: %s", info->name,
                      error == MAV_PARAM_ERROR_READ_ONLY ? "read-only"
                                                         : "the vehicle refuses the value");
    }
}

void mf_api_put_param(struct mf_api_call *call)
{
    const int param = find_named(call);
    const struct mf_json_member *m = mf_json_find(call->body, "value");
    if (param < 0) {
        return;
    }
    const struct mf_param_info *info = mf_param_info((enum mf_param)param);
    if (m == NULL || (!info->is_float && !(trunc(m->number) == m->number &&
                                           m->number >= INT32_MIN && m->number <= INT32_MAX))) {
        mf_api_refuse(call, 422, m == NULL ? "value is missing" : "value must be a whole number");
        return;
    }
    union mf_param_value value = {.f = (float)m->number};
    if (!info->is_float) {
        value.i = (int32_t)m->number;
    }
    struct mf_msg_param_set set = {.param_value = value.bits,
                                   .param_type = info->is_float ? MAV_PARAM_TYPE_REAL32
                                                                : MAV_PARAM_TYPE_INT32};
    struct mf_msg_param_value now;
    uint8_t error = 0;
    memcpy(set.param_id, info->name, strnlen(info->name, sizeof set.param_id));
    if (!mf_api_asked(call, call->api->ops->set_param(call->api->ops_ctx, &set, &error, &now))) {
        return;
    }
    if (error != 0) {
        refuse(call, info, error);
        return;
    }
    write_param(&call->json, call->api->vehicle, (enum mf_param)param);
}
