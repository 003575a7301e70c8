/* SPDX-License-Identifier: Apache-2.0 */
/* The control API: faults. */
#include "host/api_route.h"
#include "host/faultspec.h"
#include "host/post.h"
#include "host/value.h"

#include <string.h>

const struct mf_api_field mf_api_fault_fields[] = {
    {"fault", "string", "its name; required"},
    {"values", "array", "its numbers, in the units of docs/faults.md; those left out as there"},
    {"text", "string", "for a fault that takes a text; without @ + , ="},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_faults_fields[] = {
    {"vehicle_time_s", "number", "of this list"},
    {"faults", "array",
     "fault, active, values (as they count now, or by default), text, takes (what "
     "values it takes), effect"},
    {NULL, NULL, NULL},
};

static const struct {
    const char *words, *effect;
    struct {
        float low, high, usual;
    } value[MF_FAULT_VALUES];
} k_fault[MF_FAULT_COUNT] = {
#define X(name, spelling, unit, type, words, limits, effect) \
    [MF_FAULT_##name] = {words, effect, MF_FAULT_LIMITS limits},
    MF_FAULT_LIST(X)
#undef X
};

static struct mf_fault_values usual(enum mf_fault fault)
{
    struct mf_fault_values with = {.text = ""};
    for (size_t i = 0; i < MF_FAULT_VALUES; i++) {
        with.value[i] = k_fault[fault].value[i].usual;
    }
    return with;
}

static void write_fault(const struct mf_vehicle *v, struct mf_json *j, enum mf_fault fault)
{
    struct mf_fault_values with = usual(fault);
    const bool active = mf_inject_active(&v->hal, v->now.vehicle_us, fault, &with);
    mf_json_object(j, NULL);
    mf_json_text(j, "fault", mf_fault_name(fault));
    mf_json_bool(j, "active", active);
    mf_json_array(j, "values");
    for (unsigned i = 0; i < mf_fault_value_count(fault); i++) {
        mf_json_number(j, NULL, (double)with.value[i], 6);
    }
    mf_json_end(j);
    mf_json_text(j, "text", with.text);
    mf_json_text(j, "takes", k_fault[fault].words);
    mf_json_text(j, "effect", k_fault[fault].effect);
    mf_json_end(j);
}

void mf_api_get_faults(struct mf_api_call *call)
{
    const struct mf_vehicle *v = call->api->vehicle;
    mf_json_number(&call->json, "vehicle_time_s", (double)v->now.vehicle_us / 1e6, 6);
    mf_json_array(&call->json, "faults");
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        write_fault(v, &call->json, (enum mf_fault)i);
    }
    mf_json_end(&call->json);
}

/* @return enum mf_fault, or a negative value: refused */
static int find_fault(struct mf_api_call *call, uint16_t status, const char *name)
{
    struct mf_nearest nearest = {.word = name};
    const int fault = mf_fault_find(name);
    for (int i = 0; fault < 0 && i < MF_FAULT_COUNT; i++) {
        mf_nearest_try(&nearest, mf_fault_name((enum mf_fault)i));
    }
    if (fault < 0) {
        mf_api_refuse(call, status, "fault '%.40s' is not known%s%s%s", name,
                      nearest.best != NULL ? ", did you mean " : "",
                      nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "?" : "");
    }
    return fault;
}

/* @return whether they can be used */
static bool read_values(struct mf_api_call *call, enum mf_fault fault,
                        const struct mf_json_member *given, struct mf_fault_values *with)
{
    const unsigned count = mf_fault_value_count(fault);
    if (given->count > count) {
        mf_api_refuse(call, 422, "%s takes %u values", mf_fault_name(fault), count);
        return false;
    }
    for (unsigned i = 0; i < given->count; i++) {
        const double low = (double)k_fault[fault].value[i].low;
        const double high = (double)k_fault[fault].value[i].high;
        if (!(given->item[i] >= low && given->item[i] <= high)) {
            mf_api_refuse(call, 422, "%s: %.10g is out of range, allowed: %.10g .. %.10g",
                          mf_fault_name(fault), given->item[i], low, high);
            return false;
        }
        with->value[i] = (float)given->item[i];
    }
    const float least = mf_fault_least(fault, with);
    if (least > 0.0f) {
        mf_api_refuse(call, 422, "%s: too small to be seen, allowed: %g or more (%s)",
                      mf_fault_name(fault), (double)least, k_fault[fault].words);
    }
    return !(least > 0.0f);
}

static bool read_text(struct mf_api_call *call, enum mf_fault fault,
                      const struct mf_json_member *given, struct mf_fault_values *with)
{
    if (strcmp(k_fault[fault].words, "TEXT") != 0) {
        mf_api_refuse(call, 422, "%s takes no text", mf_fault_name(fault));
        return false;
    }
    const size_t n = strlen(given->text);
    for (size_t i = 0; i < n; i++) {
        if (given->text[i] < ' ' || given->text[i] > '~' ||
            strchr("@+,=", given->text[i]) != NULL) {
            mf_api_refuse(call, 422, "text: printable ASCII characters but @ + , =");
            return false;
        }
    }
    if (n == 0 || n >= sizeof with->text) {
        mf_api_refuse(call, 422, "text: 1 .. %zu characters", sizeof with->text - 1);
        return false;
    }
    memcpy(with->text, given->text, n + 1);
    return true;
}

static bool post(struct mf_api_call *call, enum mf_fault fault, bool on,
                 const struct mf_fault_values *with)
{
    struct mf_api *api = call->api;
    const int result = mf_post_fault(api->recorder, api->vehicle, fault, on, with);
    api->posted = true;
    api->seen.faults_us = 0; /* look at once */
    if (result == MF_E_OK) {
        return true;
    }
    mf_api_refuse(call, result == MF_E_RANGE ? 422 : 409, "%s: %s", mf_fault_name(fault),
                  result == MF_E_AGAIN    ? "another active fault hides it; end that first"
                  : result == MF_E_DENIED ? "that is what it shows already"
                  : result == MF_E_NOSUPP ? "nothing would show it here and now"
                                          : mf_err_text(result));
    return false;
}

void mf_api_post_fault(struct mf_api_call *call)
{
    const struct mf_json_member *name = mf_json_find(call->body, "fault");
    const struct mf_json_member *values = mf_json_find(call->body, "values");
    const struct mf_json_member *text = mf_json_find(call->body, "text");
    if (name == NULL) {
        mf_api_refuse(call, 422, "'fault' is missing: its name; GET lists all");
        return;
    }
    const int fault = find_fault(call, 422, name->text);
    if (fault < 0) {
        return;
    }
    struct mf_fault_values with = usual((enum mf_fault)fault);
    if ((values != NULL && !read_values(call, (enum mf_fault)fault, values, &with)) ||
        (text != NULL && !read_text(call, (enum mf_fault)fault, text, &with))) {
        return;
    }
    const bool given = text != NULL || (values != NULL && values->count > 0);
    if (post(call, (enum mf_fault)fault, true, given ? &with : NULL)) {
        mf_api_get_faults(call);
    }
}

void mf_api_delete_fault(struct mf_api_call *call)
{
    char name[MF_FAULT_TEXT_MAX];
    const size_t n = call->param.len < sizeof name ? call->param.len : sizeof name - 1;
    memcpy(name, call->param.at, n);
    name[n] = '\0';
    const int fault = find_fault(call, 404, name);
    if (fault >= 0 && post(call, (enum mf_fault)fault, false, NULL)) {
        mf_api_get_faults(call);
    }
}

void mf_api_delete_faults(struct mf_api_call *call)
{
    const struct mf_vehicle *v = call->api->vehicle;
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        if (mf_inject_active(&v->hal, v->now.vehicle_us, (enum mf_fault)i, NULL) &&
            !post(call, (enum mf_fault)i, false, NULL)) {
            return;
        }
    }
    mf_api_get_faults(call);
}
