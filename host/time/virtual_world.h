/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Addresses of a simulated world (docs/cosim.md): member M of network K is 10.K.H.L, where H and L
 * are the two bytes of M + 1. 10.K.255.255 is all members of network K; 10.255.255.255 and
 * 255.255.255.255 are all members of all networks of the sender.
 */
#ifndef MF_HOST_TIME_VIRTUAL_WORLD_H
#define MF_HOST_TIME_VIRTUAL_WORLD_H

#include <stdbool.h>
#include <stdint.h>

/** All members, all networks. */
#define MF_VIRTUAL_ALL UINT32_MAX

/** @brief Address of a member, in the order of the machine.
 *  @param network  below 255  @param member  below 65534 */
static inline uint32_t mf_virtual_world(uint32_t network, uint32_t member)
{
    return 0x0A000000u | network << 16 | (member + 1u);
}

/** @brief Receiver of a datagram. @param networks, members  how many there are
 *  @param network, member  out: number, or MF_VIRTUAL_ALL; undefined if the address is refused
 *  @return false: no member has this address */
static inline bool mf_virtual_world_find(uint32_t address, uint32_t networks, uint32_t members,
                                         uint32_t *network, uint32_t *member)
{
    const uint32_t number = address & 0xFFFFu;
    *network = address >> 16 & 0xFFu;
    *member = number == 0xFFFFu ? MF_VIRTUAL_ALL : number - 1u;
    if (address == 0x0AFFFFFFu || address == UINT32_MAX) {
        *network = MF_VIRTUAL_ALL;
        return true;
    }
    return address >> 24 == 10u && *network < networks &&
           (number == 0xFFFFu || (number > 0 && *member < members));
}

#endif
