/* SPDX-License-Identifier: Apache-2.0 */
/** Faults on request as the autopilot sees them: the one way in, what it does when one begins or
 * ends, and those that no device shows. */
#ifndef MF_FIRMWARE_FAULTS_H
#define MF_FIRMWARE_FAULTS_H

#include "hal/inject.h"

struct mf_vehicle;

/** What is active, as it was looked at last. */
struct mf_shown_faults {
    mf_us_t next_us; /**< vehicle time at which to look again */
    mf_us_t
        correct_us; /**< what displaced the vehicle or its estimate is corrected: fly there again */
    mf_us_t late_us;   /**< added to the period of HEARTBEAT */
    uint64_t active;   /**< bits 1 << enum mf_fault, as the log has them */
    uint8_t displaced; /**< those that move the vehicle or its estimate, bits of the list there */
    bool motors_off;
    bool rc_lost;
    bool home_lost;
    bool heartbeat_off;
    char denial[16u + MF_FAULT_TEXT_MAX]; /**< why it may not be armed; "" no such fault */
};

/** @brief Switch a fault on or off from @p now_us on, which is the present vehicle time. A board that
 * acts from outside calls mf_vehicle_catch_up() before.
 * @param with  NULL: the defaults of the table; but a teleport without values leads away from home, and
 * out of the fence: to 1.1 times GF_MAX_HOR_DIST and 10 m more, or 10 m beyond the zones
 * @return MF_E_OK: what the table names changes with its next message; MF_E_NOSUPP: nothing here
 * shows it; MF_E_AGAIN: not while another fault hides it; MF_E_DENIED: it shows that already;
 * MF_E_RANGE: a value, or all too small to show */
int mf_vehicle_inject(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault, bool on,
                      const struct mf_fault_values *with);

/** @brief Schedule a fault, at @p now_us as above. One that begins at once must show as one on request.
 *  @return MF_E_OK; MF_E_FULL: no room; MF_E_RANGE: that time is over, or a value; else as above */
int mf_vehicle_plan(struct mf_vehicle *v, mf_us_t now_us, const struct mf_fault_plan *plan);

/** @brief End a fault, at @p now_us as above, and all that is scheduled of it.
 *  @return as mf_vehicle_inject() */
int mf_vehicle_unplan(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault);

/** @brief As MAVLink asks for it: the unit fails that way, and in no other of its ways any more.
 *  @param type  FAILURE_TYPE; OK ends all of the unit's  @return as above; MF_E_NOSUPP: no such fault */
int mf_vehicle_inject_type(struct mf_vehicle *v, mf_us_t now_us, int32_t unit, int32_t type);

/** @brief Faults may begin or end at @p now_us: look at them before anything else happens. */
void mf_faults_look(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Does a fault truly move the vehicle, or has it and is not over? As they were looked at last. */
bool mf_faults_move(const struct mf_vehicle *v);

/** @brief The health task's part of a run at @p due_us. @return when to look again */
mf_us_t mf_faults_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
