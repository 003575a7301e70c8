/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: rules of protocol misbehaviour. */
#include "drone/misbehave.h"
#include "host/api/api_route.h"
#include "host/base/value.h"
#include "host/spec/misbehavespec.h"

#include <stdlib.h>
#include <string.h>

const struct mf_api_field mf_api_rule_fields[] = {
    {"rule", "string!", "the rule as --misbehave takes it: command_denied(takeoff)*2"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_rules_fields[] = {
    {"vehicle_time_s", "number", "vehicle time of the answer [s]"},
    {"rules", "array:rule", "rules that were added"},
    {"known", "array:known", "every kind of rule that can be added"},
    {NULL, NULL, NULL},
};

static void write_rule(const struct mf_misbehave *s, struct mf_json *j,
                       const struct mf_misbehave_rule *r)
{
    char text[MF_RULE_SPEC_MAX];
    mf_rule_spec_print(&r->rule, text);
    mf_json_object(j, NULL);
    mf_json_integer(j, "id", r->id);
    mf_json_text(j, "name", mf_rule_info(r->rule.kind)->name);
    mf_json_text(j, "rule", text);
    mf_json_bool(j, "active", mf_misbehave_active(s, r));
    mf_json_integer(j, "fired", r->fired);
    mf_json_end(j);
}

static void write_known(struct mf_json *j, enum mf_rule_kind kind)
{
    char takes[32];
    const struct mf_rule_info *info = mf_rule_info(kind);
    mf_rule_takes(kind, takes, sizeof takes);
    mf_json_object(j, NULL);
    mf_json_text(j, "name", info->name);
    mf_json_text(j, "takes", takes);
    mf_json_integer(j, "times", info->times);
    mf_json_text(j, "effect", info->effect);
    mf_json_end(j);
}

void mf_api_get_rules(struct mf_api_call *call)
{
    const struct mf_misbehave *s = mf_drone_rules(call->api->drone);
    struct mf_json *j = &call->json;
    mf_json_number(j, "vehicle_time_s", (double)*mf_vehicle_clock(call->api->vehicle) / 1e6, 6);
    mf_json_array(j, "rules");
    for (uint16_t i = 0; s != NULL && i < s->rule_count; i++) {
        write_rule(s, j, &s->rule[i]);
    }
    mf_json_end(j);
    mf_json_array(j, "known");
    for (int i = 0; i < MF_RULE_COUNT; i++) {
        write_known(j, (enum mf_rule_kind)i);
    }
    mf_json_end(j);
}

void mf_api_post_rule(struct mf_api_call *call)
{
    const struct mf_json_member *text = mf_json_find(call->body, "rule");
    struct mf_rule rule;
    char reason[MF_RULE_REASON_MAX];
    if (mf_rule_spec_parse(text != NULL ? text->text : "", text != NULL ? strlen(text->text) : 0,
                           &rule, reason) != MF_E_OK) {
        mf_api_refuse(call, 422, "%s", reason);
        return;
    }
    if (mf_drone_add_rule(call->api->drone, &rule) < 0) {
        mf_api_refuse(call, 409, "there are %u rules already: DELETE some", MF_MISBEHAVE_RULES_MAX);
        return;
    }
    mf_api_get_rules(call);
}

/* Remove all rules of a kind. */
static void remove_kind(struct mf_misbehave *s, enum mf_rule_kind kind)
{
    for (uint16_t i = s != NULL ? s->rule_count : 0; i > 0; i--) {
        if (s->rule[i - 1].rule.kind == kind) {
            (void)mf_misbehave_remove(s, s->rule[i - 1].id);
        }
    }
}

void mf_api_delete_rule(struct mf_api_call *call)
{
    struct mf_misbehave *s = mf_drone_rules(call->api->drone);
    char name[48];
    const size_t n = call->param.len < sizeof name ? call->param.len : sizeof name - 1;
    memcpy(name, call->param.at, n);
    name[n] = '\0';
    const int kind = mf_rule_find(name);
    if (kind >= 0) {
        remove_kind(s, (enum mf_rule_kind)kind);
    } else if (s == NULL || n > 9 || strspn(name, "0123456789") != n ||
               mf_misbehave_remove(s, (uint32_t)strtoul(name, NULL, 10)) != MF_E_OK) {
        mf_api_refuse(call, 404, "'%s' is neither the id of a rule nor a name", name);
        return;
    }
    mf_api_get_rules(call);
}

void mf_api_delete_rules(struct mf_api_call *call)
{
    struct mf_misbehave *s = mf_drone_rules(call->api->drone);
    while (s != NULL && s->rule_count > 0) {
        (void)mf_misbehave_remove(s, s->rule[s->rule_count - 1].id);
    }
    mf_api_get_rules(call);
}
