/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What sensors on a moving body measure: in closed form, without noise, at one instant.
 *
 * A sensor has a place on its body and looks somewhere. Its axes are ahead (where it looks), right
 * and below; those of an accelerometer or gyroscope that looks ahead are the body's own. Places are
 * north, east and up in metres; the ground is flat, at height 0. Pure.
 */
#ifndef MF_WORLD_SENSE_H
#define MF_WORLD_SENSE_H

#include "world/space.h"

/** A body at an instant. */
struct mf_sense_body {
    double neu_m[3];
    double vel_ned_mps[3];
    double acc_ned_mps2[3]; /**< kinematic, without gravity */
    double rpy_rad[3];      /**< roll, pitch, yaw */
    double rpy_per_s[3];    /**< their derivatives */
};

/** How a sensor is fixed to its body. */
struct mf_sense_mount {
    double offset_frd_m[3]; /**< of the body's middle: forward, right, down */
    double yaw_rad;         /**< where it looks: to the right of ahead */
    double pitch_rad;       /**< ... above that, in the body's axes */
};

/** A sensor at an instant. Vectors are north, east, up. */
struct mf_sense {
    double neu_m[3];
    double ahead[3], right[3], below[3]; /**< its axes, of length 1 */
    double vel_mps[3];                   /**< of its own place, which turns with the body */
    double force_mps2[3];                /**< what holds it up, without the turn's change */
    double turn_rps[3];                  /**< angular velocity, right-handed about these axes */
};

/** @brief A sensor on a body. */
void mf_sense_on(const struct mf_sense_body *body, const struct mf_sense_mount *mount,
                 struct mf_sense *s);

/** @brief Specific force along the sensor's axes [m/s2]; at rest (0, 0, -9.80665). */
void mf_sense_acceleration(const struct mf_sense *s, double out[3]);

/** @brief Angular rates about the sensor's axes [rad/s]. */
void mf_sense_rates(const struct mf_sense *s, double out[3]);

/** @brief Distance to the first obstacle, or to the ground [m]. @param space  NULL: no obstacles
 *  @return infinity: there is nothing within @p reach_m */
double mf_sense_ray(const struct mf_space *space, const double from[3], const double toward[3],
                    double reach_m);

/** @brief The direction of a ray that lies @p turn_rad to the right of where the sensor looks. */
void mf_sense_toward(const struct mf_sense *s, double turn_rad, double toward[3]);

/** What an optical flow sensor sees. X is up in its picture, Y to the right: of one that looks
 * straight down the body's ahead and right. Signs are those of MAVLink's OPTICAL_FLOW_RAD. */
struct mf_sense_flow {
    double x_rps, y_rps; /**< about X and Y: of motion and turn together */
    double turn_rps[3];  /**< of the turn alone, about X, Y and where it looks */
    double distance_m;   /**< of what it sees; infinity: nothing, and no flow but the turn's */
};

/** @brief The picture moves at the speed across it, over the distance. */
struct mf_sense_flow mf_sense_flow(const struct mf_sense *s, const struct mf_space *space,
                                   double reach_m);

/** @brief Where the corners of a picture meet the ground: ahead left, ahead right, behind right,
 *  behind left of a camera that looks straight down.
 *  @param half_rad   half the angles of view, across and along
 *  @param corner     out: [4] north, east; infinity: that corner is above the horizon */
void mf_sense_footprint(const struct mf_sense *s, const double half_rad[2], double corner[4][2]);

#endif
