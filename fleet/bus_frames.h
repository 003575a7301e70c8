/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Payloads of the frames of the bus (docs/bus.md) that describe a scenario and its members. Each
 * function appends to a frame that mf_bus_begin() has begun.
 */
#ifndef MF_FLEET_BUS_FRAMES_H
#define MF_FLEET_BUS_FRAMES_H

#include "fleet/bus.h"
#include "fleet/scenario.h"
#include "world/space.h"

/** @brief WELCOME. @param i  number of the participant  @param tick_s  interval of its STATE frames
 */
void mf_bus_put_welcome(struct mf_bus_writer *f, const struct mf_scenario *s, uint32_t i,
                        double tick_s);

/** @brief PARAMS, and NETWORK: a line "name=value" for each. */
void mf_bus_put_params(struct mf_bus_writer *f, const struct mf_scenario_own *own);

/** @brief ENTITY. */
void mf_bus_put_entity(struct mf_bus_writer *f, const struct mf_scenario_entity *e);

/** @brief Write the head of STATE, for as many members as fit into a frame. @param from  first
 * member of the frame @param count  number of all members @return the first member of the next
 * frame; @p count: the last frame */
uint32_t mf_bus_put_states(struct mf_bus_writer *f, uint32_t from, uint32_t count);

/** A member, as STATE shows it. */
struct mf_bus_state {
    double neu_m[3]; /**< north, east, up of the origin */
    float vel_neu_mps[3];
    float yaw_rad;
    uint32_t custom_mode; /**< HEARTBEAT.custom_mode */
    bool known, armed, failsafe;
    uint8_t landed; /**< MAV_LANDED_STATE */
    float charge;   /**< 0 to 1; anything else: not known */
};

/** @brief A member of STATE. */
void mf_bus_put_state(struct mf_bus_writer *f, const struct mf_bus_state *state);

/** @brief Write OBSTACLES, as many as fit: the shapes of the scenario, then the triangles of its
 * hulls and meshes. @param s  its obstacles @param space  NULL: without triangles @param from  0
 * for the first frame @return @p from of the next frame; 0: the last frame */
uint32_t mf_bus_put_obstacles(struct mf_bus_writer *f, const struct mf_scenario_search *s,
                              const struct mf_space *space, uint32_t from);

/** @brief Write SCENE. @param file  file of the scenario, its title if it lacks one
 * @param api  address of the control API; "": without one */
void mf_bus_put_scene(struct mf_bus_writer *f, const struct mf_scenario *s, const char *file,
                      const char *api);

#endif
