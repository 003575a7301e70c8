/* SPDX-License-Identifier: Apache-2.0 */
/** Helpers of command handlers: whole numbers from floats, and a refusal with a text. */
#ifndef MF_FIRMWARE_COMMAND_VALUE_H
#define MF_FIRMWARE_COMMAND_VALUE_H

#include "hal/types.h"

struct mf_vehicle;

/** @brief A parameter that must be a whole number: parameters of commands are floats, which hold
 * those up to 2^24 exactly.
 * @return -1 if it is not, or outside 0 .. max */
int32_t mf_command_whole(float value, int32_t max);
/** @brief Read a whole number for which not-a-number means 0. MAVSDK and QGroundControl fill unused
 * parameters with either. */
int32_t mf_command_whole_or_none(float value, int32_t max);
/** @brief Send a text with the reason of a refusal, which a MAV_RESULT cannot contain. @return
 * err */
int mf_command_refuse(struct mf_vehicle *v, int err, const char *text);

#endif
