/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Body with rotors, for autopilots that control motors: mover_rigid with thrust, drag and ground.
 *
 * A rotor's thrust follows its command with a first-order lag, which is solved exactly; above idle,
 * thrust is a mix of the linear and the square of the command (ArduPilot's MOT_THST_EXPO). On the
 * ground the body stands level; it lifts off when thrust exceeds its weight.
 */
#ifndef MF_WORLD_MULTIROTOR_H
#define MF_WORLD_MULTIROTOR_H

#include "world/mover_rigid.h"

#include <stdbool.h>

#define MF_ROTORS_MAX 8u

/** Rotor. */
struct mf_rotor {
    double forward_m, right_m; /**< place, from the centre of mass */
    double yaw; /**< 1: its drag turns the body clockwise seen from above (the rotor turns
                   counter-clockwise), -1: the other way */
};

/** Settings of a vehicle. */
struct mf_multirotor_settings {
    double mass_kg;              /**< > 0 */
    struct mf_vec3 inertia_kgm2; /**< > 0 */
    double gravity_mps2;
    struct mf_rotor rotor[MF_ROTORS_MAX];
    size_t rotors;        /**< 1 to MF_ROTORS_MAX */
    double thrust_max_n;  /**< thrust of one rotor, at full command */
    double expo;          /**< 0: thrust is linear in the command, 1: its square */
    double idle, full;    /**< range of the command that makes thrust, within 0 to 1 */
    double lag_s;         /**< time constant of a rotor, 0: without lag */
    double yaw_m;         /**< torque of a rotor per thrust */
    double drag_area_m2;  /**< drag coefficient times cross-section, the same from all sides */
    double rate_drag_nms; /**< torque against turning, per rad/s */
    double air_kgpm3;     /**< density */
    double ground_m;      /**< NED down of level ground */
    double restitution;   /**< of the ground, 0 to 1 */
};

/** Vehicle. The caller allocates it, and must not copy or move it after its begin, since its force
 * sources point to it. */
struct mf_multirotor {
    struct mf_mover_rigid body;
    struct mf_multirotor_settings settings;
    struct mf_mover_rigid_settings rigid;
    struct mf_force_source source[2];
    struct mf_vec3 wind_mps; /**< NED, direction that the air moves to; the caller may set it */
    double command[MF_ROTORS_MAX]; /**< 0 to 1; the caller may set it */
    double level[MF_ROTORS_MAX];   /**< present output of each rotor, which follows its command */
    double dt_s;                   /**< duration of a step */
    double left_half, left_whole;  /**< share of a rotor's change that is left after half a step,
                                      after a whole one */
    bool standing;                 /**< the vehicle stands on the ground */
};

/** @brief Settings of a quadrotor in X of 3 kg that hovers at 0.39 of its thrust, with the order of
 * motors and the thrust curve that ArduCopter assumes (SIM_Frame, MOT_ parameters). */
struct mf_multirotor_settings mf_multirotor_quad_x(void);

/** @brief Put a vehicle on the ground at north, east 0, heading @p yaw_rad clockwise from north.
 * @param dt_s  duration of each step, > 0 */
void mf_multirotor_begin(struct mf_multirotor *m, const struct mf_multirotor_settings *settings,
                         double yaw_rad, double dt_s);

/** @brief Change the duration of steps to @p dt_s, > 0. */
void mf_multirotor_pace(struct mf_multirotor *m, double dt_s);

/** @brief Run one step. */
void mf_multirotor_step(struct mf_multirotor *m);

/** @brief Thrust of a rotor at a constant command [N]. */
double mf_multirotor_thrust(const struct mf_multirotor_settings *s, double command);

#endif
