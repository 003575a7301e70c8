/* SPDX-License-Identifier: Apache-2.0 */
/** File of receptions: outputs.radio. */
#ifndef MF_BOARDS_SWARM_RADIO_FILE_H
#define MF_BOARDS_SWARM_RADIO_FILE_H

#include "boards/swarm/core/gathered.h"
#include "boards/swarm/core/swarm.h"

/** A reception, as the receiver's shard keeps it until the end of the round. */
struct swarm_reception {
    uint32_t receiver, sender, number, size;
    const uint8_t *bytes; /**< valid until the end of the round */
    double strength_dbm;
};

/** @brief Open the file, if the scenario names one. @return SWARM_OK or SWARM_INPUT */
int swarm_radio_file_open(struct swarm *w);

/** @brief Rows of struct swarm_reception, which swarm_radio_file_write_all() writes. */
struct swarm_gathered *swarm_radio_file_rows(const struct swarm *w);

/** @brief Write a reception. */
void swarm_radio_file_write(struct swarm *w, const struct swarm_reception *got, mf_us_t at_us);

/** @brief Write the rows in the order of receivers, which is that of shards, and empty them. */
void swarm_radio_file_write_all(struct swarm *w, mf_us_t at_us);

extern const size_t swarm_radio_file_bytes;

#endif
