/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One vehicle: everything it knows in one visible struct, allocated by the board and never moved
 * after init.
 *
 * Usage: fill in a mf_setup, mf_vehicle_init(), attach links as peers appear, and call
 * mf_vehicle_step() whenever input has arrived or the time that it returned has come. Nothing here
 * allocates, blocks, or knows of other vehicles.
 */
#ifndef MF_FIRMWARE_VEHICLE_H
#define MF_FIRMWARE_VEHICLE_H

#include "firmware/attach.h"
#include "firmware/core/log_record.h"
#include "firmware/core/param.h"
#include "firmware/core/silence.h"
#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/flight/calibration.h"
#include "firmware/flight/commander.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/destination.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/failsafe.h"
#include "firmware/flight/failsafe_act.h"
#include "firmware/flight/faults.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/gcs.h"
#include "firmware/flight/health.h"
#include "firmware/flight/home.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/flight/remote_id.h"
#include "firmware/flight/signals.h"
#include "firmware/flight/state.h"
#include "firmware/flight/transition.h"
#include "firmware/flight/zones.h"
#include "firmware/impose.h"
#include "firmware/link/barrier.h"
#include "firmware/link/link.h"
#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/link/signing.h"
#include "firmware/protocol/download.h"
#include "firmware/protocol/ftp.h"
#include "firmware/protocol/ftp_io.h"
#include "firmware/protocol/mission_io.h"
#include "firmware/protocol/param_change.h"
#include "firmware/protocol/param_io.h"
#include "firmware/protocol/shell.h"
#include "firmware/protocol/tree.h"
#include "firmware/report/logger.h"
#include "firmware/report/metadata.h"
#include "firmware/report/stream.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "hal/hal.h"

/**
 * @brief Prepare an instance in memory of the caller's.
 * @return MF_E_OK; MF_E_RANGE for an id outside 1 .. 254
 * Reads parameters and missions from the store, sets home if the receiver has a fix. The link pool
 * is not touched beyond marking each link closed when it is used for the first time.
 */
int mf_vehicle_init(struct mf_vehicle *v, const struct mf_setup *setup);

/**
 * @brief One pass: runs what is due by the clock's time, each task at its own due time, in order;
 * then takes in what the links received, at the clock's time; then what that made due.
 * @return when to come back: earlier if input arrives
 */
struct mf_wake mf_vehicle_step(struct mf_vehicle *v);

/** @brief Run what is due by the clock's time, without taking in input: whoever acts on a vehicle
 * from outside does so at the present time, after everything that comes before it. */
void mf_vehicle_catch_up(struct mf_vehicle *v);

/**
 * @brief Hand a message over as its struct, between two steps, from within the process: handled as a
 * frame of it that has arrived on the link now, without framing. The next step does what it asks for.
 * @param link   index of an open link, on which answers go out
 * @param from   who sends it; a trusted caller: no signature is asked for
 * @param msgid  of a message that has a handler; but for SETUP_SIGNING, whose own signature matters
 * @param msg    `struct mf_msg_<name>` of @p msgid; it is not passed on to other links
 * @return MF_E_OK: its handler has it; MF_E_NOSUPP: none has, or @p from is the vehicle's own address
 */
int mf_message(struct mf_vehicle *v, int link, struct mf_address from, uint32_t msgid,
               const void *msg);

/** @brief A clock is about to jump to @p at_us: what is shown periodically is shown once, for that
 * instant, and then goes on from there. The next pass then does what happens at that instant. */
void mf_vehicle_jump_to(struct mf_vehicle *v, mf_us_t at_us);

/** @brief Is a manoeuvre under way: something will happen by itself, and soon? Standing on the
 * ground and holding a position are none. */
bool mf_vehicle_moving(const struct mf_vehicle *v);

/** @brief Is a client in the middle of something: a transfer, a list of parameters? */
bool mf_vehicle_busy(const struct mf_vehicle *v);

#endif
