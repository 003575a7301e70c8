/* SPDX-License-Identifier: Apache-2.0 */
/** Health of the parts, for SYS_STATUS, and whether the vehicle may be armed. */
#ifndef MF_FIRMWARE_HEALTH_H
#define MF_FIRMWARE_HEALTH_H

#include "firmware/state/health.h"
#include "firmware/state/param.h"
#include "hal/inject.h"
#include "hal/log.h"
#include "hal/power.h"

struct mf_vehicle;

/** @brief Health at vehicle time @p t_us. */
struct mf_health mf_health_at(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Reason for which the vehicle may not be armed now. @return PX4's text, valid until a
 * fault begins or ends; "": it may be armed */
const char *mf_health_denial(struct mf_vehicle *v, mf_us_t t_us);

/** @brief MAV_BATTERY_CHARGE_STATE of a battery, by the thresholds BAT_LOW_THR, BAT_CRIT_THR and
 * BAT_EMERGEN_THR. */
uint8_t mf_health_charge(const struct mf_params *p, const struct mf_battery *battery);

/** @brief Level of a battery's charge. @return 0 is the worst level; a level unknown to
 * mf_health_charge_at(): high enough */
size_t mf_health_charge_level(const struct mf_params *p, const struct mf_battery *battery);

/** @brief Description of a level of charge. @return static; NULL: the charge is high enough */
const struct mf_charge *mf_health_charge_at(size_t level);

/** @brief Needs of enum mf_need that the vehicle meets at @p t_us (a set of bits). */
unsigned mf_health_have(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Run the health task at @p now_us before all other tasks, because faults may begin or
 * end. */
void mf_health_look(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Note an event of the vehicle for which a fault may wait. @param index  of a waypoint */
void mf_health_happened(struct mf_vehicle *v, mf_us_t now_us, enum mf_happening what,
                        uint16_t index);

/** @brief Task: notices a lost position, its return, the first fix, and a low battery. @return next
 * due time */
mf_us_t mf_health_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
