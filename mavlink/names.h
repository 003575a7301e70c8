/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The names of messages, fields and wire types, as MAVLink's XML spells them. For hosts, tests and
 * documentation; firmware does without and does not link it.
 */
#ifndef MF_MAVLINK_NAMES_H
#define MF_MAVLINK_NAMES_H

#include "mavlink/message.h"

/** @brief Name of a message, e.g. "HEARTBEAT". @return static text, or NULL if unknown. */
const char *mf_msg_name(uint32_t id);

/** @brief Name of a message's field, e.g. "custom_mode".
 *  @param field  its place in wire order, below info->field_count
 *  @return static text */
const char *mf_field_name(const struct mf_msg_info *info, size_t field);

/** @brief True if a message's field is an extension: MAVLink 2 only, and not part of CRC_EXTRA.
 * @param field  its place in wire order, below info->field_count */
bool mf_field_is_extension(const struct mf_msg_info *info, size_t field);

/** @brief Name of a wire type, e.g. "uint8_t" (of one element, for arrays). @return static text. */
const char *mf_wire_type_name(enum mf_wire_type type);

#endif
