/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Recorder of a vehicle: wraps its clock, its store, its archive and each of its serial devices,
 * and writes down what passes (record.h). The vehicle does not notice.
 *
 * A board starts it, passes the settings, and from then on announces every call before it makes it:
 *
 *     mf_recorder_start(&r, ...);  mf_recorder_setting(&r, "home.lat=47.4", 13); ...
 *     mf_recorder_boot(&r, &hal, epoch_utc_us);           mf_vehicle_init(&v, ... hal ...);
 *     serial = mf_recorder_open(&r, n, &serial, ...);     mf_link_open(&v, &serial, ...);
 *     mf_recorder_call(&r, MF_RECORD_STEP, 0);            mf_vehicle_step(&v);
 *     mf_recorder_flush(&r);                              one write per pass
 *
 * A recorder that was never started, all zero, is inert: its calls do nothing, and devices stay as
 * they are. After its stream has failed, a recorder lets everything pass.
 *
 * The stream is only ever appended to, so a killed process leaves a file that ends at most in the
 * middle of a record. The recorder allocates nothing.
 */
#ifndef MF_DRONE_RECORDER_H
#define MF_DRONE_RECORDER_H

#include "drone/record.h"
#include "hal/hal.h"
#include "mavlink/message.h"

struct mf_recorder;

/** Append to a stream. @return false: failed, and the recording ends */
typedef bool mf_recorder_write(void *ctx, const uint8_t *bytes, size_t n);

/** Serial device that is recorded. */
struct mf_recorder_link {
    struct mf_recorder *recorder;
    uint16_t number;
    struct mf_serial serial; /**< the wrapped device */
};

/** Memory of a board, of any content. */
struct mf_recorder_memory {
    struct mf_recorder_link *links; /**< [link_count] */
    uint16_t link_count;
    uint8_t
        *buffer; /**< [size] buffer, so that the bytes of a pass leave in one call, if they fit */
    size_t size; /**< at least MF_RECORD_MAX */
};

struct mf_recorder {
    mf_recorder_write *write;
    void *ctx;
    struct mf_recorder_memory memory;
    bool running;
    bool failed;         /**< the stream has failed */
    struct mf_hal inner; /**< wrapped clock, store and archive */
    size_t len;          /**< bytes in the buffer */
};

/** @brief Begin a stream with its header. @param memory  copied */
void mf_recorder_start(struct mf_recorder *r, mf_recorder_write *write, void *ctx,
                       const struct mf_recorder_memory *memory);

/** @brief Record a setting; before the boot. @param text  [n] "key=value", at most
 * MF_RECORD_BYTES_MAX */
void mf_recorder_setting(struct mf_recorder *r, const char *text, size_t n);

/** @brief Record the contents and the capacity of the store; before the boot. */
void mf_recorder_store(struct mf_recorder *r, const struct mf_hal *hal);

/** @brief Record a boot, before the vehicle is initialised with these devices.
 * @param hal  in: the true devices; out: clock, store and archive are wrapped */
void mf_recorder_boot(struct mf_recorder *r, struct mf_hal *hal, int64_t epoch_utc_us);

/** @brief Record that a link opens, before the call: its number is the board's, below link_count.
 * @return the serial device for the vehicle */
struct mf_serial mf_recorder_open(struct mf_recorder *r, uint16_t number,
                                  const struct mf_serial *serial, const char *name,
                                  const int32_t *interval_us);

/** @brief Wrapped serial device of an open link, which the caller may exchange for another view of
 * the same peer. */
struct mf_serial *mf_recorder_inner(struct mf_recorder *r, uint16_t number);

/** @brief Record that a link closes, before the call. */
void mf_recorder_close(struct mf_recorder *r, uint16_t number);

/** @brief Record MF_RECORD_STEP, or _JUMP with its time, before the call; or _END after the last
 * one. */
void mf_recorder_call(struct mf_recorder *r, enum mf_record_type call, mf_us_t at_us);

/** @brief Record a message, before it is handed to the vehicle as its struct, mf_message().
 * @param from  its sender
 * @param msgid  a message of the table
 * @param number  number of its link, which is open */
void mf_recorder_message(struct mf_recorder *r, uint16_t number, struct mf_address from,
                         uint32_t msgid, const void *msg);

/** @brief Record any record, as it is. */
void mf_recorder_put(struct mf_recorder *r, const struct mf_record *record);

/** @brief Write the buffered bytes to the stream. */
void mf_recorder_flush(struct mf_recorder *r);

#endif
