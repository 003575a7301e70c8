/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A MAVLink client: a ground station's end of one link to one vehicle.
 *
 * It sends its own HEARTBEAT once a second, hands every message that arrives to an observer, and
 * asks with retries: commands, parameters and (transfer.h) missions. All waiting goes through
 * fly_client_next(), so telemetry is observed and heartbeats leave during every call. Time-outs are
 * wall time; the vehicle's time may run as fast as it likes.
 */
#ifndef MF_TOOLS_FLY_CLIENT_H
#define MF_TOOLS_FLY_CLIENT_H

#include "mavlink/frame.h"
#include "tools/fly/link.h"

/** Identity of this program: the usual one of a ground station. */
#define FLY_SYSID  255u
#define FLY_COMPID 190u

/* Wall time [us]. */
#define FLY_HEARTBEAT_US 1000000
#define FLY_COMMAND_US   1000000  /**< a command without an answer is repeated after this ... */
#define FLY_PROGRESS_US  10000000 /**< time-out after an acknowledgement "in progress" [us] */
#define FLY_TRIES        10       /**< of a command */

/* name, value, text */
#define FLY_ERR_LIST(X)                                              \
    X(OK, 0, "done")                                                 \
    X(LINK, -1, "the connection was closed")                         \
    X(TIMEOUT, -2, "no answer")                                      \
    X(REFUSED, -3, "the vehicle refused")                            \
    X(MISMATCH, -4, "the vehicle stored other items than were sent") \
    X(SPACE, -5, "there is no room here for so many items")          \
    X(LATE, -6, "not done in time (--timeout)")

enum fly_err {
#define X(name, value, text) FLY_E_##name = (value),
    FLY_ERR_LIST(X)
#undef X
};

/** @brief Text of a code, static. */
const char *fly_err_text(int err);

/** A received message, undecoded. */
struct fly_message {
    const struct mf_msg_info *info;
    uint8_t sysid;
    uint8_t compid;
    int64_t order; /**< in which our vehicle sent it: its sequence number, unwrapped */
    union mf_msg m;
};

/** Called for each message that arrives, during any wait; must not call back into the client. */
typedef void (*fly_observer)(void *ctx, const struct fly_message *message);

/** A client: caller-allocated, initialised by fly_client_init(), no heap. */
struct fly_client {
    struct fly_link link;
    fly_observer observe; /**< NULL: no observer */
    void *observer;
    uint8_t target_sysid; /**< system id of the vehicle; 0 until the caller has chosen */
    uint8_t target_compid;
    uint8_t seq;
    int64_t order; /**< of the target's latest frame */
    bool silent;   /**< what the parser holds will not be completed */
    int64_t heartbeat_due_us;
    int64_t bytes_us;   /**< when bytes last came */
    int64_t heard_us;   /**< when the target was last heard */
    int64_t give_up_us; /**< from then on all waiting ends with FLY_E_LATE; 0: never */
    struct mf_parser parser;
    size_t used; /**< of buf, handed to the parser */
    size_t len;
    uint8_t buf[4096];
};

/** @brief Begin. The link stays the caller's. */
void fly_client_init(struct fly_client *c, struct fly_link link, fly_observer observe,
                     void *observer);

/** @brief Wall time of the link [us]. */
int64_t fly_client_now(const struct fly_client *c);

/**
 * @brief Wait for the next message, from any sender.
 * @param deadline_us  wall time to give up at
 * @return 1 with @p out written; 0 at the deadline; FLY_E_LINK; FLY_E_LATE
 */
int fly_client_next(struct fly_client *c, int64_t deadline_us, struct fly_message *out);

/** @brief True if the message is from the vehicle we talk to. */
bool fly_client_is_target(const struct fly_client *c, const struct fly_message *message);

/** @brief Send one message struct. @return FLY_E_OK or FLY_E_LINK */
int fly_client_send(struct fly_client *c, uint32_t id, const void *msg);

/** @brief Send a command and wait for its acknowledgement, with FLY_TRIES tries.
 *  @param command  target and confirmation are filled in
 *  @return its MAV_RESULT (0 is accepted), or FLY_E_TIMEOUT, FLY_E_LINK */
int fly_client_command(struct fly_client *c, const struct mf_msg_command_long *command);

#endif
