/* SPDX-License-Identifier: Apache-2.0 */
/** Contacts of members with each other and with obstacles, between two looks. */
#ifndef MF_BOARDS_SWARM_TOUCHING_H
#define MF_BOARDS_SWARM_TOUCHING_H

#include "boards/swarm/core/swarm.h"
#include "world/space_touch.h"

/** Shape of a ghost that is not a ball. */
struct swarm_shape {
    uint32_t i; /**< number of the ghost's member */
    struct mf_solid solid;
    double vel_mps[3]; /**< mean velocity since the last look; the shape does not turn */
    bool away;         /**< the ghost is lost or absent, and does not touch others */
};

/** Members as balls, with their positions at the last look. A look takes each as having moved
 * straight since the last one. In the arena. */
struct swarm_touching {
    struct mf_touch touch;
    struct mf_ball *ball;      /**< [members], at the time of the last look */
    struct swarm_shape *shape; /**< [shapes], ghosts with a shape, at the time of the last look */
    uint32_t shapes;
    mf_us_t at_us;     /**< time of the last look */
    mf_us_t period_us; /**< time between two looks; 0: no looks */
};

/** @brief Reserve the memory. @param t  zeroed, in the arena @return SWARM_OK or SWARM_INPUT */
int swarm_touching_prepare(struct swarm *w, struct swarm_touching *t, mf_us_t period_us);

/** @brief Take a look, one period after the last: compute the velocities since then, and sort the
 *  balls. */
void swarm_touching_look(struct swarm *w, struct swarm_touching *t, mf_us_t at_us);

/** @brief Find the obstacle that a member has touched since the last look. After
 *  swarm_touching_look(); any thread.
 *  @return false: none */
bool swarm_touching_find_obstacle(const struct swarm *w, const struct swarm_touching *t, uint32_t i,
                                  struct mf_contact *contact);

/** @brief Call @p take for each member of a higher number, and for each shape, that a member has
 *  touched since the last look. After swarm_touching_look(); any thread. */
void swarm_touching_visit_members(const struct swarm_touching *t, uint32_t i, mf_touch_take *take,
                                  void *ctx);

/** @brief End a look: the next one compares with the present positions. */
void swarm_touching_end_look(struct swarm *w, struct swarm_touching *t, mf_us_t at_us);

#endif
