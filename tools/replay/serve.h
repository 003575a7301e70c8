/* SPDX-License-Identifier: Apache-2.0 */
/** A recording as a vehicle: what it sent, at the times at which it sent it, to a TCP client. */
#ifndef MF_TOOLS_REPLAY_SERVE_H
#define MF_TOOLS_REPLAY_SERVE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * @brief Listen, and give each client that comes the recording from its beginning; what a client
 *        says is read and forgotten.
 * @param endpoint  "HOST:PORT" or "[::1]:PORT"; port 0: any free one
 * @param name      the file  @param link  whose output
 * @param speed     vehicle seconds per second, > 0
 * @param once      end after the first client
 * @return exit code: 0; 2: no such endpoint or file. Without @p once it ends with a signal only.
 */
int replay_serve(const char *endpoint, const char *name, uint16_t link, double speed, bool once);

#endif
