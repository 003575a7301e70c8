/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How well a link carries what it is given, as users write it: "loss=10%,delay=50ms", "sik57k",
 * "in:loss=5%,out:rate=5760".
 *
 * "in" is the way to the drone, "out" the way from it; a term without either is for both.
 * docs/links.md says what each term does; host/shaper.h does it.
 */
#ifndef MF_HOST_LINKSPEC_H
#define MF_HOST_LINKSPEC_H

#include "hal/types.h"

/** The two ways of a link. */
enum mf_link_way { MF_WAY_IN, MF_WAY_OUT, MF_WAY_COUNT };

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

/** Frames that are lost together: a chain of two states (Gilbert, Elliott). */
struct mf_burst {
    double percent; /**< of the frames outside of one begin a burst; 0: there are none */
    double frames;  /**< mean length, >= 1 */
    double loss;    /**< within one [percent] */
};

/** A time of its own, on transport time since the quality began. */
struct mf_window {
    mf_us_t from_us; /**< MF_NEVER: there is none */
    mf_us_t for_us;  /**< MF_NEVER: for ever */
};

/** One way. All zero, and silent.from_us MF_NEVER, is a perfect one. */
struct mf_way_quality {
    double loss; /**< [percent of frames], as all chances here */
    struct mf_burst burst;
    mf_us_t delay_us;
    mf_us_t jitter_us; /**< at most so much more, evenly distributed; frames stay in order */
    uint32_t rate_bps; /**< bytes per second; 0: no limit */
    double duplicate;
    double reorder; /**< arrive behind the next frame */
    double corrupt; /**< arrive with one bit turned over */
    struct mf_window silent;
};

struct mf_link_quality {
    bool shaped; /**< false: perfect both ways, nothing stands in between */
    struct mf_way_quality way[MF_WAY_COUNT];
    struct mf_window disconnect; /**< the connection is closed, and none taken */
    mf_us_t since_us;            /**< it began, transport time since the drone's start */
};

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

#endif
