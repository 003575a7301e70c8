/* SPDX-License-Identifier: Apache-2.0 */
/** The story of a flight as conform --story writes it: samples of the position, and events. */
#ifndef MF_TOOLS_REPLAY_STORY_H
#define MF_TOOLS_REPLAY_STORY_H

#include "tools/replay/flight.h"

/** An instant of a boot. */
struct replay_instant {
    int64_t t_us; /**< vehicle time */
    double lat_deg, lon_deg, alt_amsl_m, ground_amsl_m, heading_deg;
    bool said; /**< the vehicle believed that it was somewhere: */
    double said_lat_deg, said_lon_deg, said_alt_amsl_m;
};

/** Other figures at an instant. */
struct replay_figures {
    int64_t t_us; /**< vehicle time */
    double vel_ned_mps[3], roll_deg, pitch_deg;
    double remaining, voltage_v; /**< of the battery, 0 .. 1 of its charge */
    double sent, received, lost; /**< frames of all links until then */
};

/** Numbers of a struct replay_figures after its time; NaN: not known. */
#define REPLAY_FIGURES 10u

/** A start of the vehicle. */
struct replay_chapter {
    size_t first, instants; /**< of the story's */
    size_t first_figures, figures;
    size_t text, length; /**< its events in the story's text: JSON objects between commas */
};

struct replay_story {
    struct replay_chapter *chapter;
    struct replay_instant *instant;
    struct replay_figures *figure;
    char *text;
    size_t chapters, instants, figures, length, events;
    double tolerance_m; /**< what was left out is so near to straight lines */
};

/** @brief Read the lines of a story to their end; what makes no sense is left out.
 *  @return false: no memory. To be freed in any case. */
bool replay_story_read(struct replay_story *story, FILE *in);

/**
 * @brief Make a story of a link's messages: the truth is unknown, so positions are those that the
 * vehicle reported. @return false: out of memory. The caller frees the story in any case.
 */
bool replay_story_heard(struct replay_story *story, const struct replay_flight *flight);

/** @brief Leave out instants that lie on straight lines between others, in space and in time:
 *  within 0.05 m and 2 degrees, and twice that until so many are left at most. Events stay.
 *  @param figures_max  of a chapter, at equal distances; the first and the last stay */
void replay_story_thin(struct replay_story *story, size_t instants_max, size_t figures_max);

void replay_story_free(struct replay_story *story);

#endif
