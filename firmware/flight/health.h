/* SPDX-License-Identifier: Apache-2.0 */
/** Health of the parts, as SYS_STATUS tells it, and whether the vehicle may be armed. */
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

/** @brief Why the vehicle may not be armed now. @return "" if it may; a text (PX4's) otherwise,
 * valid until a fault begins or ends */
const char *mf_health_denial(struct mf_vehicle *v, mf_us_t t_us);

/** @brief MAV_BATTERY_CHARGE_STATE of a battery, by the thresholds BAT_LOW_THR, BAT_CRIT_THR and
 * BAT_EMERGEN_THR. */
uint8_t mf_health_charge(const struct mf_params *p, const struct mf_battery *battery);

/** @brief How low the charge is. @return 0 is the worst level; one that mf_health_charge_at() does
 * not know: high enough */
size_t mf_health_charge_level(const struct mf_params *p, const struct mf_battery *battery);

/** @brief @return static; NULL: the charge is high enough */
const struct mf_charge *mf_health_charge_at(size_t level);

/** @brief What of enum mf_need the vehicle has at @p t_us (a set of bits). */
unsigned mf_health_have(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Faults may begin or end at @p now_us: the health task looks at them before anything else
 * happens. */
void mf_health_look(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Something happened to the vehicle for which a fault may wait: @p index of a waypoint. */
void mf_health_happened(struct mf_vehicle *v, mf_us_t now_us, enum mf_happening what,
                        uint16_t index);

/** @brief Task: notices that the position was lost or has come back, the first fix, and a battery
 * that runs low. @return
 * next due time */
mf_us_t mf_health_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
