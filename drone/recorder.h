/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Records a vehicle: stands around its clock, its store, its archive and each of its serial
 * devices, and writes down what passes (record.h). The vehicle does not notice.
 *
 * A board starts it, gives it the settings, and from then on tells it of every call before making
 * it:
 *
 *     mf_recorder_start(&r, ...);  mf_recorder_setting(&r, "home.lat=47.4", 13); ...
 *     mf_recorder_boot(&r, &hal, epoch_utc_us);           mf_vehicle_init(&v, ... hal ...);
 *     serial = mf_recorder_open(&r, n, &serial, ...);     mf_link_open(&v, &serial, ...);
 *     mf_recorder_call(&r, MF_RECORD_STEP, 0);            mf_vehicle_step(&v);
 *     mf_recorder_flush(&r);                              one write per pass
 *
 * A recorder that was never started, all zero, is inert: its calls do nothing, and devices stay as
 * they are. One whose stream takes no more lets everything pass.
 *
 * The stream is only ever appended to, so a process that was killed leaves a file that ends at most
 * in the middle of a record. Nothing is allocated.
 */
#ifndef MF_DRONE_RECORDER_H
#define MF_DRONE_RECORDER_H

#include "drone/record.h"
#include "hal/hal.h"
#include "mavlink/message.h"

struct mf_recorder;

/** Append to a stream. @return false if that failed: recording ends */
typedef bool mf_recorder_write(void *ctx, const uint8_t *bytes, size_t n);

/** One serial device that is listened to. */
struct mf_recorder_link {
    struct mf_recorder *recorder;
    uint16_t number;
    struct mf_serial serial; /**< the device behind */
};

/** What a board hands in, of any content. */
struct mf_recorder_memory {
    struct mf_recorder_link *links; /**< [link_count] */
    uint16_t link_count;
    uint8_t *buffer; /**< [size] what a pass writes leaves in one call, if it fits */
    size_t size;     /**< at least MF_RECORD_MAX */
};

struct mf_recorder {
    mf_recorder_write *write;
    void *ctx;
    struct mf_recorder_memory memory;
    bool running;
    bool failed;         /**< the stream took no more */
    struct mf_hal inner; /**< clock, store and archive: the devices behind */
    size_t len;          /**< of the buffer */
};

/** @brief Begin a stream with its header. @param memory  copied */
void mf_recorder_start(struct mf_recorder *r, mf_recorder_write *write, void *ctx,
                       const struct mf_recorder_memory *memory);

/** @brief One setting; before the boot. @param text  [n] "key=value", at
 * most MF_RECORD_BYTES_MAX */
void mf_recorder_setting(struct mf_recorder *r, const char *text, size_t n);

/** @brief What the store holds, and could hold; before the boot. */
void mf_recorder_store(struct mf_recorder *r, const struct mf_hal *hal);

/** @brief The vehicle is about to be initialised with these devices.
 *  @param hal  in: the true devices; out: clock, store and archive with the recorder around them */
void mf_recorder_boot(struct mf_recorder *r, struct mf_hal *hal, int64_t epoch_utc_us);

/** @brief A link is about to be opened: its number is the board's, below link_count.
 *  @return the serial device to hand to the vehicle */
struct mf_serial mf_recorder_open(struct mf_recorder *r, uint16_t number,
                                  const struct mf_serial *serial, const char *name,
                                  const int32_t *interval_us);

/** @brief The serial device behind an open link, which may be exchanged for another view of the
 * same peer. */
struct mf_serial *mf_recorder_inner(struct mf_recorder *r, uint16_t number);

/** @brief A link is about to be closed. */
void mf_recorder_close(struct mf_recorder *r, uint16_t number);

/** @brief MF_RECORD_STEP, or _JUMP with its time, is about to happen; or _END: nothing
 * more will. */
void mf_recorder_call(struct mf_recorder *r, enum mf_record_type call, mf_us_t at_us);

/** @brief A message is about to be handed to the vehicle as its struct, mf_message().
 *  @param from    its sender
 *  @param msgid   of a message that the table has
 *  @param number  of the link on which it comes, which is open */
void mf_recorder_message(struct mf_recorder *r, uint16_t number, struct mf_address from,
                         uint32_t msgid, const void *msg);

/** @brief Any record, as it is. */
void mf_recorder_put(struct mf_recorder *r, const struct mf_record *record);

/** @brief Hand what is buffered to the stream. */
void mf_recorder_flush(struct mf_recorder *r);

#endif
