/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Weather by place: a wind and named values that hold everywhere, and regions that change them.
 *
 * The winds of all regions around a place are added to the one that holds everywhere. A value is
 * that of the last region around the place that defines it. Weather of a plug-in is added to both:
 * its wind, and the values that no region defines. Pure.
 */
#ifndef MF_WORLD_WEATHER_H
#define MF_WORLD_WEATHER_H

#include "hal/types.h"

/** Limits of a scenario's weather. */
#define MF_WEATHER_REGIONS_MAX 16u
#define MF_WEATHER_VALUES_MAX  8u
#define MF_WEATHER_NAME_MAX    24u

/** State of the air. */
struct mf_weather_air {
    double
        wind[2]; /**< speed [m/s], and direction that it blows from [deg, clockwise from north] */
    uint32_t values;
    struct {
        char name[MF_WEATHER_NAME_MAX]; /**< such as "temperature" */
        double value;
    } value[MF_WEATHER_VALUES_MAX];
};

/** Region: an upright box, or an upright cylinder. North, east, up [m]. */
struct mf_weather_region {
    int line;        /**< line of the file that defines it */
    double at[3];    /**< box: lower south-western corner; cylinder: middle of the foot */
    double size[3];  /**< box: size to north, east and up */
    double radius_m; /**< cylinder: radius; 0: a box */
    double height_m; /**< cylinder: height */
    struct mf_weather_air air;
};

/** Weather of a plug-in. Any thread; equal calls, equal answers. */
struct mf_weather_own {
    /** Wind at a place. @param neu_m  place  @param ne_mps  out: direction that it blows to,
     * finite */
    void (*wind)(const void *ctx, const double neu_m[3], double t_s, double ne_mps[2]);
    /** Value at a place. @return false: unknown name */
    bool (*value)(const void *ctx, const double neu_m[3], double t_s, const char *name,
                  double *value);
    const void *ctx;
};

struct mf_weather {
    struct mf_weather_air air; /**< air that holds everywhere */
    uint32_t regions;
    struct mf_weather_region region[MF_WEATHER_REGIONS_MAX];
    const struct mf_weather_own *own; /**< weather of a plug-in; NULL: without */
};

/** @brief Wind at a place. @param w  NULL: calm  @param t_s  time since the beginning
 * @param ne_mps  out: north, east: direction that it blows to */
void mf_weather_wind(const struct mf_weather *w, const double neu_m[3], double t_s,
                     double ne_mps[2]);

/** @brief Value at a place. @return false: undefined there, and @p value is unchanged */
bool mf_weather_value(const struct mf_weather *w, const double neu_m[3], double t_s,
                      const char *name, double *value);

#endif
