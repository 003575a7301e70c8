/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Places of the server's connections: when few are left, the connection on which nothing has been
 * asked for the longest time is ended, so that clients that connect and do not ask keep nobody out.
 *
 * The server's threads share it. A connection is ended by shutdown(): its thread notices and closes it.
 */
#ifndef MF_ELEVATION_PLACES_H
#define MF_ELEVATION_PLACES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define ELEVATION_PLACES_MAX 256u
/** So many are kept free for those that come. */
#define ELEVATION_PLACES_SPARE 16u

/** One connection. */
struct elevation_place {
    bool used;
    bool asks;      /**< a request of it is being answered */
    bool ended;     /**< it has been told to go */
    int fd;         /**< its thread's */
    uint64_t since; /**< the lower, the longer ago it came or asked */
};

struct elevation_places {
    pthread_mutex_t lock;
    uint64_t events;
    unsigned used;
    struct elevation_place place[ELEVATION_PLACES_MAX];
};

/** @brief All are free. @return false: no memory */
bool elevation_places_init(struct elevation_places *p);

/** @brief A connection came. @return its place, or NULL: there is none, and it cannot be ended */
struct elevation_place *elevation_places_come(struct elevation_places *p, int fd);

/** @brief Its request is complete and is being answered, or has been. @param place  may be NULL */
void elevation_places_ask(struct elevation_places *p, struct elevation_place *place, bool asks);

/** @brief It is about to be closed. @param place  may be NULL */
void elevation_places_go(struct elevation_places *p, struct elevation_place *place);

#endif
