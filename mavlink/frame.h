/* SPDX-License-Identifier: Apache-2.0 */
/**
 * MAVLink framing, versions 1 and 2: bytes to frames and back.
 *
 * v1: FE len seq sys comp id payload crc16. v2: FD len incompat compat seq sys comp id(24) payload
 * crc16 [signature 13]. The checksum is CRC-16/MCRF4XX over the header without its first byte, the
 * payload, and the message's CRC_EXTRA.
 *
 * What arrives is untrusted. A parser never reads past its buffer, never loses a good frame that
 * follows garbage, and counts whatever it rejects. It computes at most two checksums, of at most
 * MF_FRAME_MAX bytes, per byte received. Source: MAVLink serialization guide.
 */
#ifndef MF_MAVLINK_FRAME_H
#define MF_MAVLINK_FRAME_H

#include "mavlink/message.h"

#define MF_STX_V1          0xFEu
#define MF_STX_V2          0xFDu
#define MF_INCOMPAT_SIGNED 0x01u
/** Largest frame: v2 header 10, payload 255, checksum 2, signature 13 [bytes]. */
#define MF_FRAME_MAX 280u
/** Size of a parser's buffer: a frame of an unknown message, and one that begins in its last
 * byte. */
#define MF_PARSER_BYTES (2u * MF_FRAME_MAX)
/** Longest pause of a stream within a frame [us]. */
#define MF_PARSER_WAIT_US 1000000
/** Longest wait of a complete frame of an unknown message for the byte after it [us]: 28 bytes at
 * 9600 baud. */
#define MF_PARSER_WAIT_WHOLE_US 30000

/** @brief CRC-16/MCRF4XX of @p n bytes, continued from @p crc (start: 0xFFFF). */
uint16_t mf_crc16(uint16_t crc, const uint8_t *bytes, size_t n);

/** Received frame. Its pointers point into the parser, and are valid until its next call. */
struct mf_frame {
    const struct mf_msg_info *info; /**< NULL: unknown, its checksum could not be verified */
    const uint8_t *payload;
    const uint8_t *raw; /**< the whole frame as received, for forwarding and signatures */
    uint16_t raw_len;
    uint8_t len;     /**< of the payload as received [bytes] */
    uint8_t version; /**< 1 or 2 */
    uint8_t incompat;
    uint8_t seq;
    uint8_t sysid;
    uint8_t compid;
};

/** Counters of rejected input. */
struct mf_parser_stats {
    uint32_t unknown;   /**< frames of message ids that are not in the table */
    uint32_t bad_crc;   /**< checksum did not match */
    uint32_t bad_flags; /**< incompatibility flags other than signing */
    uint32_t skipped;   /**< bytes that belonged to no frame */
};

/** Finds frames in a byte stream. Zero it to initialise; owned by the caller, may be copied and
 * dropped freely. */
struct mf_parser {
    uint8_t buf[MF_PARSER_BYTES];
    uint16_t head;     /**< where the unread bytes begin */
    uint16_t len;      /**< number of unread bytes */
    uint16_t searched; /**< so many of the unread bytes begin no good frame of a known message */
    bool whole;        /**< a whole frame of an unknown message waits for the byte behind it */
    bool keep_unknown; /**< return frames of unknown messages too, for forwarding */
    struct mf_parser_stats stats;
};

/** @brief Are the bytes exactly one good frame of a known message?
 *  @param frame  out, if so: it points to them */
bool mf_frame_read(const uint8_t *bytes, size_t n, struct mf_frame *frame);

/** @brief Hand bytes to the parser.
 * @return how many it took: at least one once mf_parser_next() has returned false. Hand it the rest
 *          when it does so again. */
size_t mf_parser_feed(struct mf_parser *p, const uint8_t *bytes, size_t n);

/**
 * @brief The next whole frame. Which frames are found depends on the bytes alone, not on how they
 *        were cut when fed, and on nothing else until mf_parser_flush().
 *
 * A start byte that begins no frame is skipped, and the search goes on at the byte behind it. A
 * frame of a known message is never searched: what it carries is its own.
 *
 * A frame of an unknown message has no checksum to go by. So the parser looks for the first good
 * frame of a known message that begins inside it; if there is one, the unknown frame was none, and
 * the good one is returned as soon as it is whole. If there is none, the unknown frame is skipped
 * whole (or returned, see keep_unknown) if a start byte follows it, else it is garbage. The parser
 * holds it until the byte behind it has arrived and every known frame that seems to begin inside it
 * is whole, or until mf_parser_flush() says that no more bytes will come.
 *
 * @return false when more bytes are needed
 */
bool mf_parser_next(struct mf_parser *p, struct mf_frame *frame);

/**
 * @brief The sender has fallen silent or the datagram ended: what is buffered stays incomplete.
 *
 * Gives up one begun frame: the first known one inside an unknown one, else the first by skipping
 * its first byte, because a whole frame may hide behind it. An unknown message that lacks only a
 * follower is skipped whole (mf_parser_last() takes it before, if it is wanted). Call it when
 * mf_parser_next() has returned false. To empty the parser:
 *
 *     while (mf_parser_pending(p)) {
 *         mf_parser_flush(p);
 *         while (mf_parser_next(p, &frame)) { ... }
 *     }
 */
void mf_parser_flush(struct mf_parser *p);

/** @brief The sender has fallen silent or the datagram ended, and unknown messages are kept: take
 * the one that lacks only a follower. @return false if there is none */
bool mf_parser_last(struct mf_parser *p, struct mf_frame *frame);

/** @brief True while a begun frame waits for more bytes (after mf_parser_next() returned false). */
static inline bool mf_parser_pending(const struct mf_parser *p)
{
    return p->len > 0;
}

/** @brief Time of silence after which a pending frame will not be completed [us]. */
static inline int64_t mf_parser_wait_us(const struct mf_parser *p)
{
    return p->whole ? MF_PARSER_WAIT_WHOLE_US : MF_PARSER_WAIT_US;
}

/** Sender of frames, and the form in which it sends. */
struct mf_sender {
    uint8_t version; /**< 1 or 2 */
    uint8_t seq;     /**< of this frame; the caller counts, one counter per link */
    uint8_t sysid;
    uint8_t compid;
};

/**
 * @brief Frame a message. v2 truncates trailing zero bytes of the payload (never below one byte);
 * v1 carries neither extension fields nor ids above 255.
 * @param out  at least MF_FRAME_MAX bytes
 * @return length of the frame [bytes]; 0 if version 1 cannot carry the message
 */
size_t mf_frame_encode(const struct mf_sender *from, const struct mf_msg_info *info,
                       const void *msg, uint8_t out[MF_FRAME_MAX]);

#endif
