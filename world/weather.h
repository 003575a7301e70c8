/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Weather by place: a wind and named values that hold everywhere, and regions that change them.
 *
 * The winds of all regions around a place are added to the one that holds everywhere. Of a value,
 * the last region around the place counts that has it. Weather of an owner is added to both: its
 * wind, and the values that no region has. Pure.
 */
#ifndef MF_WORLD_WEATHER_H
#define MF_WORLD_WEATHER_H

#include "hal/types.h"

/** Capacities. */
#define MF_WEATHER_REGIONS_MAX 16u
#define MF_WEATHER_VALUES_MAX  8u
#define MF_WEATHER_NAME_MAX    24u

/** What the air does. */
struct mf_weather_air {
    double wind[2]; /**< speed [m/s], and from where [deg, clockwise from north] */
    uint32_t values;
    struct {
        char name[MF_WEATHER_NAME_MAX]; /**< such as "temperature" */
        double value;
    } value[MF_WEATHER_VALUES_MAX];
};

/** An upright box, or an upright cylinder. North, east, up [m]. */
struct mf_weather_region {
    int line;        /**< of the file that it comes from */
    double at[3];    /**< of a box its lower south-western corner, of a cylinder the middle of its
                        foot */
    double size[3];  /**< of a box, to north, east and up */
    double radius_m; /**< of a cylinder; 0: it is a box */
    double height_m; /**< of a cylinder */
    struct mf_weather_air air;
};

/** Weather of somebody else. Any thread; equal calls, equal answers. */
struct mf_weather_own {
    /** @param neu_m  place  @param ne_mps  out: where it blows to, finite */
    void (*wind)(const void *ctx, const double neu_m[3], double t_s, double ne_mps[2]);
    /** @return false: there is no such value */
    bool (*value)(const void *ctx, const double neu_m[3], double t_s, const char *name,
                  double *value);
    const void *ctx;
};

struct mf_weather {
    struct mf_weather_air air; /**< that holds everywhere */
    uint32_t regions;
    struct mf_weather_region region[MF_WEATHER_REGIONS_MAX];
    const struct mf_weather_own *own; /**< NULL: none */
};

/** @brief The wind at a place. @param w  NULL: it is calm  @param t_s  since the beginning
 *  @param ne_mps  out: north, east: where it blows to */
void mf_weather_wind(const struct mf_weather *w, const double neu_m[3], double t_s,
                     double ne_mps[2]);

/** @brief A value at a place. @return false: nothing there has it, and @p value is as before */
bool mf_weather_value(const struct mf_weather *w, const double neu_m[3], double t_s,
                      const char *name, double *value);

#endif
