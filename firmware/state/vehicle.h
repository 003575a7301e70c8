/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/vehicle.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_VEHICLE_H
#define MF_FIRMWARE_STATE_VEHICLE_H

#include "firmware/state/barrier.h"
#include "firmware/state/calibration.h"
#include "firmware/state/estimate.h"
#include "firmware/state/failsafe.h"
#include "firmware/state/fence.h"
#include "firmware/state/ftp.h"
#include "firmware/state/gcs.h"
#include "firmware/state/health.h"
#include "firmware/state/home.h"
#include "firmware/state/impose.h"
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
#include "firmware/state/signals.h"
#include "firmware/state/signing.h"
#include "firmware/state/stream.h"
#include "firmware/state/tasks.h"
#include "firmware/state/text.h"
#include "firmware/state/transfer.h"
#include "firmware/state/transition.h"
#include "hal/hal.h"

/** When the vehicle wants to be stepped again. All may be MF_NEVER. */
struct mf_wake {
    mf_us_t essential_us; /**< vehicle time of the next instant at which something happens */
    mf_us_t periodic_us;  /**< vehicle time of the next instant at which something is shown */
    mf_us_t transport_us; /**< transport time of the next timeout towards clients */
    mf_us_t limit_us;     /**< vehicle time that clients permit at most (barrier.h) */
};

/** Answers to commands that are remembered. */
#define MF_ANSWERS_KEPT  8u
#define MF_ARRIVALS_KEPT 16u
/** Values of MAV_RESULT that are counted; later ones count as the last. */
#define MF_RESULTS 7u

/** An answer to a command. */
struct mf_answer {
    mf_us_t t_us;     /**< vehicle time */
    uint16_t command; /**< MAV_CMD */
    uint8_t result;   /**< MAV_RESULT */
    uint8_t sysid;    /**< who had sent it */
    uint8_t compid;   /**< of the same */
};

/** The last answers to commands, for whoever watches: the n-th is at n % MF_ANSWERS_KEPT. */
struct mf_answers {
    uint32_t count;
    uint32_t results[MF_RESULTS]; /**< by MAV_RESULT */
    struct mf_answer last[MF_ANSWERS_KEPT];
};

/** A mission item that was done. */
struct mf_arrival {
    mf_us_t t_us; /**< vehicle time */
    uint16_t seq;
};

/** The last items that a mission has reached, for whoever watches: the n-th is at n %
 *  MF_ARRIVALS_KEPT. Several may be at one instant. */
struct mf_arrivals {
    uint32_t count;
    struct mf_arrival last[MF_ARRIVALS_KEPT];
};

/** What a vehicle remembers for those who watch it: the control API, dmesg in its shell. */
struct mf_journal {
    struct mf_texts_said texts;
    struct mf_answers answers;
    struct mf_arrivals arrivals;
};

/** What a board hands in. */
struct mf_setup {
    struct mf_hal hal;       /**< copied; tables and contexts must outlive the vehicle */
    struct mf_link *links;   /**< pool [link_count], owned by the board; may be NULL when 0; not
                              touched before use */
    struct mf_shell *shells; /**< pool [link_count] as well; must outlive the vehicle; NULL: no link
                                has a shell */
    struct mf_barrier
        *barriers; /**< pool [link_count] as well; must outlive the vehicle: the board's clock
                                    honours mf_wake.limit_us; NULL: no client can hold it */
    struct mf_signing *signing; /**< must outlive the vehicle; NULL: it neither signs nor checks
                                   signatures, and takes no key */
    struct mf_ftp *ftp; /**< begins anew; must outlive the vehicle; NULL: clients find no files */
    uint16_t link_count;
    uint8_t sysid;  /**< 1 .. 254 */
    uint8_t compid; /**< 1 .. 254, normally 1 */
    uint64_t uid;   /**< AUTOPILOT_VERSION.uid, unique per instance */
    int64_t utc_us; /**< at transport time 0, since 1970: for signatures; 0: not known */
    struct mf_journal
        *journal; /**< begins anew; must outlive the vehicle; NULL: nothing is remembered */
    const struct mf_remote_id_card *remote_id; /**< must outlive the vehicle; NULL: the default */
    struct mf_options options;
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

/**
 * One vehicle. The board allocates it and never moves it after mf_vehicle_init(). Whoever owns a part
 * writes it; others read it, or call the owner.
 */
struct mf_vehicle {
    /* hot: what every pass and every sample touches, together at the beginning, so that a thousand idle
     * vehicles touch few cache lines */
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
    struct mf_journal *journal;  /**< NULL: nobody watches */
    struct mf_shell *shells;     /**< one per link; NULL: there is none */
    struct mf_barrier *barriers; /**< one per link; NULL: the clock cannot be held */
    struct mf_signing *signing;  /**< NULL: nothing is signed */
    struct mf_ftp *ftp;          /**< NULL: FILE_TRANSFER_PROTOCOL is not supported */
    uint64_t uid;                /**< AUTOPILOT_VERSION.uid, unique per instance */
    struct mf_options options;   /**< fixed at init */
    struct mf_watched watched;
    struct mf_calibration calibration;
    uint16_t text_id; /**< of the last STATUSTEXT in chunks; 0: none yet */
    bool reboot;      /**< PREFLIGHT_REBOOT_SHUTDOWN: the board shall restart the vehicle */
    bool shutdown;    /**< PREFLIGHT_REBOOT_SHUTDOWN: the board shall end it */
    struct mf_gcs gcs;
    struct mf_mission mission;
    struct mf_transfer transfer;
    struct mf_params params;
    struct mf_logger logger;
    struct mf_signals signals;
    struct mf_remote_id remote_id;
};
_Static_assert(offsetof(struct mf_vehicle, hal) <= MF_HOT_BYTES_MAX,
               "RAM budget: hot part of an instance");
_Static_assert(sizeof(struct mf_vehicle) - offsetof(struct mf_vehicle, hal) <= MF_COLD_BYTES_MAX,
               "RAM budget: cold part of an instance");
_Static_assert(sizeof(struct mf_link) <= MF_LINK_BYTES_MAX, "RAM budget: a link");

#endif
