/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Bytes of gzuav's protocol (external synchronisation and node controller; D'Urso and others 2020),
 * as they are: native little-endian, without versions.
 *
 *     subscriber:   u8 phase                                  0 or 1, once
 *     to phase 0:   f64 time [s]                              answered by a byte: it is done
 *     to phase 1:   f64 time, u32 n, n x {u32 id, f64 x, y, z}    ... by a byte
 *     node:         u32 id, once
 *     of a node:    u32 length, i32 destination, payload      -1: all; answered by '!'
 *     to a node:    u32 length, u32 sender, payload           answered by a byte
 *
 * The length of a packet counts the four bytes of its destination or sender, and the payload.
 * Places are east, north, up [m].
 */
#ifndef MF_FLEET_GZUAV_H
#define MF_FLEET_GZUAV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MF_GZUAV_TIME   8u  /**< bytes of a tick's time */
#define MF_GZUAV_COUNT  4u  /**< bytes of the number of vehicles, after the time, for phase 1 */
#define MF_GZUAV_PLACE  28u /**< bytes of one vehicle's place, for phase 1 */
#define MF_GZUAV_ID     4u  /**< bytes of a node's first message */
#define MF_GZUAV_HEADER 8u  /**< bytes before a packet's payload */
#define MF_GZUAV_DONE   '!' /**< acknowledges a packet of a node */

/** @brief Encode the time of a tick. @param out  [MF_GZUAV_TIME] */
void mf_gzuav_time(uint8_t *out, double time_s);

/** @brief Encode the number of vehicles, which follows the time in phase 1. @param out
 * [MF_GZUAV_COUNT] */
void mf_gzuav_count(uint8_t *out, uint32_t vehicles);

/** @brief Encode the place of one vehicle. @param enu_m  [3]  @param out  [MF_GZUAV_PLACE] */
void mf_gzuav_place(uint8_t *out, uint32_t id, const double *enu_m);

/** @brief Decode the number of a node. @param in  [MF_GZUAV_ID] */
uint32_t mf_gzuav_id(const uint8_t *in);

/** @brief Encode the header of a packet to a node. @param out  [MF_GZUAV_HEADER] @param size  bytes
 * of the payload */
void mf_gzuav_packet(uint8_t *out, uint32_t size, uint32_t sender);

/** @brief Decode the header of a packet from a node. @param in  [MF_GZUAV_HEADER] @param to out:
 * destination; < 0: all
 * @return bytes of the payload; above UINT32_MAX - 4: the length does not cover the destination */
uint32_t mf_gzuav_header(const uint8_t *in, int32_t *to);

#endif
