/* SPDX-License-Identifier: Apache-2.0 */
/** Readers of the texts and bytes from which mf_resolve() gets an address; all set port 0. */
#ifndef MF_HAL_POSIX_RESOLVE_READ_H
#define MF_HAL_POSIX_RESOLVE_READ_H

#include "hal-posix/endpoint.h"

#include <stdio.h>

/** @brief Read a numeric address: "10.0.0.1", "::1" or "fe80::1%eth0". @return false: it is not
 * numeric */
bool mf_addr_from_text(const char *host, struct mf_addr *addr);

/** @brief Search a file of the form of /etc/hosts for a name. An IPv4 line has priority over an
 * earlier IPv6 line. @return false: not found */
bool mf_addr_from_hosts(FILE *file, const char *host, struct mf_addr *addr);

/** @brief Find the first address record of a type in an answer of a name server.
 *  @param type  T_A or T_AAAA of arpa/nameser.h @return false: not found, or the answer is damaged
 */
bool mf_addr_from_answer(const uint8_t *answer, size_t n, int type, struct mf_addr *addr);

#endif
