/* SPDX-License-Identifier: Apache-2.0 */
/** Obstacles of a scenario: who meets them or each other. */
#ifndef MF_BOARDS_SWARM_CONTACTS_H
#define MF_BOARDS_SWARM_CONTACTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "world/space_touch.h"

/** A ghost that is no ball. */
struct swarm_shape {
    uint32_t i; /**< member */
    struct mf_solid solid;
    double vel_mps[3]; /**< until the next look; it does not turn */
    bool away;         /**< nobody touches it */
};

/** Members as balls, looked at again and again. It lies in the arena; between two looks all fly
 * straight on. */
struct swarm_touching {
    struct mf_touch touch;
    struct mf_ball *ball;      /**< [members] as they were at the last look */
    struct swarm_shape *shape; /**< [shapes], of ghosts that have one, as they were then */
    uint32_t shapes;
    mf_us_t at_us;     /**< of the last look */
    mf_us_t period_us; /**< 0: nobody looks */
};

/** @brief Memory for it. @return SWARM_OK or SWARM_INPUT */
int swarm_touching_prepare(struct swarm *w, struct swarm_touching *t, mf_us_t period_us);

/** @brief A look, one period after the last one: how each has moved since, sorted. */
void swarm_touching_look(struct swarm *w, struct swarm_touching *t, mf_us_t at_us);

/** @brief The obstacle that a member has met since the last look. After swarm_touching_look(), from
 * any thread. @return false: none */
bool swarm_touching_obstacle(const struct swarm *w, const struct swarm_touching *t, uint32_t i,
                             struct mf_contact *contact);

/** @brief All members that a member has met since the last look and that have a higher number; of
 *  shapes all. As swarm_touching_obstacle(). */
void swarm_touching_members(const struct swarm_touching *t, uint32_t i, mf_touch_take *take,
                            void *ctx);

/** @brief The look is over; the next one begins here. */
void swarm_touching_arrive(struct swarm *w, struct swarm_touching *t, mf_us_t at_us);

/** Meetings of members with each other and with obstacles. */
extern const struct swarm_system swarm_contacts_system;

extern const size_t swarm_contacts_file_bytes;

#endif
