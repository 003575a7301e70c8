/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Link quality as users write it: "loss=10%,delay=50ms", "sik57k", "in:loss=5%,out:rate=5760".
 *
 * "in" is the way to the drone, "out" the way from it; a term without either is for both.
 * docs/links.md explains each term; drone/quality.h applies it.
 */
#ifndef MF_HOST_SPEC_QUALITYSPEC_H
#define MF_HOST_SPEC_QUALITYSPEC_H

#include "drone/quality.h"

/** Terms of a way: spelling, field, kind of value, range (percent, seconds, bytes per second). */
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

/** Presets of links: name, terms. docs/links.md has the sources of the numbers. */
#define MF_LINK_PRESET_LIST(X)                                                                 \
    X("sik57k", "loss=1%,burst=0.2%:5,delay=60ms,jitter=40ms,rate=5760")                       \
    X("lte",    "loss=0.1%,burst=0.05%:20,delay=30ms,jitter=30ms,in:rate=3750000,out:rate=1250000") \
    X("satcom", "loss=0.5%,burst=0.1%:10,delay=300ms,jitter=50ms,rate=8000")
/* clang-format on */

/** Longest reason for refusing a specification, with its NUL. */
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

/** @brief Write a quality as a specification, exactly. @param text  out [MF_LINK_SPEC_MAX] */
void mf_link_spec_print(const struct mf_link_quality *quality, char *text);

/** @brief Write the counters: "in: 120 frames, 12 lost; out: 300 frames, 31 lost, 2 duplicated";
 * zeros are omitted. */
void mf_link_counts_text(const struct mf_quality_link *link, char *text, size_t size);

#endif
