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
/** Items of a plan that are told; its count tells how many there are. */
#define STORY_ITEMS_MAX 2000u

struct story {
    FILE *out; /**< NULL: nothing is told */
    struct player *player;
    bool booted;
    bool changed;         /**< something was told since the last sample */
    mf_us_t sampled_us;   /**< vehicle time of the last sample */
    struct mf_snapshot s; /**< the last one that was told */
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
