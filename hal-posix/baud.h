/* SPDX-License-Identifier: Apache-2.0 */
/** Rates of serial devices. */
#ifndef MF_HAL_POSIX_BAUD_H
#define MF_HAL_POSIX_BAUD_H

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

/** @brief Can the system set this rate [baud]? */
bool mf_baud_known(uint32_t baud);

/** @brief The system's word for a rate. @param speed  out, if it is known  @return false: it is not
 */
bool mf_baud_speed(uint32_t baud, speed_t *speed);

#endif
