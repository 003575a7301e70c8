/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Measurements of sensors on a moving body: in closed form, without noise, at one instant.
 *
 * A sensor has a place and a direction on its body. Its axes are ahead (its direction), right and
 * below; those of an accelerometer or gyroscope that looks ahead are the body's own. Places are
 * north, east and up in metres; the ground is flat, at height 0. Pure.
 */
#ifndef MF_WORLD_SENSE_H
#define MF_WORLD_SENSE_H

#include "world/space.h"

/** Body at an instant. */
struct mf_sense_body {
    double neu_m[3];
    double vel_ned_mps[3];
    double acc_ned_mps2[3]; /**< kinematic, without gravity */
    double rpy_rad[3];      /**< roll, pitch, yaw */
    double rpy_per_s[3];    /**< derivatives of rpy_rad */
};

/** Place and direction of a sensor on its body. */
struct mf_sense_mount {
    double offset_frd_m[3]; /**< place relative to the body's middle: forward, right, down */
    double yaw_rad;         /**< direction: to the right of ahead */
    double pitch_rad;       /**< direction: above ahead, in the body's axes */
};

/** Sensor at an instant. Vectors are north, east, up. */
struct mf_sense {
    double neu_m[3];
    double ahead[3], right[3], below[3]; /**< axes of the sensor, of length 1 */
    double vel_mps[3];    /**< velocity of the sensor, whose place turns with the body */
    double force_mps2[3]; /**< specific force, without the change of the turn */
    double turn_rps[3];   /**< angular velocity, right-handed about north, east, up */
};

/** @brief Compute a sensor's state from its body's. */
void mf_sense_on(const struct mf_sense_body *body, const struct mf_sense_mount *mount,
                 struct mf_sense *s);

/** @brief Specific force along the sensor's axes [m/s2]; at rest (0, 0, -9.80665). */
void mf_sense_acceleration(const struct mf_sense *s, double out[3]);

/** @brief Angular rates about the sensor's axes [rad/s]. */
void mf_sense_rates(const struct mf_sense *s, double out[3]);

/** @brief Distance to the first obstacle, or to the ground [m]. @param space  NULL: without
 * obstacles
 * @return infinity: nothing within @p reach_m */
double mf_sense_ray(const struct mf_space *space, const double from[3], const double toward[3],
                    double reach_m);

/** @brief Direction of a ray that lies @p turn_rad to the right of the sensor's. */
void mf_sense_toward(const struct mf_sense *s, double turn_rad, double toward[3]);

/** Measurement of an optical flow sensor. X is up in its picture, Y to the right: for one that
 * looks straight down the body's ahead and right. Signs are those of MAVLink's OPTICAL_FLOW_RAD. */
struct mf_sense_flow {
    double x_rps, y_rps; /**< about X and Y: of motion and turn together */
    double turn_rps[3];  /**< of the turn alone, about X, Y and the sensor's direction */
    double distance_m; /**< distance of the visible surface; infinity: nothing in reach, and no flow
                          except the turn's */
};

/** @brief Compute the flow: the speed across the picture, divided by the distance. */
struct mf_sense_flow mf_sense_flow(const struct mf_sense *s, const struct mf_space *space,
                                   double reach_m);

/** @brief Points where the corners of a picture meet the ground: ahead left, ahead right, behind
 * right, behind left of a camera that looks straight down.
 * @param half_rad  half the angles of view, across and along
 * @param corner  out: [4] north, east; infinity: that corner is above the horizon */
void mf_sense_footprint(const struct mf_sense *s, const double half_rad[2], double corner[4][2]);

#endif
