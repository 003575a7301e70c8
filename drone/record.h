/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Form of a recording: all inputs and outputs of a vehicle, in order. docs/recording.md is the
 * specification; recorder.h writes recordings, host/record/recording.h reads them.
 *
 * A header of 8 bytes, then records: type (1 byte), length of the payload (2), payload, CRC-16 over
 * all of these (2). The payload has the fields of the table, in this order: the number of a link
 * (2), values (8 each, two's complement), bytes (the rest). Everything is little-endian.
 */
#ifndef MF_DRONE_RECORD_H
#define MF_DRONE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MF_RECORDING_VERSION      1u
#define MF_RECORDING_HEADER_BYTES 8u
/** The header begins with these four bytes; version (2) and zeros (2) follow. */
#define MF_RECORDING_MAGIC "MFRC"
/** Bytes of one record without its payload. */
#define MF_RECORD_FRAME_BYTES 5u
/** Type and length, before the payload; the checksum, after it, and its initial value. */
#define MF_RECORD_HEAD_BYTES 3u
#define MF_RECORD_CRC_BYTES  2u
#define MF_RECORD_CRC_START  0xFFFFu
/** Sizes in a payload: the number of a link, and a value. */
#define MF_RECORD_LINK_BYTES  2u
#define MF_RECORD_VALUE_BYTES 8u
#define MF_RECORD_VALUES_MAX  3u
/** Largest payload: an IN of 512, and an OPEN of all streams [bytes]. */
#define MF_RECORD_PAYLOAD_MAX 1024u
#define MF_RECORD_MAX         (MF_RECORD_FRAME_BYTES + MF_RECORD_PAYLOAD_MAX)
/** Most bytes of a record with a link and all values. */
#define MF_RECORD_BYTES_MAX (MF_RECORD_PAYLOAD_MAX - 2u - 8u * MF_RECORD_VALUES_MAX)
/** Name of a link in OPEN, padded with NUL; after it come pairs: message (4), interval in us
 * (4). */
#define MF_RECORD_NAME_BYTES 48u

/**
 * Name, number, has a link, values, has bytes, kind. Kinds: START precedes the vehicle; a CALL is a
 * call of the vehicle; INPUT and OUTPUT happen inside the call before them.
 *
 * SETTING  bytes: "key=value"
 * STORED   area, index; bytes: a record that the store held
 * HELD     area, count, tag: these records were the active ones
 * BOOT     UTC at vehicle time 0 [us since 1970]; the clocks restart, all links are closed
 * CLOCK    vehicle time, transport time: reading of the clock
 * STEP     mf_vehicle_step()
 * OPEN     link, sum of enum mf_record_open; bytes: name, pairs; mf_link_open()
 * CLOSE    link; mf_link_close()
 * JUMP     vehicle time; mf_vehicle_jump_to()
 * IN       link; bytes that the vehicle read
 * OUT      link; bytes: a frame that the vehicle wrote
 * REFUSED  link, length of the frame, result: a write that the device refused
 * ROOM     link, bytes: result when the vehicle queried the device's room
 * SAVED    area, result: the store's result of a commit
 * END      the recording is complete
 * FAULT    enum mf_record_fault, whether it has values; bytes: the fault as in configuration;
 *          mf_post_fault(), mf_post_plan(), mf_post_unplan()
 * MESSAGE  link; bytes: frame of a message that was handed over as its struct, mf_message()
 * ARCHIVE  call, result; bytes: answer of the archive of flight logs
 */
/* clang-format off */
#define MF_RECORD_LIST(X)               \
    X(SETTING, 1, 0, 0, 1, START)       \
    X(STORED, 2, 0, 2, 1, START)        \
    X(HELD, 3, 0, 3, 0, START)          \
    X(BOOT, 4, 0, 1, 0, CALL)           \
    X(CLOCK, 5, 0, 2, 0, INPUT)         \
    X(STEP, 6, 0, 0, 0, CALL)           \
    X(OPEN, 7, 1, 1, 1, CALL)           \
    X(CLOSE, 8, 1, 0, 0, CALL)          \
    X(JUMP, 9, 0, 1, 0, CALL)           \
    X(IN, 10, 1, 0, 1, INPUT)           \
    X(OUT, 11, 1, 0, 1, OUTPUT)         \
    X(REFUSED, 12, 1, 2, 0, INPUT)      \
    X(ROOM, 13, 1, 1, 0, INPUT)         \
    X(SAVED, 14, 0, 2, 0, INPUT)        \
    X(END, 15, 0, 0, 0, CALL)           \
    X(ARCHIVE, 16, 0, 2, 1, INPUT)      \
    X(FAULT, 17, 0, 2, 1, CALL)          \
    X(MESSAGE, 18, 1, 0, 1, CALL)
/* clang-format on */

enum mf_record_type {
#define X(name, number, link, values, bytes, kind) MF_RECORD_##name = (number),
    MF_RECORD_LIST(X)
#undef X
};

/** Properties of a serial device in an OPEN. */
enum mf_record_open { MF_RECORD_DATAGRAM = 1, MF_RECORD_ISOLATED = 2, MF_RECORD_USB = 4 };

/** Calls of an ARCHIVE: count; info, whose bytes are UTC (8) and size (4); read; begin; erase;
 * room, whose bytes are total and free (8 each). */
enum mf_record_archive {
    MF_RECORD_ARCHIVE_COUNT,
    MF_RECORD_ARCHIVE_INFO,
    MF_RECORD_ARCHIVE_READ,
    MF_RECORD_ARCHIVE_BEGIN,
    MF_RECORD_ARCHIVE_ERASE,
    MF_RECORD_ARCHIVE_ROOM
};
#define MF_RECORD_INFO_BYTES 12u
#define MF_RECORD_ROOM_BYTES 16u

/** Requests of a FAULT. */
enum mf_record_fault {
    MF_RECORD_FAULT_OFF,
    MF_RECORD_FAULT_ON,
    MF_RECORD_FAULT_PLAN,     /**< schedule the fault */
    MF_RECORD_FAULT_PLAN_NOW, /**< schedule the fault, at once */
    MF_RECORD_FAULT_UNPLAN    /**< end the fault, and all its schedules */
};

enum mf_record_kind { MF_RECORD_START, MF_RECORD_CALL, MF_RECORD_INPUT, MF_RECORD_OUTPUT };

/** Row of the table. */
struct mf_record_info {
    const char *name;
    uint8_t type;
    uint8_t values;
    bool has_link;
    bool has_bytes;
    enum mf_record_kind kind;
};

struct mf_record {
    enum mf_record_type type;
    uint16_t link;
    int64_t value[MF_RECORD_VALUES_MAX];
    const uint8_t *bytes; /**< when read: valid until the next record is read */
    size_t n;             /**< at most MF_RECORD_BYTES_MAX */
};

/** @brief Row of a type. @return static; NULL: unknown type */
const struct mf_record_info *mf_record_info(unsigned type);

/** @brief Write the header. @param out  [MF_RECORDING_HEADER_BYTES] */
void mf_recording_header(uint8_t *out);

/** @brief Encode a record. @param out  [MF_RECORD_MAX] @return its length [bytes] */
size_t mf_record_encode(const struct mf_record *record, uint8_t *out);

/** @brief Bytes of a record's link and values, before its bytes. */
size_t mf_record_fixed_bytes(const struct mf_record_info *info);

/** @brief Write or read little-endian numbers of @p n bytes, 1 .. 8. */
void mf_record_put(uint8_t *at, uint64_t value, size_t n);
uint64_t mf_record_get(const uint8_t *at, size_t n);

#endif
