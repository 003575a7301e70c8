/* SPDX-License-Identifier: Apache-2.0 */
/** Counters of a link. Data types only. */
#ifndef MF_FIRMWARE_STATE_LINK_STATS_H
#define MF_FIRMWARE_STATE_LINK_STATS_H

#include <stdint.h>

/** Counters of received and sent frames: each frame counts once per side, and the log has at the
 * end the number and reasons of refusals. All wrap at 2^32. */
struct mf_link_stats {
    uint32_t tx_frames;
    uint32_t tx_dropped;   /**< the serial device had no room */
    uint32_t tx_unfit;     /**< messages that version 1 cannot carry */
    uint32_t tx_forwarded; /**< frames of others */
    uint32_t tx_held_back; /**< frames of others that would have taken room from our own, or that
                              this peer's version cannot carry */
    uint32_t rx_frames;    /**< good frames */
    uint32_t rx_lost;      /**< gaps in the peers' sequence numbers; none by one that comes
                              again or late */
    uint32_t rx_unhandled; /**< good frames that no handler wants */
    uint32_t rx_foreign;   /**< good frames addressed to another system or component */
    uint32_t rx_rejected;  /**< good frames with values that make no sense (NaN where a number must
                              be, ...) */
    uint32_t rx_unsigned;  /**< frames that had to be signed */
    uint32_t rx_bad_signature; /**< frames signed with another key */
    uint32_t rx_replayed;      /**< frames whose signature is older than one that was accepted */
    uint32_t rx_ahead;         /**< frames whose signature is too far ahead of the clock */
};

#endif
