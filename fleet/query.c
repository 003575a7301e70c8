/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of members. Called by boards/swarm/api, api_list and api_metrics. */
#include "fleet/query.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define X(name, word) word,
static const char *const k_kind[] = {MF_SCENARIO_KIND_LIST(X) NULL};
static const char *const k_body[] = {MF_SCENARIO_BODY_LIST(X) NULL};
static const char *const k_behaviour[] = {MF_BEHAVIOUR_LIST(X) NULL};
static const char *const k_radio[] = {MF_RADIO_LIST(X) NULL};
#undef X
#define X(name, word, ...) word,
static const char *const k_sensor[] = {MF_SCENARIO_SENSOR_LIST(X) NULL};
#undef X
/* clang-format on */

static const struct {
    const char *key;
    const char *const *words;
} k_key[MF_QUERY_KEYS] = {
    [MF_QUERY_KIND] = {"kind", k_kind},
    [MF_QUERY_BODY] = {"body", k_body},
    [MF_QUERY_THING] = {"thing", mf_scenario_thing_words},
    [MF_QUERY_BEHAVIOUR] = {"behaviour", k_behaviour},
    [MF_QUERY_SENSOR] = {"sensor", k_sensor},
    [MF_QUERY_RADIO] = {"radio", k_radio},
};

struct mf_query mf_query_all(void)
{
    struct mf_query q;
    for (size_t i = 0; i < MF_QUERY_KEYS; i++) {
        q.want[i] = -1;
    }
    return q;
}

const char *mf_query_key(enum mf_query_key key)
{
    return k_key[key].key;
}

const char *const *mf_query_words(enum mf_query_key key)
{
    return k_key[key].words;
}

bool mf_query_want(struct mf_query *q, enum mf_query_key key, const char *text, size_t n)
{
    for (int32_t i = 0; k_key[key].words[i] != NULL; i++) {
        const char *word = k_key[key].words[i];
        if (strlen(word) == n && memcmp(word, text, n) == 0) {
            q->want[key] = i;
            return true;
        }
    }
    return false;
}

static bool has_sensor(const struct mf_scenario_entity *e, int32_t kind)
{
    for (uint32_t i = 0; i < e->sensors; i++) {
        if (e->sensor[i].kind == kind) {
            return true;
        }
    }
    return false;
}

/* Does an entity match? All its members are of one type. */
static bool has(const struct mf_scenario_entity *e, enum mf_query_key key, int32_t word)
{
    switch (key) {
    case MF_QUERY_KIND:
        return e->as == word;
    case MF_QUERY_BODY: /* a thing does not move with a body */
        return e->body.kind == word && e->as != MF_SCENARIO_KIND_THING;
    case MF_QUERY_THING:
        return e->object.thing == word;
    case MF_QUERY_BEHAVIOUR:
        return e->behaviour.kind == word;
    case MF_QUERY_SENSOR:
        return has_sensor(e, word);
    case MF_QUERY_RADIO:
        return e->radio.kind == word;
    case MF_QUERY_KEYS:
    default:
        return false;
    }
}

static bool passes(const struct mf_scenario_entity *e, const struct mf_query *q)
{
    bool all = true;
    for (int key = 0; key < MF_QUERY_KEYS; key++) {
        all = all && (q->want[key] < 0 || has(e, (enum mf_query_key)key, q->want[key]));
    }
    return all;
}

uint32_t mf_query_next(const struct mf_scenario *s, const struct mf_query *q, uint32_t i)
{
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        if (i < e->first + e->count && passes(e, q)) {
            return i > e->first ? i : e->first;
        }
    }
    return s->members;
}

uint32_t mf_query_id(const struct mf_scenario *s, const char *id)
{
    char *end;
    uint32_t from, to;
    if (id[0] >= '0' && id[0] <= '9') {
        const unsigned long number = strtoul(id, &end, 10);
        return *end == '\0' && number >= 1 && number <= s->members ? (uint32_t)number - 1u
                                                                   : s->members;
    }
    return mf_scenario_find(s, id, &from, &to) && to == from + 1u ? from : s->members;
}
