/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of outputs. */
#ifndef MF_FLEET_SCENARIO_OUTPUTS_H
#define MF_FLEET_SCENARIO_OUTPUTS_H

#include "fleet/scenario_chosen.h"

/** Output file; "%n" in its name is the number of a member. */
struct mf_scenario_output {
    char file[MF_SCENARIO_FILE_MAX]; /**< "": not written */
    int line;
    double every_s;
    struct mf_scenario_chosen of;
};

/** Outputs of a run. */
struct mf_scenario_outputs {
    struct mf_scenario_output csv, kml, czml, geojson, tlog, record, events, stats, tasks, map,
        trace, radio, contacts, hive, sensors, recording;
    struct mf_scenario_output detections, counts; /**< of a search */
    struct mf_scenario_output overhead, video;
    struct mf_scenario_output trust, costs; /**< of a world of cells */
    double costs_to[3];                     /**< cell; x NAN: where the first drone begins */
    uint32_t costs_controller;              /**< id; UINT32_MAX: the lowest id */
    struct mf_scenario_output page;         /**< file: its address; every_s: wall time */
    struct mf_scenario_output pictures;
    double video_fps;
    bool plots; /**< true: overhead, video, trust and costs are written */
};

extern const struct mf_keys mf_output_keys; /**< keys of struct mf_scenario_outputs */
/** Check that the members of outputs exist, and that no two outputs share a file. */
mf_scenario_check mf_scenario_outputs_check;

/** @brief Set the values that the file need not give. */
void mf_scenario_outputs_defaults(struct mf_scenario_outputs *o);

#endif
