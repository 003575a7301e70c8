/* SPDX-License-Identifier: Apache-2.0 */
/** Changes of parameters: the new value, and the modules and links that learn of it. */
#ifndef MF_FIRMWARE_PARAM_CHANGE_H
#define MF_FIRMWARE_PARAM_CHANGE_H

#include "firmware/state/param.h"

struct mf_vehicle;

/**
 * @brief Set a parameter by its bits, send PARAM_VALUE on every link, and mark it for saving. Every
 * link gets the message once more after 5 ms.
 * @return MF_E_OK; MF_E_RANGE: not finite, or outside the table's range unless PX4's rules are on,
 * since PX4 does not check; MF_E_DENIED: read-only
 */
int mf_param_set(struct mf_vehicle *v, enum mf_param param, uint32_t bits);

/** @brief Give a value from the board's configuration: numeric, converted to the parameter's type;
 * not saved.
 * @return MF_E_OK, MF_E_NOENT, MF_E_RANGE */
int mf_param_override(struct mf_vehicle *v, const char *name, double value);

/** @brief Write the parameters that describe the launch (ids and geoid), after defaults or saved
 * values were set. */
void mf_vehicle_set_launched(struct mf_vehicle *v);

#endif
