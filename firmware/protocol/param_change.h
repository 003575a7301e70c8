/* SPDX-License-Identifier: Apache-2.0 */
/** A parameter gets another value, and everybody whom that concerns is told. */
#ifndef MF_FIRMWARE_PARAM_CHANGE_H
#define MF_FIRMWARE_PARAM_CHANGE_H

#include "firmware/state/param.h"

struct mf_vehicle;

/**
 * @brief Set by bits and tell every link (PARAM_VALUE), mark for saving. Every link is told of a
 * change once more, unasked, 5 ms later.
 * @return MF_E_OK; MF_E_RANGE: not finite, or outside the table's range where PX4's rules do not
 * hold: PX4 does not check; MF_E_DENIED: read-only
 */
int mf_param_set(struct mf_vehicle *v, enum mf_param param, uint32_t bits);

/** @brief Give a value from the board's configuration: numeric, converted to the parameter's type;
 * not saved.
 * @return MF_E_OK, MF_E_NOENT, MF_E_RANGE */
int mf_param_override(struct mf_vehicle *v, const char *name, double value);

/** @brief Write the parameters that say what was launched (ids and geoid): after defaults or saved
 * values were taken. */
void mf_vehicle_set_launched(struct mf_vehicle *v);

#endif
