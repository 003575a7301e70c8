/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How likely a camera that looks straight down reports an object that it has in its picture: the
 * model of UavSim (Rhodes and others), and one that is measured.
 */
#ifndef MF_FLEET_DETECTION_H
#define MF_FLEET_DETECTION_H

#include <stdbool.h>

/** What a camera is about to look at. */
struct mf_detection_view {
    double height_m;  /**< of the camera above the ground, > 0 */
    double speed_mps; /**< of the camera */
    double away_m;    /**< of the object from the point below the camera */
    double corner_m;  /**< of a corner of the picture from it */
    double depth_m;   /**< of the object above the ground; below it: negative */
};

/** What decides. */
struct mf_detection_model {
    double balance_m; /**< height at which the score of the height falls */
    double seen;      /**< of objects that are sought, how many are reported at best: 1 */
    double mistaken;  /**< of others, how many are taken for one at worst */
};

/** @brief The probability that the object is reported. @param sought  whether it is of the kind
 *  that the camera seeks: then the report is right, else wrong. */
double mf_detection_probability(const struct mf_detection_model *m,
                                const struct mf_detection_view *v, bool sought);

#endif
