/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: faults and plans of faults. */
#include "host/api/api_route.h"
#include "host/record/post.h"
#include "host/spec/faultspec.h"

#include <string.h>

const struct mf_api_field mf_api_fault_fields[] = {
    {"fault", "string/:faults", "name of the fault; or give spec"},
    {"values", "array:number",
     "values of the fault, in the order and units of its field takes; a missing one is its "
     "default"},
    {"text", "string", "text of a fault that takes one; it must not contain @ + , ="},
    {"spec", "string/",
     "faults as --faults takes them, instead of the other fields: "
     "NAME[=VALUES][@WHEN][+DURATION],...; without WHEN they begin now"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_faults_fields[] = {
    {"vehicle_time_s", "number", "vehicle time of the answer [s]"},
    {"faults", "array:fault", "every fault there is"},
    {"schedule", "array:planned", "scheduled faults that have not ended"},
    {NULL, NULL, NULL},
};

static const char *const k_effect[MF_FAULT_COUNT] = {
#define X(name, spelling, unit, type, words, limits, effect) [MF_FAULT_##name] = effect,
    MF_FAULT_LIST(X)
#undef X
};

static void write_fault(const struct mf_vehicle *v, struct mf_json *j, enum mf_fault fault)
{
    struct mf_fault_values with = mf_fault_default(fault);
    const bool active = mf_inject_active(mf_vehicle_devices(v), *mf_vehicle_clock(v), fault, &with);
    mf_json_object(j, NULL);
    mf_json_text(j, "fault", mf_fault_name(fault));
    mf_json_bool(j, "active", active);
    mf_json_array(j, "values");
    for (unsigned i = 0; i < mf_fault_value_count(fault); i++) {
        mf_json_number(j, NULL, (double)with.value[i], 6);
    }
    mf_json_end(j);
    mf_json_text(j, "text", with.text);
    mf_json_text(j, "takes", mf_fault_words(fault));
    mf_json_text(j, "effect", k_effect[fault]);
    mf_json_end(j);
}

static void write_time(struct mf_json *j, const char *key, mf_us_t t_us)
{
    if (t_us == MF_NEVER) {
        mf_json_null(j, key);
    } else {
        mf_json_number(j, key, (double)t_us / 1e6, 6);
    }
}

static void write_schedule(const struct mf_vehicle *v, struct mf_json *j)
{
    struct mf_fault_planned p;
    char spec[MF_FAULT_SPEC_MAX];
    mf_json_array(j, "schedule");
    for (uint32_t i = 0; mf_inject_planned(mf_vehicle_devices(v), *mf_vehicle_clock(v), i, &p);
         i++) {
        mf_fault_spec_print(&p.plan, spec);
        mf_json_object(j, NULL);
        mf_json_text(j, "spec", spec);
        mf_json_text(j, "fault", mf_fault_name(p.plan.fault));
        mf_json_bool(j, "active", p.from_us <= *mf_vehicle_clock(v));
        write_time(j, "from_s", p.from_us);
        write_time(j, "to_s", p.to_us);
        mf_json_end(j);
    }
    mf_json_end(j);
}

void mf_api_get_faults(struct mf_api_call *call)
{
    const struct mf_vehicle *v = call->api->vehicle;
    mf_json_number(&call->json, "vehicle_time_s", (double)*mf_vehicle_clock(v) / 1e6, 6);
    mf_json_array(&call->json, "faults");
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        write_fault(v, &call->json, (enum mf_fault)i);
    }
    mf_json_end(&call->json);
    write_schedule(v, &call->json);
}

/* Find a fault by its name. @return enum mf_fault, or a negative value: refused */
static int find_fault(struct mf_api_call *call, uint16_t status, const char *name)
{
    char reason[MF_FAULT_REASON_MAX];
    const int fault = mf_fault_find(name);
    if (fault < 0) {
        (void)mf_fault_unknown(name, reason);
        mf_api_refuse(call, status, "%s", reason);
    }
    return fault;
}

/* Read the values of a fault. @return false: refused */
static bool read_values(struct mf_api_call *call, enum mf_fault fault,
                        const struct mf_json_member *given, struct mf_fault_values *with)
{
    char reason[MF_FAULT_REASON_MAX];
    int result = given->count > mf_fault_value_count(fault) ? mf_fault_too_many(fault, reason)
                                                            : (int)MF_E_OK;
    for (unsigned i = 0; result == MF_E_OK && i < given->count; i++) {
        result = mf_fault_check_value(fault, i, given->item[i], reason);
        with->value[i] = result == MF_E_OK ? (float)given->item[i] : 0.0f;
    }
    if (result != MF_E_OK) {
        mf_api_refuse(call, 422, "%s", reason);
        return false;
    }
    const float least = mf_fault_least(fault, with);
    if (least > 0.0f) {
        mf_api_refuse(call, 422, "%s: too small to be seen, allowed: %g or more (%s)",
                      mf_fault_name(fault), (double)least, mf_fault_words(fault));
    }
    return !(least > 0.0f);
}

static bool read_text(struct mf_api_call *call, enum mf_fault fault,
                      const struct mf_json_member *given, struct mf_fault_values *with)
{
    if (strcmp(mf_fault_words(fault), "TEXT") != 0) {
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

/* Answer the result of a posted fault. @return true: MF_E_OK; false: refused */
static bool answer_result(struct mf_api_call *call, enum mf_fault fault, int result)
{
    call->api->server->posted = true;
    if (result == MF_E_OK) {
        return true;
    }
    mf_api_refuse(call, result == MF_E_RANGE ? 422 : 409, "%s: %s", mf_fault_name(fault),
                  result == MF_E_AGAIN    ? "another active fault hides it; end that first"
                  : result == MF_E_DENIED ? "the vehicle shows that already"
                  : result == MF_E_NOSUPP ? "no message would show it at present"
                  : result == MF_E_FULL   ? "the schedule is full: DELETE some"
                                          : mf_err_text(result));
    return false;
}

/* Post a plan of a fault. @return false: refused */
static bool post_plan(struct mf_api_call *call, const char *spec, size_t n,
                      const struct mf_fault_plan *plan)
{
    struct mf_api *api = call->api;
    const int result = mf_post_plan(api->drone, plan, memchr(spec, '@', n) == NULL);
    if (result == MF_E_RANGE) {
        api->server->posted = true;
        mf_api_refuse(call, 422, "%.*s: that time is over, vehicle time is %.6f s", (int)n, spec,
                      (double)*mf_vehicle_clock(api->vehicle) / 1e6);
        return false;
    }
    return answer_result(call, plan->fault, result);
}

/* Post one or several specifications with commas. All of them are read before the first one takes
 * effect. */
static void post_specs(struct mf_api_call *call, const char *specs)
{
    char reason[MF_FAULT_REASON_MAX];
    if (call->body->count != 1) {
        mf_api_refuse(call, 422, "'spec' must be the only member");
        return;
    }
    for (int post = 0; post < 2; post++) {
        const char *spec = specs;
        for (bool more = true; more;) {
            struct mf_fault_plan plan;
            const size_t n = strcspn(spec, ",");
            if (mf_fault_spec_parse(spec, n, &plan, reason) != MF_E_OK) {
                mf_api_refuse(call, 422, "%s", reason);
                return;
            }
            if (post == 1 && !post_plan(call, spec, n, &plan)) {
                return;
            }
            more = spec[n] == ',';
            spec += n + 1;
        }
    }
    mf_api_get_faults(call);
}

void mf_api_post_fault(struct mf_api_call *call)
{
    struct mf_api *api = call->api;
    const struct mf_json_member *name = mf_json_find(call->body, "fault");
    const struct mf_json_member *values = mf_json_find(call->body, "values");
    const struct mf_json_member *text = mf_json_find(call->body, "text");
    const struct mf_json_member *spec = mf_json_find(call->body, "spec");
    if (spec != NULL) {
        post_specs(call, spec->text);
        return;
    }
    if (name == NULL) {
        mf_api_refuse(call, 422, "'fault' is missing: its name; GET lists all");
        return;
    }
    const int fault = find_fault(call, 422, name->text);
    if (fault < 0) {
        return;
    }
    struct mf_fault_values with = mf_fault_default((enum mf_fault)fault);
    if ((values != NULL && !read_values(call, (enum mf_fault)fault, values, &with)) ||
        (text != NULL && !read_text(call, (enum mf_fault)fault, text, &with))) {
        return;
    }
    const bool given = text != NULL || (values != NULL && values->count > 0);
    const int result = mf_post_fault(api->drone, (enum mf_fault)fault, true, given ? &with : NULL);
    if (answer_result(call, (enum mf_fault)fault, result)) {
        mf_api_get_faults(call);
    }
}

static bool end(struct mf_api_call *call, enum mf_fault fault)
{
    struct mf_api *api = call->api;
    return answer_result(call, fault, mf_post_unplan(api->drone, fault));
}

void mf_api_delete_fault(struct mf_api_call *call)
{
    char name[MF_FAULT_TEXT_MAX];
    const size_t n = call->param.len < sizeof name ? call->param.len : sizeof name - 1;
    memcpy(name, call->param.at, n);
    name[n] = '\0';
    const int fault = find_fault(call, 404, name);
    if (fault >= 0 && end(call, (enum mf_fault)fault)) {
        mf_api_get_faults(call);
    }
}

void mf_api_delete_faults(struct mf_api_call *call)
{
    const struct mf_vehicle *v = call->api->vehicle;
    const mf_us_t t_us = *mf_vehicle_clock(v);
    struct mf_fault_planned p;
    uint64_t found = 0;
    for (uint32_t i = 0; mf_inject_planned(mf_vehicle_devices(v), t_us, i, &p); i++) {
        found |= UINT64_C(1) << p.plan.fault;
    }
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        const bool there =
            (found >> i & 1u) != 0 ||
            mf_inject_active(mf_vehicle_devices(v), *mf_vehicle_clock(v), (enum mf_fault)i, NULL);
        if (there && !end(call, (enum mf_fault)i)) {
            return;
        }
    }
    mf_api_get_faults(call);
}
