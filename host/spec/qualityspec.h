/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How well a link carries what it is given, as users write it: "loss=10%,delay=50ms", "sik57k",
 * "in:loss=5%,out:rate=5760".
 *
 * "in" is the way to the drone, "out" the way from it; a term without either is for both.
 * docs/links.md says what each term does; drone/quality.h does it.
 */
#ifndef MF_HOST_SPEC_QUALITYSPEC_H
#define MF_HOST_SPEC_QUALITYSPEC_H

#include "drone/quality.h"

/** What can be said of a way: how it is spelled, the field, what kind of value, its range (percent,
 * seconds, bytes per second). */
/* clang-format off */
#define MF_LINK_TERM_LIST(X)                            \
    X("loss",      loss,      CHANCE,      0,      100) \
    X("burst",     burst,     BURST,       0,      100) \
    X("delay",     delay_us,  TIME,        0,       60) \
    X("jitter",    jitter_us, TIME,        0,       60) \
    X("rate",      rate_bps,  RATE,      100, 12500000) \
    X("duplicate", duplicate, CHANCE,      0,      100) \
    X("reorder",   reorder,   CHANCE,      0,      100) \
    X("corrupt",   corrupt,   CHANCE,      0,      100) \
    X("silent",    silent,    WINDOW,      0, 31536000)

/** Links that there are: name, terms. docs/links.md says where the numbers come from. */
#define MF_LINK_PRESET_LIST(X)                                                                 \
    X("sik57k", "loss=1%,burst=0.2%:5,delay=60ms,jitter=40ms,rate=5760")                       \
    X("lte",    "loss=0.1%,burst=0.05%:20,delay=30ms,jitter=30ms,in:rate=3750000,out:rate=1250000") \
    X("satcom", "loss=0.5%,burst=0.1%:10,delay=300ms,jitter=50ms,rate=8000")
/* clang-format on */

/** Why a specification was refused, with its NUL. */
#define MF_LINK_REASON_MAX 256u
/** Longest specification, with its NUL. */
#define MF_LINK_SPEC_MAX 1024u

/**
 * @brief Read "none" or TERM[,TERM]...: a preset, NAME=VALUE, or NAME=VALUE for one way with in: or
 *        out: before it; later ones override earlier ones.
 * @param reason  out on error: one line [MF_LINK_REASON_MAX]
 * @return MF_E_OK; MF_E_RANGE with @p quality untouched
 */
int mf_link_spec_parse(const char *text, struct mf_link_quality *quality, char *reason);

/** @brief The same back, exactly. @param text  out [MF_LINK_SPEC_MAX] */
void mf_link_spec_print(const struct mf_link_quality *quality, char *text);

/** @brief "in: 120 frames, 12 lost; out: 300 frames, 31 lost, 2 duplicated"; zeros are left out. */
void mf_link_counts_text(const struct mf_quality_link *link, char *text, size_t size);

#endif
