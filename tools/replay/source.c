/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/replay/source.h"

#include <errno.h>
#include <string.h>

static size_t read_file(void *ctx, uint8_t *bytes, size_t n)
{
    return fread(bytes, 1, n, ctx);
}

void replay_source_init(struct replay_source *s, const char *name, FILE *file)
{
    memset(s, 0, sizeof *s);
    s->name = name;
    s->file = file;
    s->reader.read = read_file;
    s->reader.ctx = file;
}

/* Update the state that a record sets for the records after it. */
static void follow(struct replay_source *s)
{
    const struct mf_record *r = &s->record;
    if (r->type == MF_RECORD_BOOT) {
        s->begun = true;
        s->epoch_utc_us = r->value[0];
        s->vehicle_us = 0;
        s->transport_us = 0;
    } else if (r->type == MF_RECORD_CLOCK) {
        s->vehicle_us = r->value[0];
        s->transport_us = r->value[1];
    } else if (r->type == MF_RECORD_JUMP) {
        s->vehicle_us = r->value[0];
    } else if (r->type == MF_RECORD_OPEN && r->link < REPLAY_LINKS &&
               r->n >= MF_RECORD_NAME_BYTES) {
        memcpy(s->link[r->link], r->bytes, MF_RECORD_NAME_BYTES);
        s->link[r->link][MF_RECORD_NAME_BYTES - 1] = '\0';
    } else if (r->type == MF_RECORD_END) {
        s->complete = true;
    }
}

bool replay_next(struct replay_source *s)
{
    s->state = mf_recording_next(&s->reader, &s->record);
    if (s->state == MF_RECORDING_RECORD) {
        follow(s);
    }
    return s->state == MF_RECORDING_RECORD;
}

const char *replay_link_name(const struct replay_source *s, uint16_t link)
{
    return link < REPLAY_LINKS ? s->link[link] : "";
}

const char *replay_complaint(const struct replay_source *s)
{
    if (s->state == MF_RECORDING_DAMAGED) {
        return s->reader.error;
    }
    if (!s->begun) {
        return "has no start of a vehicle";
    }
    if (s->state == MF_RECORDING_CUT) {
        return s->reader.error;
    }
    return s->complete ? NULL : "has no end: what wrote it was killed, or still writes";
}

bool replay_complain(const struct replay_source *s)
{
    const char *complaint = replay_complaint(s);
    if (complaint != NULL) {
        (void)fprintf(stderr, "replay: %s: %s\n", s->name, complaint);
    }
    return s->state == MF_RECORDING_DAMAGED || !s->begun;
}

FILE *replay_open(const char *name)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        (void)fprintf(stderr, "replay: %s: %s\n", name, strerror(errno));
    }
    return file;
}

int replay_choose_link(const char *name, int wanted)
{
    static uint64_t bytes[REPLAY_LINKS];
    static struct replay_source s;
    FILE *file = replay_open(name);
    if (file == NULL) {
        return -1;
    }
    memset(bytes, 0, sizeof bytes);
    replay_source_init(&s, name, file);
    while (replay_next(&s)) {
        if (s.record.type == MF_RECORD_IN && s.record.link < REPLAY_LINKS) {
            bytes[s.record.link] += s.record.n;
        }
    }
    (void)fclose(file);
    if (s.state == MF_RECORDING_DAMAGED || !s.begun) {
        (void)replay_complain(&s);
        return -1;
    }
    int best = -1;
    for (int i = 0; i < (int)REPLAY_LINKS; i++) {
        if (s.link[i][0] != '\0' && (best < 0 || bytes[i] > bytes[best])) {
            best = i;
        }
    }
    if (best < 0) {
        (void)fprintf(stderr, "replay: %s: no link was ever open in it\n", name);
    } else if (wanted >= 0 && s.link[wanted][0] == '\0') {
        (void)fprintf(stderr, "replay: %s: link %d was never open in it\n", name, wanted);
        return -1;
    }
    return wanted >= 0 && best >= 0 ? wanted : best;
}

bool replay_is_recording(const char *name)
{
    static struct replay_source s;
    FILE *file = replay_open(name);
    if (file == NULL) {
        return false;
    }
    replay_source_init(&s, name, file);
    (void)replay_next(&s);
    (void)fclose(file);
    if (s.state == MF_RECORDING_DAMAGED) {
        (void)replay_complain(&s);
    }
    return s.state != MF_RECORDING_DAMAGED;
}

bool replay_begins_as_recording(const char *name)
{
    static const char k_magic[] = "MFRC";
    char head[sizeof k_magic - 1] = "";
    FILE *file = fopen(name, "rb");
    const bool is = file != NULL && fread(head, 1, sizeof head, file) == sizeof head &&
                    memcmp(head, k_magic, sizeof head) == 0;
    if (file != NULL) {
        (void)fclose(file);
    }
    return is;
}

bool replay_is_empty(const char *name)
{
    FILE *file = fopen(name, "rb");
    const bool empty = file != NULL && fgetc(file) == EOF;
    if (file != NULL) {
        (void)fclose(file);
    }
    return empty;
}
