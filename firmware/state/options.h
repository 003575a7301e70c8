/* SPDX-License-Identifier: Apache-2.0 */
/** Options of a vehicle at its start, and its counters. Data types only. */
#ifndef MF_FIRMWARE_STATE_OPTIONS_H
#define MF_FIRMWARE_STATE_OPTIONS_H

#include "hal/types.h"

/** Ways in which Mayfly differs from PX4 by default, fixed at start. */
struct mf_options {
    bool px4_strict;          /**< PX4's own rules in all cases in which a requirement differs */
    bool lenient_param_types; /**< accept PARAM_SET of the other type, converted numerically */
    bool lose_item_reached; /**< MISSION_ITEM_REACHED before an item that is done at once is lost */
    bool statustext_gcs_only; /**< STATUSTEXT only on links with a ground station, as PX4 */
    bool px4_motion; /**< the body moves as PX4's does: it rounds corners, within the acceptance
                                 radius, and PX4's speeds are the defaults */
    bool audit;      /**< a client is audited: what hides its dependence on physics is off */
    int32_t
        start_grid_us; /**< commands set the vehicle in motion at multiples of this; 0: at once */
};

/** Counters of an instance. */
struct mf_counters {
    uint32_t passes;   /**< calls of mf_vehicle_step() */
    uint32_t tasks;    /**< tasks run */
    uint32_t overruns; /**< periodic tasks that skipped because the host was late */
    uint32_t events; /**< what happened: arrivals, touchdowns, changes of mode, arming, missions */
    uint32_t commands_accepted; /**< by COMMAND_ACK, those in progress among them */
    uint32_t commands_refused;  /**< with any other result */
};

#endif
