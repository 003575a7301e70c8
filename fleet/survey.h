/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A survey that nobody leads: each member has a map of its own, on which it marks what its camera
 * sees and what those must see whom it hears by radio. It goes to the nearest cell that is not
 * marked and to which it is nearer than anybody whom it hears; where there is none, to the nearest
 * at all. Whoever falls silent counts no more, so others take what it leaves.
 */
#ifndef MF_FLEET_SURVEY_H
#define MF_FLEET_SURVEY_H

#include "hal/types.h"
#include "world/coverage.h"

#define MF_SURVEY_NEIGHBOURS 32u
#define MF_SURVEY_NONE       UINT32_MAX

/** What all members share; it never changes. */
struct mf_survey {
    struct mf_coverage_grid grid;
    const uint64_t *area; /**< [words]: cells within the area */
    size_t words;
    uint32_t silent_turns; /**< a neighbour that is silent for so long counts no more */
};

/** Somebody who was heard. */
struct mf_survey_neighbour {
    uint32_t member, turn;
    struct mf_en at;
    bool flies;
};

/** A member. Its maps lie behind it: mf_survey_bytes(). */
struct mf_survey_member {
    uint32_t goal; /**< cell; MF_SURVEY_NONE */
    uint32_t turn;
    uint32_t neighbours;
    struct mf_survey_neighbour neighbour[MF_SURVEY_NEIGHBOURS];
};

/** @brief Memory of a member [bytes], zeroed to begin. */
size_t mf_survey_bytes(const struct mf_survey *s);

/** @brief What its own camera has seen, [s->words]. */
uint64_t *mf_survey_seen(struct mf_survey_member *m);

/** @brief Its camera sees this now. */
void mf_survey_see(const struct mf_survey *s, struct mf_survey_member *m,
                   const struct mf_coverage_frame *frame);

/** @brief Somebody says where it is. @param sees_m  so far to each side, whatever its heading */
void mf_survey_hear(const struct mf_survey *s, struct mf_survey_member *m, uint32_t member,
                    struct mf_en at, bool flies, double sees_m);

/** @brief A turn: where to? @param at  where it is  @param goal  out
 *  @return false: all is marked */
bool mf_survey_turn(const struct mf_survey *s, struct mf_survey_member *m, struct mf_en at,
                    struct mf_en *goal);

#endif
