/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/elevation/places.h"

#include <string.h>
#include <sys/socket.h>

bool elevation_places_init(struct elevation_places *p)
{
    memset(p, 0, sizeof *p);
    return pthread_mutex_init(&p->lock, NULL) == 0;
}

/* @param last  has just come: it has had no time to ask */
static void end_idle(struct elevation_places *p, const struct elevation_place *last)
{
    struct elevation_place *oldest = NULL;
    for (unsigned i = 0; i < ELEVATION_PLACES_MAX; i++) {
        struct elevation_place *place = &p->place[i];
        if (place != last && place->used && !place->asks && !place->ended &&
            (oldest == NULL || place->since < oldest->since)) {
            oldest = place;
        }
    }
    if (oldest != NULL) {
        oldest->ended = true;
        (void)shutdown(oldest->fd, SHUT_RDWR);
    }
}

struct elevation_place *elevation_places_come(struct elevation_places *p, int fd)
{
    struct elevation_place *place = NULL;
    (void)pthread_mutex_lock(&p->lock);
    for (unsigned i = 0; i < ELEVATION_PLACES_MAX && place == NULL; i++) {
        place = p->place[i].used ? NULL : &p->place[i];
    }
    if (place != NULL) {
        *place = (struct elevation_place){.used = true, .fd = fd, .since = ++p->events};
        p->used++;
    }
    if (p->used > ELEVATION_PLACES_MAX - ELEVATION_PLACES_SPARE) {
        end_idle(p, place);
    }
    (void)pthread_mutex_unlock(&p->lock);
    return place;
}

void elevation_places_ask(struct elevation_places *p, struct elevation_place *place, bool asks)
{
    if (place != NULL) {
        (void)pthread_mutex_lock(&p->lock);
        place->asks = asks;
        place->since = ++p->events;
        (void)pthread_mutex_unlock(&p->lock);
    }
}

void elevation_places_go(struct elevation_places *p, struct elevation_place *place)
{
    if (place != NULL) {
        (void)pthread_mutex_lock(&p->lock);
        place->used = false;
        p->used--;
        (void)pthread_mutex_unlock(&p->lock);
    }
}
