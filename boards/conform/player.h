/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Player of records: repeats the recorded calls to a drone, with their times and bytes, and records
 * the results. All input of the vehicle comes from the source, so an equal vehicle gives an equal
 * recording.
 */
#ifndef MF_BOARDS_CONFORM_PLAYER_H
#define MF_BOARDS_CONFORM_PLAYER_H

#include "boards/conform/drone.h"
#include "host/record/recording.h"

/** Maximum number of bytes that wait on a link for the next step. */
#ifndef PLAYER_INBOX_BYTES
#define PLAYER_INBOX_BYTES 2048u
#endif
#define PLAYER_ERROR_MAX 400u

/** The other end of a link. */
struct player_port {
    struct player *player;
    uint16_t number;
    bool open;
    int32_t interval_us[MF_STREAM_COUNT];
    char name[MF_RECORD_NAME_BYTES];
    size_t waiting;
    uint8_t inbox[PLAYER_INBOX_BYTES];
};

/** Observers of a player; all may be NULL. They change nothing. */
struct player_watch {
    void (*boot)(void *ctx, int64_t epoch_utc_us);
    void (*before)(void *ctx, mf_us_t to_us); /**< vehicle time is about to pass */
    void (*after)(void *ctx);                 /**< a pass has ended, or something was done */
};

struct player {
    struct player_watch watch;
    const struct mf_log_ops *log; /**< log of the vehicle; NULL: without an observer */
    void *watch_ctx;              /**< of both */
    /** Everything that leaves, in order; may be NULL. */
    void (*sent)(void *ctx, uint16_t link, const uint8_t *bytes, size_t n);
    void *sent_ctx;
    struct mf_recording_reader *source; /**< NULL: a script makes the calls */
    struct mf_record next;              /**< of the source, not used yet */
    bool has_next;
    enum mf_recording_state state; /**< of the source */
    bool booted;
    struct mf_now now;   /**< what the clock says */
    struct mf_wake wake; /**< what the last step returned */
    char error[PLAYER_ERROR_MAX];
    struct mf_recorder *recorder; /**< the drone's */
    struct player_port port[DRONE_LINKS];
    struct drone drone;
};

/** @brief A drone that was never started. The memory is zeroed by the caller.
 *  @param write  where the new recording goes */
void player_init(struct player *p, mf_recorder_write *write, void *ctx);

/** @brief Play a recording from its beginning to its end.
 *  @return MF_E_OK, also if it was cut short; or an error with p->error set */
int player_run(struct player *p, struct mf_recording_reader *source);

/* Functions for scripts, which play step by step. All return MF_E_OK or an error with p->error
 * set. */

int player_set(struct player *p, const char *text, size_t n);
int player_boot(struct player *p, int64_t epoch_utc_us);
int player_open(struct player *p, uint16_t link, unsigned device_is, const char *name,
                const int32_t *interval_us);
int player_close(struct player *p, uint16_t link);
int player_step(struct player *p);
int player_jump(struct player *p, mf_us_t at_us);
/** Bytes that the next step finds on a link. */
int player_feed(struct player *p, uint16_t link, const uint8_t *bytes, size_t n);
/** A message is handed over as its struct, mf_message(). @return MF_E_OK, also where nothing
 * handles it */
int player_message(struct player *p, uint16_t link, struct mf_address from, uint32_t msgid,
                   const void *msg);
/** Nothing more will come. */
void player_end(struct player *p);

#endif
