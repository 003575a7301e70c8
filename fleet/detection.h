/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Probability that a camera which looks straight down reports an object in its picture: by the
 * model of UavSim (Thompson and others), or by a measured table.
 */
#ifndef MF_FLEET_DETECTION_H
#define MF_FLEET_DETECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Geometry of one look of a camera at an object. */
struct mf_detection_view {
    double height_m;  /**< height of the camera above the ground, > 0 */
    double speed_mps; /**< speed of the camera */
    double away_m;    /**< distance of the object from the point below the camera */
    double corner_m;  /**< distance of a corner of the picture from the point below the camera */
    double depth_m;   /**< height of the object above the ground; negative: below it */
};

/** Maximum number of values on an axis of a measured table. */
#define MF_DETECTION_AXIS_MAX 16u
/** Axes of a table: height of the camera [m], its speed [m/s], and the relative distance of an
 * object from the middle of the picture: 0 in the middle, 1 at a corner. */
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
    /** Indexed [height][speed][place], packed by the counts. */
    double recall[MF_DETECTION_AXIS_MAX * MF_DETECTION_AXIS_MAX * MF_DETECTION_AXIS_MAX];
    double false_alarm[MF_DETECTION_AXIS_MAX * MF_DETECTION_AXIS_MAX * MF_DETECTION_AXIS_MAX];
};

/** Parameters of a camera's detections. */
struct mf_detection_model {
    double balance_m; /**< UavSim: height above which the score of the height falls */
    double seen;      /**< greatest share of sought objects that the camera reports: 1 */
    double mistaken;  /**< greatest share of other objects that the camera takes for sought ones */
    const struct mf_detection_table *table; /**< measured table; NULL: use UavSim's formulas */
};

/** Longest error of a table, with its NUL. */
#define MF_DETECTION_ERROR_MAX 160u

/** @brief Read a table from CSV: a line "height_m,speed_mps,place,recall,false_alarm", then one for
 * each combination of the heights, speeds and places that occur, in any order. Lines that begin
 * with # are comments.
 * @param text  NUL-terminated @param t out @param error out [MF_DETECTION_ERROR_MAX]: "LINE: why"
 * @return false: the error is set */
bool mf_detection_read(const char *text, struct mf_detection_table *t, char *error);

/** @brief Probability that the camera reports the object. @param sought  the object is of the kind
 * that the camera seeks, so a report is right; false: a report is a false alarm.
 * @note With a table: recall times seen, or the false-alarm rate, linear between the table's
 * values, constant beyond the last one. */
double mf_detection_probability(const struct mf_detection_model *m,
                                const struct mf_detection_view *v, bool sought);

#endif
