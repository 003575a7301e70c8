/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Ball that flies on a parabola among obstacles and does not enter them. At a contact it loses its
 * speed into the obstacle, and the acceleration towards it until the end of the flight, and slides
 * along it without friction. A surface that rises by less than 45 degrees carries the ball: there
 * it stays.
 *
 * Contacts are found on the parabola itself. Pure, and the same bits everywhere.
 */
#ifndef MF_WORLD_SPACE_SLIDE_H
#define MF_WORLD_SPACE_SLIDE_H

#include "world/space.h"

#include <stdbool.h>

/** Ball: north, east, up. */
struct mf_slider {
    double neu_m[3], vel_mps[3], acc_mps2[3];
    double radius_m; /**< > 0 */
};

/** Callback for each contact. @param after_s  time since the start of the flight
 * @param meets  false: the ball only slides along an obstacle that it has met before */
typedef void mf_slide_note(void *ctx, uint32_t with, double after_s, bool meets);

/** @brief Fly for a time. @param ball  in: at its beginning; out: at its end
 * @return true: an obstacle carries the ball, which has come to rest there */
bool mf_space_slide(const struct mf_space *space, struct mf_slider *ball, double for_s,
                    mf_slide_note *note, void *ctx);

#endif
