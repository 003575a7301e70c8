/* SPDX-License-Identifier: Apache-2.0 */
/** Topics of the flight log: their fields and where these come from. */
#ifndef MF_FIRMWARE_LOG_TOPICS_H
#define MF_FIRMWARE_LOG_TOPICS_H

#include "firmware/state/log_record.h"
#include "firmware/state/log_topics.h"

struct mf_vehicle;

/** @brief @return static */
const struct mf_log_topic_info *mf_log_topic(enum mf_log_topic topic);

/* The fields of a topic behind its timestamp. */
#define X(name, rate, fields) \
    void mf_log_##name(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r);
MF_LOG_TOPIC_LIST(X)
#undef X

#endif
