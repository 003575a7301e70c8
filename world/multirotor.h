/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A body with rotors, for autopilots that steer motors: mover_rigid with thrust, drag and ground.
 *
 * A rotor's thrust follows its command with a first-order lag, which is solved exactly; above
 * idle, thrust is a mix of the linear and the square of the command (ArduPilot's MOT_THST_EXPO).
 * On the ground the body stands level; it lifts off when thrust exceeds its weight.
 */
#ifndef MF_WORLD_MULTIROTOR_H
#define MF_WORLD_MULTIROTOR_H

#include "world/mover_rigid.h"

#include <stdbool.h>

#define MF_ROTORS_MAX 8u

/** A rotor. */
struct mf_rotor {
    double forward_m, right_m; /**< where it stands, from the centre of mass */
    double yaw;                /**< 1: its drag turns the body clockwise seen from above (it turns
                                    counter-clockwise), -1: the other way */
};

/** What the vehicle is. */
struct mf_multirotor_settings {
    double mass_kg;              /**< > 0 */
    struct mf_vec3 inertia_kgm2; /**< > 0 */
    double gravity_mps2;
    struct mf_rotor rotor[MF_ROTORS_MAX];
    size_t rotors;        /**< 1 to MF_ROTORS_MAX */
    double thrust_max_n;  /**< of one rotor, at full command */
    double expo;          /**< 0: thrust is linear in the command, 1: its square */
    double idle, full;    /**< the command's range that makes thrust, within 0 to 1 */
    double lag_s;         /**< time constant of a rotor, 0: none */
    double yaw_m;         /**< its torque per thrust */
    double drag_area_m2;  /**< drag coefficient times cross-section, the same from all sides */
    double rate_drag_nms; /**< torque against turning, per rad/s */
    double air_kgpm3;     /**< density */
    double ground_m;      /**< NED down of level ground */
    double restitution;   /**< of the ground, 0 to 1 */
};

/** The vehicle. The caller allocates it; it may not be copied or moved once begun, since its
 *  force sources point to it. */
struct mf_multirotor {
    struct mf_mover_rigid body;
    struct mf_multirotor_settings settings;
    struct mf_mover_rigid_settings rigid;
    struct mf_force_source source[2];
    struct mf_vec3 wind_mps;       /**< NED, where the air moves to; set it at will */
    double command[MF_ROTORS_MAX]; /**< 0 to 1; set it at will */
    double level[MF_ROTORS_MAX];   /**< what a rotor does of it */
    double dt_s;                   /**< a step */
    double left_half, left_whole;  /**< of a rotor's change after half a step, after all of it */
    bool standing;                 /**< on the ground */
};

/** @brief A quadrotor in X of 3 kg that hovers at 0.39 of its thrust, with the order of motors and
 *  the thrust curve that ArduCopter takes for granted (SIM_Frame, MOT_ parameters). */
struct mf_multirotor_settings mf_multirotor_quad_x(void);

/** @brief Standing on the ground at north, east 0, looking at @p yaw_rad clockwise from north.
 *  @param dt_s  of each step, > 0 */
void mf_multirotor_begin(struct mf_multirotor *m, const struct mf_multirotor_settings *settings,
                         double yaw_rad, double dt_s);

/** @brief From now on steps are @p dt_s long, > 0. */
void mf_multirotor_pace(struct mf_multirotor *m, double dt_s);

/** @brief One step. */
void mf_multirotor_step(struct mf_multirotor *m);

/** @brief Thrust of a rotor at a constant command [N]. */
double mf_multirotor_thrust(const struct mf_multirotor_settings *s, double command);

#endif
