/* SPDX-License-Identifier: Apache-2.0 */
/** Rates of serial devices. */
#ifndef MF_HAL_POSIX_BAUD_H
#define MF_HAL_POSIX_BAUD_H

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

/** @brief True if the system can set this rate [baud]. */
bool mf_baud_known(uint32_t baud);

/** @brief Find the system's constant for a rate. @param speed  out, if the rate is known  @return
 * false: unknown */
bool mf_baud_speed(uint32_t baud, speed_t *speed);

#endif
