/* SPDX-License-Identifier: Apache-2.0 */
/* Builds pictures of a run for the live page, and writes them to the file of outputs.pictures. The
 * files page_*.c write their frames. */
#include "boards/swarm/output/pictures.h"

#include <stdlib.h>
#include <string.h>

struct swarm_pictures {
    FILE *file;
    swarm_picture_fn *add_frames;
    mf_us_t period_us, due_us;
    struct swarm_picture picture;
};

static struct swarm_pictures *pictures_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_PICTURES];
}

/* ---- a picture */

struct mf_bus_writer *swarm_picture_frame(struct swarm *w, enum mf_bus_type type)
{
    struct swarm_picture *p = swarm_picture_of(w);
    mf_bus_begin(&p->writer, type, p->number, (uint64_t)p->at_us * 1000u);
    return &p->writer;
}

void swarm_picture_add(struct swarm *w)
{
    struct swarm_picture *p = swarm_picture_of(w);
    mf_bus_end(&p->writer);
    if (p->writer.n > p->room - p->n) {
        const size_t room = p->room + MF_BUS_FRAME_MAX + p->room / 2u;
        uint8_t *more = realloc(p->bytes, room);
        if (more == NULL) {
            return; /* out of memory: the picture lacks a frame */
        }
        p->bytes = more;
        p->room = room;
    }
    memcpy(p->bytes + p->n, p->writer.bytes, p->writer.n);
    p->n += p->writer.n;
}

void swarm_picture_take(struct swarm *w, struct swarm_picture *p, mf_us_t at_us,
                        swarm_picture_fn *add_frames)
{
    p->at_us = at_us;
    w->state[SWARM_SLOT_PICTURE] = p;
    add_frames(w, p->number == 0);
    w->state[SWARM_SLOT_PICTURE] = NULL;
    p->number++;
}

/* ---- the file */

int swarm_pictures_open(struct swarm *w, swarm_picture_fn *add_frames)
{
    const struct mf_scenario_output *o = &w->scenario->outputs.pictures;
    if (o->file[0] == '\0') {
        return SWARM_OK;
    }
    struct swarm_pictures *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return swarm_refuse(w, o->line, "outputs.pictures: no memory");
    }
    p->add_frames = add_frames;
    p->file = swarm_open(w, o, 0);
    p->period_us = mf_us_of(o->every_s);
    w->state[SWARM_SLOT_PICTURES] = p;
    swarm_receptions_watch(w);
    return p->file != NULL ? SWARM_OK : SWARM_INPUT;
}

void swarm_pictures_write_due(struct swarm *w, mf_us_t at_us)
{
    struct swarm_pictures *p = pictures_of(w);
    if (p == NULL || at_us < p->due_us) {
        return;
    }
    p->due_us = (at_us / p->period_us + 1) * p->period_us;
    p->picture.n = 0;
    swarm_picture_take(w, &p->picture, at_us, p->add_frames);
    (void)fwrite(p->picture.bytes, 1, p->picture.n, p->file); /* swarm_close() notices a failed
                                                               * write */
}

static bool close_pictures_file(struct swarm *w)
{
    struct swarm_pictures *p = pictures_of(w);
    if (p == NULL) {
        return true;
    }
    const bool good = swarm_close(w, p->file);
    free(p->picture.bytes);
    free(p);
    w->state[SWARM_SLOT_PICTURES] = NULL;
    return good;
}

static void close_pictures(struct swarm *w, int code)
{
    (void)code;
    (void)close_pictures_file(w);
}

const struct swarm_system swarm_pictures_system = {
    .name = "pictures",
    .record = swarm_pictures_write_due,
    .complete = close_pictures_file,
    .close = close_pictures,
};
