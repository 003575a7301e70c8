/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Agents: bodies that obey orders, without firmware. An agent has no parameters, no failsafes, no
 * missions and no streams; it flies the orders of fleet/order.h as the constant body of a vehicle
 * with default parameters does, and answers UNSUPPORTED to anything else.
 *
 * It moves on straight lines of the plane about the scenario's origin (azimuthal equidistant), in
 * closed form: its state at any instant follows from the order that it obeys. Beyond some ten
 * kilometres from the origin that plane bends away from the Earth. An agent may be given a body
 * that is stepped (world/mover_stepped.h) instead: the order then leads that body.
 *
 * Unlike a vehicle it begins to move at the instant of an order, not at the next multiple of 100
 * ms; its heading turns at once; a velocity holds until another order comes, however late; and it
 * is disarmed at touchdown.
 */
#ifndef MF_FLEET_AGENT_H
#define MF_FLEET_AGENT_H

#include "fleet/order.h"
#include "hal/airframe.h"
#include "math/geodesic.h"
#include "world/mover_stepped.h"

/** The plane in which agents move: it touches the Earth at this origin. */
struct mf_agent_plane {
    struct mf_geo origin;
    double alt_amsl_m;
};

/** What an agent does. Each has a mode of PX4's. */
enum mf_agent_phase {
    MF_AGENT_REST,    /**< on the ground */
    MF_AGENT_CLIMB,   /**< take-off */
    MF_AGENT_HOLD,    /**< stands in the air, or goes to where it shall */
    MF_AGENT_STEERED, /**< Offboard */
    MF_AGENT_RETURN,  /**< to the place above home */
    MF_AGENT_HOME,    /**< lands there */
    MF_AGENT_LAND,
};

/** One agent. The caller allocates it; its fields are private. */
struct mf_agent {
    mf_us_t from_us;   /**< the present leg begins */
    mf_us_t until_us;  /**< and ends; MF_NEVER: a velocity */
    double from_m[3];  /**< north, east, down of the origin, at from_us */
    double to_m[3];    /**< where the leg ends */
    double vel_mps[3]; /**< north, east, down, until then */
    double home_m[3];  /**< where it began: the ground is there */
    mf_us_t aim_us;    /**< of the last setpoint */
    double aim_m[3];   /**< of that: place or velocity */
    float aim_yaw_rad; /**< NAN: none */
    float yaw_rad;
    float speed_mps; /**< horizontal, of its own legs */
    uint8_t phase;   /**< enum mf_agent_phase */
    bool armed;
    bool aims_at_place;      /**< the last setpoint is a place */
    bool steers;             /**< it obeys a velocity */
    float leg_mps;           /**< horizontal speed of its leg */
    struct mf_stepped *body; /**< that follows its legs; NULL: none */
    const struct mf_stepped_settings *made;
};

_Static_assert(sizeof(struct mf_agent) <= 512, "RAM budget: an agent");

/** @brief An agent on the ground at home, at time 0. */
void mf_agent_init(struct mf_agent *a, const struct mf_agent_plane *plane, struct mf_geo home,
                   double alt_amsl_m);

/** @brief It gets a body of its own, which the caller keeps, at time 0. @param in_air  it begins in
 *  the air where its home is, and the ground is at the origin's altitude: one that obeys hovers
 * half its length above its home, any other falls */
void mf_agent_carry(struct mf_agent *a, struct mf_stepped *body,
                    const struct mf_stepped_settings *made, bool in_air);

/** @brief Obey an order at @p now_us, not before an earlier one. @return MAV_RESULT */
uint8_t mf_agent_obey(struct mf_agent *a, const struct mf_agent_plane *plane, mf_us_t now_us,
                      uint32_t msgid, const void *msg);

/** What HEARTBEAT and EXTENDED_SYS_STATE say of it. */
struct mf_agent_status {
    uint32_t custom_mode;
    uint8_t landed; /**< MAV_LANDED_STATE */
    bool armed;
};

/** @brief Its status as of the last order or mf_agent_settle(). */
struct mf_agent_status mf_agent_status(const struct mf_agent *a);

/** @brief What the end of its leg leads to, by @p now_us, has happened. */
void mf_agent_settle(struct mf_agent *a, mf_us_t now_us);

/** @brief When the end of its leg leads to something, after @p now_us; MF_NEVER. */
mf_us_t mf_agent_next(const struct mf_agent *a, mf_us_t now_us);

/** @brief Its place in the plane at an instant, not before its last order.
 *  @param ned_m  out: north, east, down of the origin */
void mf_agent_place(const struct mf_agent *a, mf_us_t t_us, double ned_m[3]);

/** @brief How it moves at an instant, not before its last order: its state without latitude,
 * longitude and altitudes, which cost the most. @param ned_m  out: as mf_agent_place() */
struct mf_pose mf_agent_motion(const struct mf_agent *a, mf_us_t t_us, double ned_m[3]);

/** @brief Its state at an instant, not before its last order. */
struct mf_pose mf_agent_pose(const struct mf_agent *a, const struct mf_agent_plane *plane,
                             mf_us_t t_us);

/** The order port of one agent at one instant. */
struct mf_agent_port {
    struct mf_agent *agent;
    const struct mf_agent_plane *plane;
    mf_us_t now_us;
};

/** The contract; the context is a struct mf_agent_port. */
extern const struct mf_order_ops mf_agent_port_ops;

#endif
