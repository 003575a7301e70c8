/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Rigid body with six degrees of freedom, in steps: forces and torques come from a list of sources;
 * a contact changes its motion at an instant.
 *
 * Place and velocity are north, east, down of a level frame at rest; attitude turns the body's axes
 * (forward, right, down) into it. A step moves the body freely for half its duration, then forces
 * act at once, then it moves freely for the other half. Free motion is exact, also that of a
 * turning body of which two principal moments are equal. Constant forces are exact, too; for others
 * the error of half the step is a quarter. Only + - * / and sqrt, so the bits are the same
 * everywhere.
 */
#ifndef MF_WORLD_MOVER_RIGID_H
#define MF_WORLD_MOVER_RIGID_H

#include <stddef.h>

/** Vector: north, east, down, or forward, right, down. */
struct mf_vec3 {
    double x, y, z;
};

/** State of a body. Begin with its place and attitude {1, 0, 0, 0}, which is level to the north. */
struct mf_mover_rigid {
    struct mf_vec3 pos_m;               /**< NED */
    struct mf_vec3 vel_mps;             /**< NED */
    double attitude[4];                 /**< quaternion w, x, y, z of length 1: body to NED */
    struct mf_vec3 rate_rps;            /**< about the body's axes */
    struct mf_vec3 specific_force_mps2; /**< FRD: reading of an accelerometer in the last step */
};

/** Force and torque on a body at an instant. */
struct mf_wrench {
    struct mf_vec3 force_n;   /**< NED */
    struct mf_vec3 torque_nm; /**< FRD, about the centre of mass */
};

/** Source of force. @c add() adds its force on a body at @p at, @p ahead_s after the start of the
 * step, without other effects. A step calls it twice for its middle: the second time with the
 * velocities that result from the first time's forces. */
struct mf_force_source {
    void (*add)(const void *ctx, const struct mf_mover_rigid *at, double ahead_s,
                struct mf_wrench *sum);
    const void *ctx;
};

/** Settings of a body. The caller owns the sources. */
struct mf_mover_rigid_settings {
    double mass_kg;              /**< > 0 */
    struct mf_vec3 inertia_kgm2; /**< principal moments about its axes, > 0 */
    double gravity_mps2;         /**< downwards */
    const struct mf_force_source *source;
    size_t sources;
};

/** @brief Run one step. @param dt_s  > 0 */
void mf_mover_rigid_step(struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s,
                         double dt_s);

/** @brief Apply an impulse at once. @param impulse_ns  NED  @param at_m  FRD, point of application,
 * from the centre of mass */
void mf_mover_rigid_push(struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s,
                         struct mf_vec3 impulse_ns, struct mf_vec3 at_m);

/** @brief Bounce the body's centre off a surface: reverses its motion into the surface.
 * @param normal  of length 1, away from the surface  @param restitution  0: stays, 1: full speed
 * back
 * @return speed into the surface [m/s], 0 if the body moves away from it */
double mf_mover_rigid_bounce(struct mf_mover_rigid *m, struct mf_vec3 normal, double restitution);

/** @brief Convert a vector from the body's axes to NED. */
struct mf_vec3 mf_rigid_to_ned(const double attitude[4], struct mf_vec3 frd);

/** @brief Convert a vector from NED to the body's axes. */
struct mf_vec3 mf_rigid_to_body(const double attitude[4], struct mf_vec3 ned);

/** @brief Sum. The difference is the sum with @p b times -1. */
struct mf_vec3 mf_vec3_add(struct mf_vec3 a, struct mf_vec3 b);

/** @brief Product with a number. */
struct mf_vec3 mf_vec3_times(struct mf_vec3 v, double by);

/** @brief Scalar product. */
double mf_vec3_dot(struct mf_vec3 a, struct mf_vec3 b);

/** @brief Vector product. */
struct mf_vec3 mf_vec3_cross(struct mf_vec3 a, struct mf_vec3 b);

#endif
