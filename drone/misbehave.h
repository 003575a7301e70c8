/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Protocol misbehaviour: stands around a serial device, understands the MAVLink frames that pass,
 * and answers, drops, repeats, delays or changes those that its rules are for (misbehave_rule.h).
 * The vehicle does not notice, and only what is between it and its clients is touched: what clients
 * say to each other passes as it is.
 *
 * While there are no rules every byte passes as it is. Otherwise the sequence numbers of the
 * vehicle's frames are counted anew, so that what a rule takes away or adds is no loss to the
 * client's statistics: it is the protocol that misbehaves, not the link (wrap.h).
 *
 * Where the vehicle signs, what is changed or made here is signed with its key, later than what
 * left before it. In clients' names the vehicle is told things under a link id of their own, so
 * that no frame of the client is behind them. Rules do not see frames that the vehicle will not
 * admit.
 *
 * Whether a rule is active is asked in vehicle time; delays pass on transport time, since clients'
 * timeouts do.
 *
 * A board hands in one struct mf_misbehave_link and one struct mf_misbehave_work per peer; of the
 * latter no byte is touched without rules. Each turn of its loop:
 *
 *     mf_misbehave_run(&s, now_us);           what was held back leaves
 *     the vehicle's step reads and writes the serial devices
 *     sleep until mf_misbehave_due(&s) at most
 */
#ifndef MF_DRONE_MISBEHAVE_H
#define MF_DRONE_MISBEHAVE_H

#include "drone/framer.h"
#include "drone/misbehave_rule.h"
#include "hal/serial.h"

struct mf_vehicle;

/** Rules at once. */
#define MF_MISBEHAVE_RULES_MAX 32u
/** Frames that are held back at once, of all connections; more pass. */
#define MF_MISBEHAVE_HELD_MAX 64u
/** What one look at the device can bring for the vehicle, a chunk and what the parser held, and
 * what is told in clients' names meanwhile [bytes]. */
#define MF_MISBEHAVE_IN_BYTES (MF_FRAMER_TAKE_CHUNK + MF_PARSER_BYTES + MF_FRAME_MAX)

/** A rule and what became of it. */
struct mf_misbehave_rule {
    uint32_t id; /**< never given twice */
    uint32_t fired;
    struct mf_rule rule;
};

/** What a connection needs while there are rules. */
struct mf_misbehave_work {
    struct mf_framer framer;
    /* missions */
    bool silent;     /**< of the transfer that was going on nothing comes any more */
    bool reordering; /**< an item is held back until the one behind it has left */
    uint16_t count;  /**< items of the transfer */
    uint16_t ahead;  /**< the item that leaves first */
    uint8_t heard;   /**< sequence number of the client's last frame */
    /* bytes to the vehicle */
    uint16_t at, len;
    uint8_t in[MF_MISBEHAVE_IN_BYTES];
};

/** A frame of the vehicle's that is held back. */
struct mf_misbehave_held {
    struct mf_misbehave_link *of;
    mf_us_t due_us;
    uint32_t msgid;
    uint16_t len;
    uint8_t bytes[MF_FRAME_MAX];
};

struct mf_misbehave;

/** One connection. */
struct mf_misbehave_link {
    bool used;
    bool working;    /**< work is in use: there are rules, or something is not over yet */
    uint8_t shift;   /**< added to the vehicle's sequence numbers */
    uint8_t seq;     /**< of the vehicle's last frame, as it was sent */
    uint8_t link_id; /**< of its signature, if it had one */
    uint64_t time;   /**< of the last signature made here */
    struct mf_misbehave *all;
    struct mf_misbehave_work *work;
    struct mf_serial inner;
};

/** All of a board. */
struct mf_misbehave {
    struct mf_misbehave_link *links; /**< [count], the board's */
    struct mf_misbehave_work *work;  /**< [count], the board's */
    uint16_t count;
    uint16_t top; /**< one past the highest used */
    uint8_t sysid, compid;
    const mf_us_t *vehicle_us; /**< vehicle time */
    const struct mf_vehicle
        *vehicle;   /**< whose links are signed; NULL: nothing is. Set it after init */
    uint64_t told;  /**< time of the last signature in a client's name */
    mf_us_t now_us; /**< transport time */
    uint32_t next_id;
    uint16_t rule_count;
    struct mf_misbehave_rule rule[MF_MISBEHAVE_RULES_MAX];
    uint16_t held_count;
    struct mf_misbehave_held held[MF_MISBEHAVE_HELD_MAX]; /**< in order of arrival */
};

/** @brief No rules. @param links, work  [count], of any content @param vehicle_us  where the
 * vehicle's time stands, as long as this lives */
void mf_misbehave_init(struct mf_misbehave *s, struct mf_misbehave_link *links,
                       struct mf_misbehave_work *work, uint16_t count, uint8_t sysid,
                       uint8_t compid, const mf_us_t *vehicle_us);

/** @brief One more rule, behind the others: of two for the same frame the first counts.
 *  @return its id, from 1, or MF_E_FULL */
int mf_misbehave_add(struct mf_misbehave *s, const struct mf_rule *rule);

/** @brief A rule ends. @return MF_E_OK or MF_E_NOENT */
int mf_misbehave_remove(struct mf_misbehave *s, uint32_t id);

/** @brief Would a rule fire now? It is time, and it has not fired often enough. */
bool mf_misbehave_active(const struct mf_misbehave *s, const struct mf_misbehave_rule *r);

/** @brief Stand around a peer's serial device.
 *  @param index   the peer's number, free, below count
 *  @param serial  copied; its context must live until mf_misbehave_close()
 *  @return what to hand on in its place */
struct mf_serial mf_misbehave_open(struct mf_misbehave *s, uint16_t index,
                                   const struct mf_serial *serial);

/** @brief The peer was there before, and frames went to it. @param seq  number of the last one
 *  @param link_id  with which the vehicle signs there */
void mf_misbehave_join(struct mf_misbehave *s, uint16_t index, uint8_t seq, uint8_t link_id);

/** @brief The serial device that it stands around, which may be exchanged for another view of the
 * same peer. */
struct mf_serial *mf_misbehave_inner(struct mf_misbehave *s, uint16_t index);

/** @brief The peer is gone. Does nothing if it was not opened. */
void mf_misbehave_close(struct mf_misbehave *s, uint16_t index);

/** @brief Time has passed: what was held back goes to the devices. */
void mf_misbehave_run(struct mf_misbehave *s, mf_us_t now_us);

/** @brief When something happens next without anybody's doing; MF_NEVER. */
mf_us_t mf_misbehave_due(const struct mf_misbehave *s);

#endif
