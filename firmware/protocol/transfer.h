/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Transfer of the mission protocol as a state machine: its partner, the next item, when a request
 * is repeated, and how long a silent partner may stay. It does not use items, links or stores, so
 * that it is tested alone; mission_io.c sends what it decides. All times are transport times: a
 * client waits by its own clock, however fast vehicle time passes.
 *
 * Source: MAVLink mission protocol; time-outs and the fallback to MISSION_REQUEST are PX4's
 * (mavlink_mission).
 */
#ifndef MF_FIRMWARE_TRANSFER_H
#define MF_FIRMWARE_TRANSFER_H

#include "firmware/state/transfer.h"

/** Results of time for a transfer. */
enum mf_transfer_turn {
    MF_TRANSFER_WAIT,   /**< nothing to do before mf_transfer_due_us() */
    MF_TRANSFER_REPEAT, /**< ask again for item `next`, and call mf_transfer_asked() */
    MF_TRANSFER_SILENT, /**< the partner said nothing for too long: the transfer is over */
};

/** @brief True if @p from is the partner of the present transfer. A client that returned on another
 * link is not. */
bool mf_transfer_is_partner(const struct mf_transfer *t, struct mf_client from);

/** @brief True if other clients must wait. A download whose last item was sent may still wait for
 * an acknowledgement, but does not block: the next client, or the same one with its next list, ends
 * it. */
bool mf_transfer_is_busy(const struct mf_transfer *t);

/** @brief Begin an upload of @p count items (1 or more): the first is due to be requested. Another
 * transfer ends. */
void mf_transfer_receive(struct mf_transfer *t, struct mf_client from, uint8_t type, uint16_t count,
                         mf_us_t now_us);

/** @brief A download of @p count items (0 or more) begins: the partner asks. Any other transfer is
 * over. */
void mf_transfer_send(struct mf_transfer *t, struct mf_client from, uint8_t type, uint16_t count,
                      mf_us_t now_us);

/** @brief End the transfer; the memory of a finished upload stays. */
void mf_transfer_end(struct mf_transfer *t);

/** @brief End the transfer, and forget the last upload, too, because its content is about to be
 * replaced. */
void mf_transfer_forget(struct mf_transfer *t);

/** @brief The partner gave a sign of life. */
void mf_transfer_heard(struct mf_transfer *t, mf_us_t now_us);

/** @brief Note an item as MISSION_ITEM (float) or MISSION_ITEM_INT: the partner gets requests of
 * the same kind. */
void mf_transfer_heard_item(struct mf_transfer *t, bool is_float, mf_us_t now_us);

/** @brief A request for item `next` leaves: without an answer it goes out again after 250 ms. */
void mf_transfer_asked(struct mf_transfer *t, mf_us_t now_us);

/** @brief Item `next` of an upload was kept.
 * @param tag  checksum of all items so far  @param current  it is the one to begin with
 * @return whether it was the last */
bool mf_transfer_kept(struct mf_transfer *t, uint32_t tag, bool current);

/** @brief Item @p seq of a download left: the next one, or the last one once more. */
void mf_transfer_sent(struct mf_transfer *t, uint16_t seq);

/** @brief All items of an upload were kept: it is over, and remembered
 * for mf_transfer_was_last(). */
void mf_transfer_finish(struct mf_transfer *t);

/** @brief Is this the last item of the upload just finished, come again because our acknowledgement
 * was lost? */
bool mf_transfer_was_last(const struct mf_transfer *t, struct mf_client from, uint8_t type,
                          uint16_t seq);

/** @brief The partner of an upload says that it does not know our kind of request: the other kind
 * from now on. Not a sign of life, so two that never agree time out. */
void mf_transfer_change_kind(struct mf_transfer *t);

/** @brief Find out what is due at @p now_us. A due request counts as unanswered; after the third
 * one for the first item, the partner counts as one that supports only MISSION_REQUEST. Called once
 * per turn. */
enum mf_transfer_turn mf_transfer_turn(struct mf_transfer *t, mf_us_t now_us);

/** @brief Time of the next call of mf_transfer_turn(). @return [transport]; MF_NEVER without a
 * transfer */
mf_us_t mf_transfer_due_us(const struct mf_transfer *t);

#endif
