/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A rigid body with six degrees of freedom, stepped: forces and torques come from a list of
 * sources; a contact changes its motion at an instant.
 *
 * Place and velocity are north, east, down of a level frame that stands still; attitude turns the
 * body's axes (forward, right, down) into it. A step moves the body freely for half its time, then
 * forces act at once, then it moves freely for the other half. Free motion is exact, also that of a
 * turning body of which two principal moments are equal. Constant forces are exact, too; of others
 * the error of half the step is a quarter. Only + - * / and sqrt, hence the same bits everywhere.
 */
#ifndef MF_WORLD_MOVER_RIGID_H
#define MF_WORLD_MOVER_RIGID_H

#include <stddef.h>

/** A vector: north, east, down, or forward, right, down. */
struct mf_vec3 {
    double x, y, z;
};

/** The body's state. Begin with its place and attitude {1, 0, 0, 0}, which is level to the north.
 */
struct mf_mover_rigid {
    struct mf_vec3 pos_m;    /**< NED */
    struct mf_vec3 vel_mps;  /**< NED */
    double attitude[4];      /**< quaternion w, x, y, z of length 1: body to NED */
    struct mf_vec3 rate_rps; /**< about the body's axes */
    struct mf_vec3
        specific_force_mps2; /**< FRD: what an accelerometer measures; of the last step */
};

/** What acts on the body at an instant. */
struct mf_wrench {
    struct mf_vec3 force_n;   /**< NED */
    struct mf_vec3 torque_nm; /**< FRD, about the centre of mass */
};

/** A source of force. @c add() adds what it does to a body at @p at, @p ahead_s after the step
 *  began; it has no effect but that. It is called twice in the middle of a step: the velocities of
 *  the second call are those that the forces of the first one lead to. */
struct mf_force_source {
    void (*add)(const void *ctx, const struct mf_mover_rigid *at, double ahead_s,
                struct mf_wrench *sum);
    const void *ctx;
};

/** What the body is. The caller owns the sources. */
struct mf_mover_rigid_settings {
    double mass_kg;              /**< > 0 */
    struct mf_vec3 inertia_kgm2; /**< principal moments about its axes, > 0 */
    double gravity_mps2;         /**< downwards */
    const struct mf_force_source *source;
    size_t sources;
};

/** @brief One step. @param dt_s  > 0 */
void mf_mover_rigid_step(struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s,
                         double dt_s);

/** @brief An impulse acts at once. @param impulse_ns  NED  @param at_m  FRD, where it acts, from
 * the centre of mass */
void mf_mover_rigid_push(struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s,
                         struct mf_vec3 impulse_ns, struct mf_vec3 at_m);

/** @brief It meets a surface with its centre: what it moves into it comes back.
 *  @param normal  of length 1, away from the surface  @param restitution  0: it stays, 1: all
 *  comes back  @return speed into the surface [m/s], 0 if it leaves it */
double mf_mover_rigid_bounce(struct mf_mover_rigid *m, struct mf_vec3 normal, double restitution);

/** @brief A vector of the body's axes, seen in NED. */
struct mf_vec3 mf_rigid_to_ned(const double attitude[4], struct mf_vec3 frd);

/** @brief A vector of NED, seen in the body's axes. */
struct mf_vec3 mf_rigid_to_body(const double attitude[4], struct mf_vec3 ned);

/** @brief Sum; difference is that of @p b times -1. */
struct mf_vec3 mf_vec3_add(struct mf_vec3 a, struct mf_vec3 b);

/** @brief Product with a number. */
struct mf_vec3 mf_vec3_times(struct mf_vec3 v, double by);

/** @brief Scalar product. */
double mf_vec3_dot(struct mf_vec3 a, struct mf_vec3 b);

/** @brief Vector product. */
struct mf_vec3 mf_vec3_cross(struct mf_vec3 a, struct mf_vec3 b);

#endif
