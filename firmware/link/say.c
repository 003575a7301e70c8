/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/link/say.h"

#include "firmware/core/log_record.h"
#include "firmware/link/link.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"

#include <string.h>

#define CHUNK sizeof(((struct mf_msg_statustext *)0)->text)

void mf_gcs_seen(struct mf_link *link, mf_us_t now_us)
{
    link->gcs_us = now_us;
}

bool mf_gcs_present(const struct mf_link *link, mf_us_t now_us)
{
    return link->gcs_us != MF_NEVER && now_us - link->gcs_us <= MF_GCS_PRESENT_US;
}

/* PX4 sends texts only where a ground station is; scripts without HEARTBEAT would see none, so by
 * default every link has them. */
static bool may_have_texts(const struct mf_vehicle *v, const struct mf_link *link)
{
    if (!v->options.statustext_gcs_only && !v->options.px4_strict) {
        return true;
    }
    return mf_gcs_present(link, v->now.transport_us);
}

/* Keep a text for later readers, cut at its limit. */
static void keep_text(struct mf_vehicle *v, enum mf_severity severity, const char *text)
{
    if (v->journal == NULL) {
        return;
    }
    struct mf_texts_said *said = &v->journal->texts;
    const size_t i = said->count++ % MF_TEXTS_KEPT;
    char *s = said->last[i].s;
    said->last[i].t_us = v->instant_us;
    said->last[i].severity = (uint8_t)severity;
    for (size_t n = MF_TEXT_KEPT_CHARS - 1u; n > 0 && *text != '\0'; n--) {
        *s++ = *text++;
    }
    *s = '\0';
}

/* PX4 ends a text with a tab if an EVENT says the same: all of ours but those of its preflight
 * checks, and of calibrations. */
static bool has_tab(const struct mf_vehicle *v, const char *text)
{
    return v->options.px4_strict && text[0] != '[' && strncmp(text, "Preflight", 9) != 0;
}

/* A text of more than 50 characters goes in chunks of one id, which a client puts together; one
 * that fills its last chunk exactly is followed by an empty one, since only a NUL ends it (MAVLink,
 * STATUSTEXT.id). */
void mf_say(struct mf_vehicle *v, enum mf_severity severity, const char *text)
{
    MF_ASSERT(text != NULL && (unsigned)severity <= MF_DEBUG);
    const size_t plain = strlen(text);
    const size_t len = plain + (has_tab(v, text) ? 1 : 0);
    struct mf_msg_statustext m = {.severity = (uint8_t)severity};
    if (len > CHUNK) {
        v->text_id =
            (uint16_t)(v->text_id == UINT16_MAX ? 1 : v->text_id + 1); /* 0 is: not in chunks */
        m.id = v->text_id;
    }
    const size_t end = len > CHUNK ? len + 1 : len; /* of chunks, the last one ends with a NUL */
    for (size_t at = 0; at == 0 || at < end; at += CHUNK) {
        const size_t n = len - at < CHUNK ? len - at : CHUNK;
        memset(m.text, 0, sizeof m.text);
        for (size_t k = 0; k < n; k++) {
            m.text[k] = at + k < plain ? text[at + k] : '\t';
        }
        for (uint16_t i = 0; i < v->links_top; i++) {
            if (v->links[i].open && may_have_texts(v, &v->links[i])) {
                (void)mf_link_send(v, &v->links[i], MF_MSG_STATUSTEXT, &m);
            }
        }
        m.chunk_seq++;
    }
    keep_text(v, severity, text);
    mf_log_event(&v->hal, v->instant_us, severity, "text", text);
    mf_log_text(v, severity, text);
}
