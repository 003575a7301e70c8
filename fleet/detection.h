/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How likely a camera that looks straight down reports an object that it has in its picture: the
 * model of UavSim (Thompson and others), and one that is measured.
 */
#ifndef MF_FLEET_DETECTION_H
#define MF_FLEET_DETECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a camera is about to look at. */
struct mf_detection_view {
    double height_m;  /**< of the camera above the ground, > 0 */
    double speed_mps; /**< of the camera */
    double away_m;    /**< of the object from the point below the camera */
    double corner_m;  /**< of a corner of the picture from it */
    double depth_m;   /**< of the object above the ground; below it: negative */
};

/** Values on an axis of a measured table. */
#define MF_DETECTION_AXIS_MAX 16u
/** Axes: height of the camera [m], its speed [m/s], and how far from the middle of its picture an
 *  object is: 0 in the middle, 1 at a corner. */
enum mf_detection_axis {
    MF_DETECTION_HEIGHT,
    MF_DETECTION_SPEED,
    MF_DETECTION_PLACE,
    MF_DETECTION_AXES
};

/** Measured rates at each combination of some heights, speeds and places (mf_detection_read()). */
struct mf_detection_table {
    uint32_t count[MF_DETECTION_AXES];
    double value[MF_DETECTION_AXES][MF_DETECTION_AXIS_MAX]; /**< ascending */
    /** [height][speed][place], packed by the counts. */
    double recall[MF_DETECTION_AXIS_MAX * MF_DETECTION_AXIS_MAX * MF_DETECTION_AXIS_MAX];
    double false_alarm[MF_DETECTION_AXIS_MAX * MF_DETECTION_AXIS_MAX * MF_DETECTION_AXIS_MAX];
};

/** What decides. */
struct mf_detection_model {
    double balance_m; /**< height at which the score of the height falls */
    double seen;      /**< of objects that are sought, how many are reported at best: 1 */
    double mistaken;  /**< of others, how many are taken for one at worst */
    const struct mf_detection_table *table; /**< measured; NULL: UavSim's formulas */
};

/** Longest error of a table, with its NUL. */
#define MF_DETECTION_ERROR_MAX 160u

/** @brief A table from CSV: a line "height_m,speed_mps,place,recall,false_alarm", then one for each
 *  combination of the heights, speeds and places that occur, in any order. Lines that begin with #
 *  are for people.
 *  @param text  NUL-terminated  @param t  out  @param error  out [MF_DETECTION_ERROR_MAX]: "LINE:
 * why"
 *  @return false: the error is set */
bool mf_detection_read(const char *text, struct mf_detection_table *t, char *error);

/** @brief The probability that the object is reported. @param sought  whether it is of the kind
 *  that the camera seeks: then the report is right, else wrong.
 *  @note By a table: recall times seen, or the false-alarm rate, between its values linearly and
 *  beyond them as at the last one. */
double mf_detection_probability(const struct mf_detection_model *m,
                                const struct mf_detection_view *v, bool sought);

#endif
