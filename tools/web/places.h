/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Places of the server's connections. When few are left, the connection that has been without a
 * request for the longest time is ended, so that idle clients do not block others.
 *
 * The server's threads share it. A connection is ended by shutdown(): its thread notices and
 * closes it.
 */
#ifndef MF_WEB_PLACES_H
#define MF_WEB_PLACES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/** Number of places, unless the server's owner sets one. */
#define WEB_PLACES_DEFAULT 256u
/** Each sixteenth place is kept free for new connections. */
#define WEB_PLACES_SPARE 16u

/** A connection. */
struct web_place {
    bool used;
    bool asks;      /**< a request of it is being answered */
    bool ended;     /**< the server has shut it down */
    int fd;         /**< its thread's */
    uint64_t since; /**< the lower, the longer ago it came or asked */
};

struct web_places {
    pthread_mutex_t lock;
    uint64_t events;
    unsigned used, count;
    struct web_place *place; /**< [count] */
};

/** @brief All are free. @param count  16 or more  @return false: no memory */
bool web_places_init(struct web_places *p, unsigned count);

void web_places_free(struct web_places *p);

/** @brief Add a connection. @return its place, or NULL: all places are in use by requests */
struct web_place *web_places_come(struct web_places *p, int fd);

/** @brief Set whether a request of the connection is being answered. @param place  may be NULL */
void web_places_ask(struct web_places *p, struct web_place *place, bool asks);

/** @brief Remove a connection before closing it. @param place  may be NULL */
void web_places_go(struct web_places *p, struct web_place *place);

#endif
