/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Queries of members by type and by id. A query is a list of keys and words, such as body=bee or
 * sensor=range; a member must match all of them.
 *
 *     struct mf_query q = mf_query_all();
 *     if (mf_query_want(&q, MF_QUERY_BODY, "bee", 3)) {
 *         for (uint32_t i = 0; (i = mf_query_next(&s, &q, i)) < s.members; i++) { ... }
 *     }
 *
 * A member's id is its name, or its number in the swarm.
 */
#ifndef MF_FLEET_QUERY_H
#define MF_FLEET_QUERY_H

#include "fleet/scenario.h"

/* Keys of a query: name and word. */
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

/** A query: words that a member must match. */
struct mf_query {
    int32_t want[MF_QUERY_KEYS]; /**< index of the key's word; -1: any */
};

/** @brief Query that every member matches. */
struct mf_query mf_query_all(void);

/** @brief Word of a key. */
const char *mf_query_key(enum mf_query_key key);

/** @brief Words that a key can have, with NULL at the end. */
const char *const *mf_query_words(enum mf_query_key key);

/** @brief Restrict a query to members whose value of @p key is a word.
 * @param text  the word [n bytes]  @return false: the key does not know the word */
bool mf_query_want(struct mf_query *q, enum mf_query_key key, const char *text, size_t n);

/** @brief Find the first matching member from @p i on. @return s->members: none matches */
uint32_t mf_query_next(const struct mf_scenario *s, const struct mf_query *q, uint32_t i);

/** @brief Find a member by its name, "walker.7", or by its number from 1, "7".
 * @return s->members: unknown, or the name means several */
uint32_t mf_query_id(const struct mf_scenario *s, const char *id);

#endif
