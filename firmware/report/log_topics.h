/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Topics of the flight log: their fields and where these come from. A new one is a line in
 * MF_LOG_TOPIC_LIST and its mf_log_<topic>() in log_topics.c; the logger, the format in the file
 * and `listener` in the shell then have it.
 */
#ifndef MF_FIRMWARE_LOG_TOPICS_H
#define MF_FIRMWARE_LOG_TOPICS_H

#include "firmware/state/log_record.h"
#include "firmware/state/log_topics.h"

struct mf_vehicle;

/** @brief Row of the table for a topic. @return static */
const struct mf_log_topic_info *mf_log_topic(enum mf_log_topic topic);

/* void mf_log_<topic>(): put the fields of a topic behind its timestamp, of the vehicle at vehicle
 * time t_us. */
#define X(name, rate, fields) \
    void mf_log_##name(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r);
MF_LOG_TOPIC_LIST(X)
#undef X

#endif
