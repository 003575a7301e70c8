/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A ball that flies on a parabola among obstacles and does not enter them. It loses the speed with
 * which it meets one, and the acceleration towards it until the end of the flight, and slides on
 * along it without friction. What rises by less than 45 degrees carries it: there it stays.
 *
 * A contact is found on the parabola itself. Pure, and the same bits everywhere.
 */
#ifndef MF_WORLD_SPACE_SLIDE_H
#define MF_WORLD_SPACE_SLIDE_H

#include "world/space.h"

#include <stdbool.h>

/** The ball, north, east, up. */
struct mf_slider {
    double neu_m[3], vel_mps[3], acc_mps2[3];
    double radius_m; /**< > 0 */
};

/** Told of each contact. @param after_s  since the flight began
 *  @param meets  false: it only slides along what it has met before */
typedef void mf_slide_note(void *ctx, uint32_t with, double after_s, bool meets);

/** @brief It flies for a time. @param ball  in: at its beginning; out: at its end
 *  @return whether something carries it; then it has come to rest there */
bool mf_space_slide(const struct mf_space *space, struct mf_slider *ball, double for_s,
                    mf_slide_note *note, void *ctx);

#endif
