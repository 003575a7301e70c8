/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Protocol misbehaviour, as a wrapper around a serial device: parses the MAVLink frames that pass,
 * and answers, drops, repeats, delays or changes those that its rules select (misbehave_rule.h).
 * The vehicle does not notice, and only frames between the vehicle and its clients are affected:
 * frames between clients pass unchanged.
 *
 * Without rules every byte passes unchanged. With rules the wrapper renumbers the vehicle's frames,
 * so that frames that a rule drops or adds are not losses in the client's statistics: the protocol
 * misbehaves, not the link (quality.h).
 *
 * If the vehicle signs, the wrapper signs frames that it changes or makes with the vehicle's key,
 * later than all frames that left before. Frames to the vehicle in a client's name have their own
 * link id, so that no frame of the client is older than they are. Rules do not see frames that the
 * vehicle refuses.
 *
 * Rules are active by vehicle time; delays pass in transport time, as clients' timeouts do.
 *
 * A board supplies one struct mf_misbehave_link and one struct mf_misbehave_work per peer; without
 * rules the latter stay untouched. Each turn of the board's loop:
 *
 *     mf_misbehave_run(&s, now_us);           frames that were held back leave
 *     the vehicle's step reads and writes the serial devices
 *     sleep until mf_misbehave_due(&s) at most
 */
#ifndef MF_DRONE_MISBEHAVE_H
#define MF_DRONE_MISBEHAVE_H

#include "drone/framer.h"
#include "drone/misbehave_rule.h"
#include "hal/serial.h"

struct mf_vehicle;

/** Maximum number of rules at a time. */
#define MF_MISBEHAVE_RULES_MAX 32u
/** Maximum number of frames held back at a time, on all connections; more frames pass. */
#define MF_MISBEHAVE_HELD_MAX 64u
/** Largest input of the vehicle from one read of the device: a chunk, the parser's contents, and a
 * frame in a client's name [bytes]. */
#define MF_MISBEHAVE_IN_BYTES (MF_FRAMER_TAKE_CHUNK + MF_PARSER_BYTES + MF_FRAME_MAX)

/** Rule with its counter. */
struct mf_misbehave_rule {
    uint32_t id; /**< unique over the drone's life */
    uint32_t fired;
    struct mf_rule rule;
};

/** Data that a connection needs while there are rules. */
struct mf_misbehave_work {
    struct mf_framer framer;
    /* transfers of missions */
    bool silent;     /**< no more frames of the present transfer leave */
    bool reordering; /**< an item is held back until the next one has left */
    uint16_t count;  /**< number of items of the transfer */
    uint16_t ahead;  /**< number of the item that leaves first */
    uint8_t heard;   /**< sequence number of the client's last frame */
    /* bytes to the vehicle */
    uint16_t at, len;
    uint8_t in[MF_MISBEHAVE_IN_BYTES];
};

/** Frame of the vehicle that is held back. */
struct mf_misbehave_held {
    struct mf_misbehave_link *of;
    mf_us_t due_us;
    uint32_t msgid;
    uint16_t len;
    uint8_t bytes[MF_FRAME_MAX];
};

struct mf_misbehave;

/** Connection. */
struct mf_misbehave_link {
    bool used;
    bool working;    /**< work is in use: there are rules, or one has left something unfinished */
    uint8_t shift;   /**< offset added to the vehicle's sequence numbers */
    uint8_t seq;     /**< sequence number of the vehicle's last frame, as sent */
    uint8_t link_id; /**< link id of the vehicle's last signature */
    uint64_t time;   /**< time of the last signature made here */
    struct mf_misbehave *all;
    struct mf_misbehave_work *work;
    struct mf_serial inner;
};

/** Misbehaviour of all connections of a board. */
struct mf_misbehave {
    struct mf_misbehave_link *links; /**< [count], owned by the board */
    struct mf_misbehave_work *work;  /**< [count], owned by the board */
    uint16_t count;
    uint16_t top; /**< one past the highest used */
    uint8_t sysid, compid;
    const mf_us_t *vehicle_us; /**< points to vehicle time */
    const struct mf_vehicle
        *vehicle;   /**< vehicle whose links are signed; NULL: unsigned. Set it after init */
    uint64_t told;  /**< time of the last signature in a client's name */
    mf_us_t now_us; /**< transport time */
    uint32_t next_id;
    uint16_t rule_count;
    struct mf_misbehave_rule rule[MF_MISBEHAVE_RULES_MAX];
    uint16_t held_count;
    struct mf_misbehave_held held[MF_MISBEHAVE_HELD_MAX]; /**< in order of arrival */
};

/** @brief Begin without rules. @param links, work  [count], of any content
 * @param vehicle_us  vehicle time; must outlive this object */
void mf_misbehave_init(struct mf_misbehave *s, struct mf_misbehave_link *links,
                       struct mf_misbehave_work *work, uint16_t count, uint8_t sysid,
                       uint8_t compid, const mf_us_t *vehicle_us);

/** @brief Add a rule after the others: of two for the same frame the first counts.
 * @return its id, from 1, or MF_E_FULL */
int mf_misbehave_add(struct mf_misbehave *s, const struct mf_rule *rule);

/** @brief End a rule. @return MF_E_OK or MF_E_NOENT */
int mf_misbehave_remove(struct mf_misbehave *s, uint32_t id);

/** @brief True if a rule would fire now: it is within its time, and has not fired often enough. */
bool mf_misbehave_active(const struct mf_misbehave *s, const struct mf_misbehave_rule *r);

/** @brief Wrap a peer's serial device.
 * @param index  number of the peer, free, below count
 * @param serial  copied; its context must live until mf_misbehave_close()
 * @return the device to use in its place */
struct mf_serial mf_misbehave_open(struct mf_misbehave *s, uint16_t index,
                                   const struct mf_serial *serial);

/** @brief Continue the numbers of a peer that had frames before the wrapper. @param seq  sequence
 * number of the last one
 * @param link_id  the vehicle's link id in signatures to that peer */
void mf_misbehave_join(struct mf_misbehave *s, uint16_t index, uint8_t seq, uint8_t link_id);

/** @brief Wrapped serial device, which the caller may exchange for another view of the same
 * peer. */
struct mf_serial *mf_misbehave_inner(struct mf_misbehave *s, uint16_t index);

/** @brief Remove the wrapper of a peer that is gone. Does nothing without a wrapper. */
void mf_misbehave_close(struct mf_misbehave *s, uint16_t index);

/** @brief Advance time: send the frames that are due. */
void mf_misbehave_run(struct mf_misbehave *s, mf_us_t now_us);

/** @brief Next due time without input; MF_NEVER. */
mf_us_t mf_misbehave_due(const struct mf_misbehave *s);

#endif
