/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the list of all members, with filters. api.c has the route in its table. */
#include "boards/swarm/api/api_internal.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "firmware/flight/mode.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Number of members in a list: default, and maximum of ?count=. */
#define LISTED      100u
#define LISTED_MOST 2000u

static const char *const k_landed[] = {"undefined", "on_ground", "in_air", "takeoff", "landing"};

/* Conditions that a member must meet to be listed. */
struct filter {
    struct mf_http_text mode, landed, entity;
    struct mf_query query;
    int armed, finished, failsafe, frozen, observed; /* 0 or 1; -1: any */
    uint32_t from, count;
};

static bool read_truth(struct mf_api_call *call, const char *name, int *value)
{
    struct mf_http_text text;
    *value = -1;
    if (!mf_api_query(call, name, &text)) {
        return true;
    }
    if (!mf_api_is(&text, "true") && !mf_api_is(&text, "false")) {
        mf_api_refuse(call, 422, "%s must be true or false", name);
        return false;
    }
    *value = mf_api_is(&text, "true");
    return true;
}

static bool read_list_count(struct mf_api_call *call, const char *name, uint32_t most,
                            uint32_t *value)
{
    struct mf_http_text text;
    if (mf_api_query(call, name, &text) &&
        !swarm_api_parse_number(text.at, text.len, most, value)) {
        mf_api_refuse(call, 422, "%s must be 1 .. %u", name, (unsigned)most);
        return false;
    }
    return true;
}

/* Read the conditions on what a member is, one for each key of a query. */
static bool read_conditions(struct mf_api_call *call, struct mf_query *q)
{
    struct mf_http_text text;
    *q = mf_query_all();
    for (int key = 0; key < MF_QUERY_KEYS; key++) {
        const char *name = mf_query_key((enum mf_query_key)key);
        if (!mf_api_query(call, name, &text) ||
            mf_query_want(q, (enum mf_query_key)key, text.at, text.len)) {
            continue;
        }
        char words[256] = "";
        for (const char *const *word = mf_query_words((enum mf_query_key)key); *word != NULL;
             word++) {
            const size_t n = strlen(words);
            (void)snprintf(words + n, sizeof words - n, "%s%s", n > 0 ? ", " : "", *word);
        }
        mf_api_refuse(call, 422, "%s must be one of: %s", name, words);
        return false;
    }
    return true;
}

static bool read_filter(struct mf_api_call *call, struct filter *f)
{
    *f = (struct filter){.from = 1, .count = LISTED};
    (void)mf_api_query(call, "mode", &f->mode);
    (void)mf_api_query(call, "landed_state", &f->landed);
    (void)mf_api_query(call, "entity", &f->entity);
    return read_conditions(call, &f->query) && read_truth(call, "armed", &f->armed) &&
           read_truth(call, "finished", &f->finished) &&
           read_truth(call, "failsafe", &f->failsafe) && read_truth(call, "frozen", &f->frozen) &&
           read_truth(call, "observed", &f->observed) &&
           read_list_count(call, "from", MF_CROWD_MAX, &f->from) &&
           read_list_count(call, "count", LISTED_MOST, &f->count);
}

static bool is_met(int wanted, bool truth)
{
    return wanted < 0 || (wanted == 1) == truth;
}

static bool is_wanted_word(const struct mf_http_text *wanted, const char *word)
{
    return wanted->len == 0 ||
           (wanted->len == strlen(word) && strncasecmp(wanted->at, word, wanted->len) == 0);
}

static bool is_listed(const struct swarm_links *l, const struct filter *f, uint32_t i,
                      const struct mf_crowd_state *now)
{
    return i + 1u >= f->from && !swarm_is_absent(l->w, i, l->w->now_us) &&
           is_met(f->armed, now->armed) && is_met(f->finished, now->finished) &&
           is_met(f->failsafe, now->failsafe) && is_met(f->frozen, now->frozen) &&
           is_met(f->observed, l->clock[i].counts) &&
           is_wanted_word(&f->mode, mf_mode_info((enum mf_mode)now->mode)->text) &&
           is_wanted_word(&f->landed, k_landed[now->landed]) &&
           is_wanted_word(&f->entity, mf_scenario_entity_of(l->w->scenario, i)->name);
}

static void write_address(const struct swarm_links *l, struct mf_json *j, uint32_t i)
{
    char text[MF_ADDR_TEXT_MAX];
    if (swarm_links_get_address(l->w, i, text)) {
        mf_json_text(j, "address", text);
    } else {
        mf_json_null(j, "address");
    }
}

/* Write the path of requests for a member; only vehicles have one. */
static void write_reach(const struct swarm_links *l, struct mf_json *j, uint32_t i)
{
    char path[40];
    if (!swarm_is_vehicle(l->w, i)) {
        mf_json_null(j, "system_id");
        mf_json_null(j, "path");
        return;
    }
    (void)snprintf(path, sizeof path, MF_API_VEHICLES_PATH "%u", (unsigned)i + 1u);
    mf_json_integer(j, "system_id", 1 + (int64_t)(i % SWARM_GROUP));
    mf_json_text(j, "path", path);
}

static void write_listed(const struct swarm_links *l, struct mf_json *j, uint32_t i,
                         const struct mf_crowd_state *now)
{
    mf_json_object(j, NULL);
    mf_json_integer(j, "id", (int64_t)i + 1);
    mf_json_text(j, "name", swarm_name(l->w, i).text);
    mf_json_text(j, "kind", swarm_api_kind_word(l->w, i));
    write_reach(l, j, i);
    write_address(l, j, i);
    mf_json_text(j, "mode", mf_mode_info((enum mf_mode)now->mode)->text);
    mf_json_text(j, "landed_state", k_landed[now->landed]);
    mf_json_bool(j, "armed", now->armed);
    mf_json_bool(j, "finished", now->finished);
    mf_json_bool(j, "failsafe", now->failsafe);
    mf_json_bool(j, "frozen", now->frozen);
    mf_json_bool(j, "observed", l->clock[i].counts);
    mf_json_integer(j, "reached", now->reached);
    if (now->frozen) {
        mf_json_null(j, "lat_deg");
        mf_json_null(j, "lon_deg");
        mf_json_null(j, "alt_amsl_m");
    } else {
        const struct mf_pose pose = swarm_pose(l->w, i, l->w->now_us);
        mf_json_number(j, "lat_deg", pose.lat_deg, 7);
        mf_json_number(j, "lon_deg", pose.lon_deg, 7);
        mf_json_number(j, "alt_amsl_m", pose.alt_amsl_m, 3);
    }
    mf_json_end(j);
}

void swarm_api_get_list(struct mf_api_call *call)
{
    const struct swarm_links *l = swarm_api_of(call)->l;
    struct filter f;
    uint32_t found = 0, next = 0;
    if (!read_filter(call, &f)) {
        return;
    }
    mf_json_number(&call->json, "time_s", (double)l->w->now_us / 1e6, 6);
    mf_json_array(&call->json, "vehicles");
    const struct mf_scenario *s = l->w->scenario;
    for (uint32_t i = 0; (i = mf_query_next(s, &f.query, i)) < s->members; i++) {
        const struct mf_crowd_state now = swarm_state(l->w, i);
        if (!is_listed(l, &f, i, &now)) {
            continue;
        }
        if (found < f.count) {
            write_listed(l, &call->json, i, &now);
        } else if (found == f.count) {
            next = i + 1u;
        }
        found++;
    }
    mf_json_end(&call->json);
    mf_json_integer(&call->json, "count", found);
    if (next == 0) {
        mf_json_null(&call->json, "next");
    } else {
        mf_json_integer(&call->json, "next", next);
    }
}

const struct mf_api_field swarm_api_list[] = {
    {"time_s", "number", "vehicle time of the answer [s]"},
    {"vehicles", "array:object", "members that pass the filters"},
    {"count", "integer", "number of members that pass"},
    {"next", "integer?", "value of from for the next answer; null: all are listed"},
    {NULL, NULL, NULL},
};
/* words of a list as the type of a query: "string:a|b|" */
#define WORD(name, word) word "|"

const struct mf_api_field swarm_api_list_query[] = {
    {"mode", "string", "flight mode, as in the answer: Mission, Hold"},
    {"landed_state", "string", "landed state: on_ground, in_air, takeoff or landing"},
    {"kind", "string:" MF_SCENARIO_KIND_LIST(WORD), "kind of member"},
    {"body", "string:" MF_SCENARIO_BODY_LIST(WORD), "body of the member"},
    {"thing", "string:" MF_SCENARIO_THING_LIST(WORD), "kind of thing"},
    {"behaviour", "string:" MF_BEHAVIOUR_LIST(WORD), "behaviour of the member"},
    {"sensor", "string", "kind of sensor that the member has: range"},
    {"radio", "string:" MF_RADIO_LIST(WORD), "radio of the member"},
    {"entity", "string", "name of the entity"},
    {"armed", "boolean", "true: armed"},
    {"finished", "boolean", "true: its mission is complete"},
    {"failsafe", "boolean", "true: a failsafe chose the mode"},
    {"frozen", "boolean", "true: an assertion has ended it"},
    {"observed", "boolean", "true: it has had a client"},
    {"from", "integer:1..1000000", "number of the first member; 1 by default"},
    {"count", "integer:1..2000", "maximum number of members in the answer; 100 by default"},
    {NULL, NULL, NULL},
};
