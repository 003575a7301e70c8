/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Door: accepts connections of a listener, and holds them until their first message identifies
 * them.
 *
 * An unidentified connection takes one of the door's places, never one of its user's: the user gets
 * a connection when its first message is complete, and then decides. The door closes a connection
 * whose first message is incomplete after 2 s; a full door closes its oldest connection for a new
 * one. No call waits for a connection.
 */
#ifndef MF_HAL_POSIX_DOOR_H
#define MF_HAL_POSIX_DOOR_H

#include "hal/types.h"

#include <poll.h>

/** Maximum number of unidentified connections of a door. */
#define MF_DOOR_PENDING_MAX 64u
/** Longest first message [bytes]. */
#define MF_DOOR_WORD_MAX 4096u
/** Time by which a first message must be complete [us of the monotonic clock]. */
#define MF_DOOR_WORD_US (2 * MF_SECOND_US)
/** Number of descriptors of a door for poll(). */
#define MF_DOOR_POLL_MAX (MF_DOOR_PENDING_MAX + 1u)
/** Length of the listener's queue: connections that arrive at once must not fill it. */
#define MF_DOOR_BACKLOG 4096

/** Decision of a door's user on a connection whose first message is complete. */
enum mf_door_verdict {
    MF_DOOR_TAKEN, /**< the user owns the connection, or has closed it */
    MF_DOOR_LATER, /**< the door keeps the connection, and offers it again at the next look */
};

struct mf_door_ops {
    /** Length of the first message [bytes], from the first @p n of its bytes, at least 1. For bytes
     * that cannot begin a message return @p n: enter() then refuses them. */
    size_t (*length)(const uint8_t *bytes, size_t n);
    /** Take a connection whose first message is complete and unread. @param fd  does not block, is
     * closed on exec; TCP sends small frames at once */
    enum mf_door_verdict (*enter)(void *ctx, int fd);
    /** Print a line about refused connections, at most one per second; @p text lacks a line
     * feed. */
    void (*print)(void *ctx, const char *text);
};

struct mf_door_pending {
    int fd;
    bool has_sent; /**< a part of its first message has arrived */
    bool late;     /**< enter() has returned MF_DOOR_LATER */
    mf_us_t since_us;
};

/** Door. Users may read gone and count; the other fields are private. */
struct mf_door {
    int listener; /**< owned by the user; < 0: the door is closed */
    const struct mf_door_ops *ops;
    void *ctx;
    uint32_t gone; /**< number of connections that ended or were closed before their first message
                      was complete */
    uint32_t count;
    struct mf_door_pending pending[MF_DOOR_PENDING_MAX]; /**< [count], in order of arrival */
    mf_us_t rest_us;    /**< time until which the listener rests, because no descriptor was free */
    mf_us_t printed_us; /**< time of the last line */
    uint32_t unprinted; /**< number of lines left out since then */
};

/** @brief Begin a door without connections. @param listener  does not block; owned by the caller */
void mf_door_open(struct mf_door *d, int listener, const struct mf_door_ops *ops, void *ctx);

/** @brief Accept all new connections, read their first messages, and close those that are too slow.
 * Does not wait. */
void mf_door_look(struct mf_door *d);

/** @brief Descriptors for poll(): call mf_door_look() after an event of one, or when
 * mf_door_wait_ms() is over.
 * @param all  out [MF_DOOR_POLL_MAX]  @return their number */
nfds_t mf_door_poll(const struct mf_door *d, struct pollfd *all);

/** @brief Time until the caller must call mf_door_look() [ms], at most @p most_ms (-1: any). */
int mf_door_wait_ms(const struct mf_door *d, int most_ms);

/** @brief True if mf_door_look() has something to do. */
bool mf_door_stirs(const struct mf_door *d);

/** @brief Print a line about a refused connection by ops->print(), unless one was printed within
 * the last second; the next line has the number of those left out. */
void mf_door_print(struct mf_door *d, const char *text);

/** @brief Close all unidentified connections; the listener stays open. A zeroed door may be closed,
 * too. */
void mf_door_close(struct mf_door *d);

#endif
