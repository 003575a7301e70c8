/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Doors: connections that have come to a listener, until their first words say who they are.
 *
 * A stranger holds a place of the door alone, never one of those behind it: the user of the door
 * gets a connection when its first word is there whole, and decides then. A stranger that says
 * nothing for 2 s is closed; when the door is full, the one that came first gives way. No call
 * waits for a stranger.
 */
#ifndef MF_HAL_POSIX_DOOR_H
#define MF_HAL_POSIX_DOOR_H

#include "hal/types.h"

#include <poll.h>

/** Strangers at a door. */
#define MF_DOOR_STRANGERS_MAX 64u
/** Longest first word [bytes]. */
#define MF_DOOR_WORD_MAX 4096u
/** A first word is whole after this time [us of the monotonic clock]. */
#define MF_DOOR_WORD_US (2 * MF_SECOND_US)
/** Descriptors of a door to wait for. */
#define MF_DOOR_POLL_MAX (MF_DOOR_STRANGERS_MAX + 1u)
/** Length of the queue of a door's listener: strangers that come at once must not fill it. */
#define MF_DOOR_BACKLOG 4096

/** Verdict of a door's user on a stranger whose first word is whole. */
enum mf_door_verdict {
    MF_DOOR_TAKEN, /**< the user owns the connection, or has closed it */
    MF_DOOR_LATER, /**< it stays at the door, and its user sees it again at the next look */
};

struct mf_door_ops {
    /** Length of the first word [bytes], by the @p n of its bytes that have come, at least 1. A
     *  beginning of which there will be no first word has the length @p n: enter() refuses it. */
    size_t (*length)(const uint8_t *bytes, size_t n);
    /** The first word is there, unread. @param fd  does not block, is closed on exec; TCP sends
     *  small frames at once */
    enum mf_door_verdict (*enter)(void *ctx, int fd);
    /** A line for the user about strangers, once a second at most; without its end. */
    void (*say)(void *ctx, const char *text);
};

struct mf_door_stranger {
    int fd;
    bool spoke; /**< a part of its word has come */
    bool late;  /**< it is MF_DOOR_LATER's */
    mf_us_t since_us;
};

/** A door. Users read gone and count; the other fields belong to the implementation. */
struct mf_door {
    int listener; /**< the user's; < 0: the door is shut */
    const struct mf_door_ops *ops;
    void *ctx;
    uint32_t gone; /**< strangers that left without a whole word, or were closed */
    uint32_t count;
    struct mf_door_stranger stranger[MF_DOOR_STRANGERS_MAX]; /**< [count], in order of arrival */
    mf_us_t rest_us; /**< no descriptor was free: the listener is not asked before */
    mf_us_t said_us; /**< of the last line */
    uint32_t unsaid; /**< lines since */
};

/** @brief A door without strangers. @param listener  does not block; stays the caller's */
void mf_door_open(struct mf_door *d, int listener, const struct mf_door_ops *ops, void *ctx);

/** @brief Let in all that have come, hear their words, close those that were silent for too long.
 *  Does not wait. */
void mf_door_look(struct mf_door *d);

/** @brief Descriptors for poll(): with an event of one, or when mf_door_wait_ms() is over, look.
 *  @param all  out [MF_DOOR_POLL_MAX]  @return how many */
nfds_t mf_door_poll(const struct mf_door *d, struct pollfd *all);

/** @brief Time until a caller must look again [ms], at most @p most_ms (-1: any). */
int mf_door_wait_ms(const struct mf_door *d, int most_ms);

/** @brief Has anything happened at the door that a look would see? */
bool mf_door_stirs(const struct mf_door *d);

/** @brief A line about a stranger by ops->say(), unless there was one within the last second; the
 *  next line has the number of those left out. */
void mf_door_say(struct mf_door *d, const char *text);

/** @brief Close all strangers; the listener stays open. A door of zeros may be closed, too. */
void mf_door_close(struct mf_door *d);

#endif
