/* SPDX-License-Identifier: Apache-2.0 */
/** What handlers of commands share: numbers that are floats, and a refusal in words. */
#ifndef MF_FIRMWARE_COMMAND_VALUE_H
#define MF_FIRMWARE_COMMAND_VALUE_H

#include "hal/types.h"

struct mf_vehicle;

/** @brief A parameter that must be a whole number: parameters of commands are floats, which hold
 * those up to 2^24 exactly.
 * @return -1 if it is not, or outside 0 .. max */
int32_t mf_command_whole(float value, int32_t max);
/** @brief The same where not-a-number is "not given": 0. MAVSDK and QGroundControl fill parameters
 * that they do not use with one or the other. */
int32_t mf_command_whole_or_none(float value, int32_t max);
/** @brief Say why, to people: the MAV_RESULT has no room for it. @return err */
int mf_command_refuse(struct mf_vehicle *v, int err, const char *text);

#endif
