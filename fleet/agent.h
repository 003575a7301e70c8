/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Agents: bodies that obey orders, without firmware: without parameters, failsafes, missions and
 * streams. An agent flies the orders of fleet/order.h as the constant body of a vehicle with
 * default parameters does, and answers UNSUPPORTED to anything else.
 *
 * An agent moves on straight lines of the plane about the scenario's origin (azimuthal
 * equidistant), in closed form: its state at any instant follows from the order that it obeys.
 * Beyond some ten kilometres from the origin that plane bends away from the Earth. The caller may
 * attach a stepped body (world/mover_stepped.h): the order then leads that body.
 *
 * Unlike a vehicle an agent begins to move at the instant of an order, not at the next multiple of
 * 100 ms; its heading turns at once; a velocity holds until another order arrives, however late;
 * and it is disarmed at touchdown.
 */
#ifndef MF_FLEET_AGENT_H
#define MF_FLEET_AGENT_H

#include "fleet/order.h"
#include "hal/airframe.h"
#include "math/geodesic.h"
#include "world/mover_stepped.h"

/** Plane in which agents move; it touches the Earth at its origin. */
struct mf_agent_plane {
    struct mf_geo origin;
    double alt_amsl_m;
};

/** Phases of an agent's flight. mf_agent_status() maps each to a mode of PX4's. */
enum mf_agent_phase {
    MF_AGENT_REST,    /**< on the ground */
    MF_AGENT_CLIMB,   /**< take-off */
    MF_AGENT_HOLD,    /**< holds its place in the air, or flies to the place of an order */
    MF_AGENT_STEERED, /**< follows setpoints (Offboard) */
    MF_AGENT_RETURN,  /**< flies to the place above home */
    MF_AGENT_HOME,    /**< lands at home */
    MF_AGENT_LAND,    /**< lands at the present place */
};

/** An agent. The caller allocates it; its fields are private. */
struct mf_agent {
    mf_us_t from_us;  /**< start of the present leg */
    mf_us_t until_us; /**< end of the present leg; MF_NEVER: it is a velocity that never reaches the
                         ground */
    double from_m[3]; /**< position at from_us: north, east, down of the plane's origin */
    double to_m[3];   /**< position at until_us: north, east, down of the plane's origin */
    double vel_mps[3]; /**< velocity during the leg: north, east, down */
    double home_m[3];  /**< position at time 0; its down is the ground's */
    mf_us_t aim_us;    /**< arrival time of the last setpoint */
    double
        aim_m[3]; /**< place [m] or velocity [m/s] of the last setpoint; aims_at_place says which */
    float aim_yaw_rad; /**< heading of the last setpoint; NAN: unchanged */
    float yaw_rad;
    float speed_mps; /**< horizontal speed of new legs */
    uint8_t phase;   /**< enum mf_agent_phase */
    bool armed;
    bool aims_at_place; /**< the last setpoint is a place */
    bool steers;        /**< the present leg is a velocity, not a way to a place */
    float leg_mps;      /**< horizontal speed of the present leg */
    struct mf_stepped
        *body; /**< stepped body that follows the legs; NULL: the agent moves in closed form */
    const struct mf_stepped_settings *made; /**< settings of the stepped body */
};

_Static_assert(sizeof(struct mf_agent) <= 512, "RAM budget: an agent");

/** @brief Put an agent on the ground at home, disarmed, at time 0. */
void mf_agent_init(struct mf_agent *a, const struct mf_agent_plane *plane, struct mf_geo home,
                   double alt_amsl_m);

/** @brief Attach a stepped body, which the caller keeps, to an agent at time 0. @param in_air  the
 * agent begins in the air at its home, and the ground is at the origin's altitude: a body that
 * obeys hovers half its length above home, any other falls */
void mf_agent_carry(struct mf_agent *a, struct mf_stepped *body,
                    const struct mf_stepped_settings *made, bool in_air);

/** @brief Obey an order at @p now_us, not before an earlier one. @return MAV_RESULT */
uint8_t mf_agent_obey(struct mf_agent *a, const struct mf_agent_plane *plane, mf_us_t now_us,
                      uint32_t msgid, const void *msg);

/** Contents of HEARTBEAT and EXTENDED_SYS_STATE. */
struct mf_agent_status {
    uint32_t custom_mode;
    uint8_t landed; /**< MAV_LANDED_STATE */
    bool armed;
};

/** @brief Status as of the last order or mf_agent_settle(). */
struct mf_agent_status mf_agent_status(const struct mf_agent *a);

/** @brief Carry out all ends of legs up to @p now_us: touch down, or begin the next leg. */
void mf_agent_settle(struct mf_agent *a, mf_us_t now_us);

/** @brief Time of the next end of a leg after @p now_us, or of the next step of a body; MF_NEVER:
 * the agent rests, or its leg never ends. */
mf_us_t mf_agent_next(const struct mf_agent *a, mf_us_t now_us);

/** @brief Place in the plane at an instant, not before the agent's last order.
 * @param ned_m  out: north, east, down of the origin */
void mf_agent_place(const struct mf_agent *a, mf_us_t t_us, double ned_m[3]);

/** @brief Velocity, heading and attitude at an instant, not before the agent's last order. Leaves
 * out latitude, longitude and altitudes, which cost the most. @param ned_m  out: as
 * mf_agent_place() */
struct mf_pose mf_agent_motion(const struct mf_agent *a, mf_us_t t_us, double ned_m[3]);

/** @brief Complete pose at an instant, not before the agent's last order. */
struct mf_pose mf_agent_pose(const struct mf_agent *a, const struct mf_agent_plane *plane,
                             mf_us_t t_us);

/** The order port of one agent at one instant. */
struct mf_agent_port {
    struct mf_agent *agent;
    const struct mf_agent_plane *plane;
    mf_us_t now_us;
};

/** Operations of the order port; their context is a struct mf_agent_port. */
extern const struct mf_order_ops mf_agent_port_ops;

#endif
