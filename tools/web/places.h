/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Places of the server's connections: when few are left, the connection on which nothing has been
 * asked for the longest time is ended, so that clients that connect and do not ask keep nobody out.
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

/** One connection. */
struct web_place {
    bool used;
    bool asks;      /**< a request of it is being answered */
    bool ended;     /**< it has been told to go */
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

/** @brief A connection came. @return its place, or NULL: there is none, and it cannot be ended */
struct web_place *web_places_come(struct web_places *p, int fd);

/** @brief Its request is complete and is being answered, or has been. @param place  may be NULL */
void web_places_ask(struct web_places *p, struct web_place *place, bool asks);

/** @brief It is about to be closed. @param place  may be NULL */
void web_places_go(struct web_places *p, struct web_place *place);

#endif
