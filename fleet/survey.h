/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Survey without a leader: each member has its own map, on which it marks the cells that its camera
 * sees, and those that the members must see whose packets it receives. It flies to the nearest
 * unmarked cell that is nearer to itself than to any of these members; if every cell is nearer to
 * another, to the nearest unmarked one. A member whose packets stop no longer counts, so others
 * take its cells.
 */
#ifndef MF_FLEET_SURVEY_H
#define MF_FLEET_SURVEY_H

#include "hal/types.h"
#include "world/coverage.h"

#define MF_SURVEY_NEIGHBOURS 32u
#define MF_SURVEY_NONE       UINT32_MAX

/** Settings that all members share; they never change. */
struct mf_survey {
    struct mf_coverage_grid grid;
    const uint64_t *area; /**< [words]: bits of the cells within the area */
    size_t words;
    uint32_t
        silent_turns; /**< a neighbour no longer counts after this many turns without a packet */
};

/** Member whose packets were received. */
struct mf_survey_neighbour {
    uint32_t member, turn;
    struct mf_en at;
    bool flies;
};

/** Member. Its maps follow it in memory: mf_survey_bytes(). */
struct mf_survey_member {
    uint32_t goal; /**< cell to which it flies; MF_SURVEY_NONE */
    uint32_t turn;
    uint32_t neighbours;
    struct mf_survey_neighbour neighbour[MF_SURVEY_NEIGHBOURS];
};

/** @brief Memory of a member [bytes]; the caller zeroes it to begin. */
size_t mf_survey_bytes(const struct mf_survey *s);

/** @brief Cells that its own camera has seen, [s->words]. */
uint64_t *mf_survey_seen(struct mf_survey_member *m);

/** @brief Mark the cells that the member's camera sees now. */
void mf_survey_see(const struct mf_survey *s, struct mf_survey_member *m,
                   const struct mf_coverage_frame *frame);

/** @brief Process a neighbour's packet with its place. @param sees_m  radius of the circle that its
 * camera sees at any heading */
void mf_survey_hear(const struct mf_survey *s, struct mf_survey_member *m, uint32_t member,
                    struct mf_en at, bool flies, double sees_m);

/** @brief Take a turn. @param at  present place  @param goal  out: place to fly to
 * @return false: all cells are marked */
bool mf_survey_turn(const struct mf_survey *s, struct mf_survey_member *m, struct mf_en at,
                    struct mf_en *goal);

#endif
