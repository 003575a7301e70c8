/* SPDX-License-Identifier: Apache-2.0 */
/** The other end of the minimal board's wire: a ground station that flies one flight from a list
 * and prints what it sees. */
#ifndef MF_BOARDS_MINIMAL_PEER_H
#define MF_BOARDS_MINIMAL_PEER_H

#include "hal/types.h"

/** Two buffers, as the driver of a UART has them; the board reads rx and writes tx. */
struct uart {
    size_t rx_n;
    size_t tx_n;
    uint8_t rx[256];
    uint8_t tx[4096]; /**< one set of all streams, and a burst of parameters */
};

/** @brief Take what the board wrote until @p now_us, print what is new in it, send what is due.
 *  @return when to call it again; MF_NEVER: the flight is over */
mf_us_t peer_run(struct uart *uart, mf_us_t now_us);

#endif
