/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Members by type and by id: a query is a list of keys and words, such as body=bee or sensor=range,
 * that a member must have all.
 *
 *     struct mf_query q = mf_query_all();
 *     if (mf_query_want(&q, MF_QUERY_BODY, "bee", 3)) {
 *         for (uint32_t i = 0; (i = mf_query_next(&s, &q, i)) < s.members; i++) { ... }
 *     }
 *
 * One member is found by its name, and by its number in the swarm.
 */
#ifndef MF_FLEET_QUERY_H
#define MF_FLEET_QUERY_H

#include "fleet/scenario.h"

/* Name, key. */
#define MF_QUERY_LIST(X)      \
    X(KIND, "kind")           \
    X(BODY, "body")           \
    X(THING, "thing")         \
    X(BEHAVIOUR, "behaviour") \
    X(SENSOR, "sensor")       \
    X(RADIO, "radio")

/* clang-format off */
#define X(name, key) MF_QUERY_##name,
enum mf_query_key { MF_QUERY_LIST(X) MF_QUERY_KEYS };
#undef X
/* clang-format on */

/** Words that a member must have. */
struct mf_query {
    int32_t want[MF_QUERY_KEYS]; /**< the word's number; -1: any */
};

/** @brief Everybody. */
struct mf_query mf_query_all(void);

/** @brief A key, as it is called. */
const char *mf_query_key(enum mf_query_key key);

/** @brief Its words, the last one NULL. */
const char *const *mf_query_words(enum mf_query_key key);

/** @brief Only members with this word. @param text  [n]  @return false: the key has no such word */
bool mf_query_want(struct mf_query *q, enum mf_query_key key, const char *text, size_t n);

/** @brief The first member that passes, from @p i on. @return s->members: there is none */
uint32_t mf_query_next(const struct mf_scenario *s, const struct mf_query *q, uint32_t i);

/** @brief A member by its name, "walker.7", or by its number from 1, "7".
 *  @return s->members: there is none, or the name means several */
uint32_t mf_query_id(const struct mf_scenario *s, const char *id);

#endif
