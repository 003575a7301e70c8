/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/web/places.h"

#include <stdlib.h>
#include <sys/socket.h>

bool web_places_init(struct web_places *p, unsigned count)
{
    *p = (struct web_places){.count = count, .place = calloc(count, sizeof *p->place)};
    return p->place != NULL && pthread_mutex_init(&p->lock, NULL) == 0;
}

void web_places_free(struct web_places *p)
{
    if (p->place != NULL) {
        (void)pthread_mutex_destroy(&p->lock);
        free(p->place);
    }
}

/* @param last  has just come: it has had no time to ask */
static void end_idle(struct web_places *p, const struct web_place *last)
{
    struct web_place *oldest = NULL;
    for (unsigned i = 0; i < p->count; i++) {
        struct web_place *place = &p->place[i];
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

struct web_place *web_places_come(struct web_places *p, int fd)
{
    struct web_place *place = NULL;
    (void)pthread_mutex_lock(&p->lock);
    for (unsigned i = 0; i < p->count && place == NULL; i++) {
        place = p->place[i].used ? NULL : &p->place[i];
    }
    if (place != NULL) {
        *place = (struct web_place){.used = true, .fd = fd, .since = ++p->events};
        p->used++;
    }
    if (p->used > p->count - p->count / WEB_PLACES_SPARE) {
        end_idle(p, place);
    }
    (void)pthread_mutex_unlock(&p->lock);
    return place;
}

void web_places_ask(struct web_places *p, struct web_place *place, bool asks)
{
    if (place != NULL) {
        (void)pthread_mutex_lock(&p->lock);
        place->asks = asks;
        place->since = ++p->events;
        (void)pthread_mutex_unlock(&p->lock);
    }
}

void web_places_go(struct web_places *p, struct web_place *place)
{
    if (place != NULL) {
        (void)pthread_mutex_lock(&p->lock);
        place->used = false;
        p->used--;
        (void)pthread_mutex_unlock(&p->lock);
    }
}
