/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The story of a flight that is played: where the body was, where the vehicle believed it was, and
 * what happened, one line each (docs/recording.md). It only looks, so the bytes that leave the
 * vehicle are the same with it and without.
 */
#ifndef MF_BOARDS_CONFORM_STORY_H
#define MF_BOARDS_CONFORM_STORY_H

#include "boards/conform/player.h"
#include "firmware/report/snapshot.h"

#include <stdio.h>

/** Vehicle time between two samples, where nothing happens [us]. */
#define STORY_SAMPLE_US INT64_C(100000)
/** Maximum number of items of a plan in a story; their count is complete. */
#define STORY_ITEMS_MAX 2000u

struct story {
    FILE *out; /**< NULL: without output */
    struct player *player;
    bool booted;
    bool changed;         /**< true: an event was written since the last sample */
    mf_us_t sampled_us;   /**< vehicle time of the last sample */
    struct mf_snapshot s; /**< last written sample */
    uint64_t faults;      /**< that were active, by bit */
    uint32_t arrivals, answers;
    uint32_t tag[3], count[3]; /**< of mission, fence, rally */
    int32_t current;
    float distance_m, height_m; /**< limits from home */
};

/** @brief Begin to tell what the player plays; before its first call.
 *  @param out  where to; the caller closes it */
void story_init(struct story *story, FILE *out, struct player *player);

#endif
