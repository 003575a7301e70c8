/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/vehicle.h, without functions. */
#ifndef MF_FIRMWARE_STATE_VEHICLE_H
#define MF_FIRMWARE_STATE_VEHICLE_H

#include "firmware/state/barrier.h"
#include "firmware/state/calibration.h"
#include "firmware/state/control_inputs.h"
#include "firmware/state/estimate.h"
#include "firmware/state/failsafe.h"
#include "firmware/state/fence.h"
#include "firmware/state/ftp.h"
#include "firmware/state/gcs.h"
#include "firmware/state/health.h"
#include "firmware/state/home.h"
#include "firmware/state/impose.h"
#include "firmware/state/journal.h"
#include "firmware/state/limits.h"
#include "firmware/state/link.h"
#include "firmware/state/log_record.h"
#include "firmware/state/mission.h"
#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/options.h"
#include "firmware/state/param.h"
#include "firmware/state/remote_id.h"
#include "firmware/state/say.h"
#include "firmware/state/shell.h"
#include "firmware/state/signing.h"
#include "firmware/state/stream.h"
#include "firmware/state/tasks.h"
#include "firmware/state/text.h"
#include "firmware/state/transfer.h"
#include "firmware/state/transition.h"
#include "hal/hal.h"

/**
 * State of a vehicle. The board allocates it, and never moves it after mf_vehicle_init(). The
 * module that owns a part writes it; others read it, or call the owner.
 */
struct mf_vehicle {
    /* hot: what every pass and every sample touches, together at the beginning, so that a thousand
     * idle vehicles touch few cache lines */
    mf_us_t
        due_us[MF_TASK_COUNT]; /**< when each task runs, on its own clock; MF_NEVER: it sleeps */
    struct mf_now now;         /**< of this pass */
    mf_us_t instant_us;    /**< vehicle time of what is being done: a due time, or that of input */
    struct mf_link *links; /**< pool [link_count], the board's */
    uint16_t link_count;
    uint16_t links_open; /**< how many of them are open: without any, nothing is received */
    uint16_t links_top;  /**< one past the highest open link: what a pass looks at */
    uint8_t sysid;       /**< its own address, of which it sends and to which it listens */
    uint8_t compid;      /**< of the same */
    struct mf_counters counters;
    struct mf_commander commander;
    struct mf_estimate estimate;

    /* cold: what something that happens touches */
    struct mf_hal hal; /**< its devices */
    struct mf_navigator navigator;
    struct mf_failsafe failsafe;
    struct mf_home home;
    struct mf_fence fence;
    struct mf_origin origin; /**< of the local frame: the first fix */
    mf_us_t faults_us; /**< a fault may begin or end: devices may answer otherwise from then on */
    struct mf_imposed imposed;
    struct mf_journal *journal;  /**< NULL: without observers */
    struct mf_shell *shells;     /**< one per link; NULL: unavailable */
    struct mf_barrier *barriers; /**< one per link; NULL: the clock cannot be held */
    struct mf_signing *signing;  /**< NULL: nothing is signed */
    struct mf_ftp *ftp;          /**< NULL: FILE_TRANSFER_PROTOCOL is not supported */
    uint64_t uid;                /**< AUTOPILOT_VERSION.uid, unique per instance */
    struct mf_options options;   /**< fixed at init */
    struct mf_watched watched;
    struct mf_calibration calibration;
    uint16_t text_id;  /**< of the last STATUSTEXT in chunks; 0: none yet */
    bool reboot;       /**< PREFLIGHT_REBOOT_SHUTDOWN: the board is to restart the vehicle */
    bool shutdown;     /**< PREFLIGHT_REBOOT_SHUTDOWN: the board is to end the vehicle */
    bool own_ids_said; /**< the text about frames with the vehicle's own ids */
    struct mf_gcs gcs;
    struct mf_mission mission;
    struct mf_transfer transfer;
    struct mf_params params;
    struct mf_logger logger;
    struct mf_inputs inputs;
    struct mf_remote_id remote_id;
};
_Static_assert(offsetof(struct mf_vehicle, hal) <= MF_HOT_BYTES_MAX,
               "RAM budget: hot part of an instance");
_Static_assert(sizeof(struct mf_vehicle) - offsetof(struct mf_vehicle, hal) <= MF_COLD_BYTES_MAX,
               "RAM budget: cold part of an instance");
_Static_assert(sizeof(struct mf_link) <= MF_LINK_BYTES_MAX, "RAM budget: a link");

#endif
