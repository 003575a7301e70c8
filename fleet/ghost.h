/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A ghost: somebody whose state comes from outside, by messages that are late, wrong or missing.
 *
 * Its track is extrapolated between samples, then held, then lost. A sample that nobody can have
 * reached is refused and counted. When samples come again after the loss, the first one is
 * believed wherever it is: the ghost is back, and goes on.
 *
 * Times are given; nothing here knows a socket. What arrives is untrusted.
 */
#ifndef MF_FLEET_GHOST_H
#define MF_FLEET_GHOST_H

#include "hal/types.h"
#include "mavlink/frame.h"

/** Farthest place from the origin along each axis [m]. */
#define MF_GHOST_FAR_M 1e6

struct mf_ghost_settings {
    mf_us_t hold_us;      /**< extrapolated for so long after a sample, then held */
    mf_us_t lost_us;      /**< lost so long after a sample */
    double speed_max_mps; /**< nobody is faster */
};

/** What is known at one instant. North, east, up of the origin. */
struct mf_ghost_sample {
    mf_us_t at_us;
    double neu_m[3];
    double vel_neu_mps[3]; /**< NAN: not measured; the track follows from the places */
    double yaw_rad;
};

/** Counters may be read; other fields are the track's. */
struct mf_ghost_track {
    struct mf_ghost_settings settings;
    struct mf_ghost_sample last, base; /* base: of a velocity that is not measured */
    double slack_m;                    /* how much farther than its speed allows it may be */
    bool heard;
    bool lost;        /**< at present; also before the first sample, if nobody waits for it */
    uint32_t samples; /**< believed */
    uint32_t refused; /**< farther or faster than possible, or no numbers */
    uint32_t losses;  /**< times that it was lost after it had been there */
    uint64_t digest;  /**< of all that it has believed */
};

/** @brief Nobody was heard yet. @param neu_m  where it is thought to be
 *  @param lost  it need not be there at the beginning */
void mf_ghost_init(struct mf_ghost_track *t, const struct mf_ghost_settings *settings,
                   const double neu_m[3], bool lost);

/** @brief A sample, none of which is older than the last. @return MF_E_OK; MF_E_RANGE: refused */
int mf_ghost_take(struct mf_ghost_track *t, const struct mf_ghost_sample *sample);

/** @brief When it will be lost if nothing comes; MF_NEVER: it is. */
mf_us_t mf_ghost_lost_at(const struct mf_ghost_track *t);

/** @brief Is it lost from now on? @return true: it was not before */
bool mf_ghost_lapse(struct mf_ghost_track *t, mf_us_t at_us);

/** @brief Is it there at a time, as far as anybody knows? */
bool mf_ghost_is_there(const struct mf_ghost_track *t, mf_us_t at_us);

/** @brief Where it is at a time that is not before its last sample. @param at  out */
void mf_ghost_at(const struct mf_ghost_track *t, mf_us_t at_us, struct mf_ghost_sample *at);

/* ---- messages */

/** @brief The place in a GLOBAL_POSITION_INT. @param origin  latitude, longitude [deg], AMSL [m] */
void mf_ghost_from_position(const struct mf_msg_global_position_int *m, const double origin[3],
                            mf_us_t at_us, struct mf_ghost_sample *sample);

/** @brief The place in an ATT_POS_MOCAP: north, east, down of the origin. */
void mf_ghost_from_mocap(const struct mf_msg_att_pos_mocap *m, mf_us_t at_us,
                         struct mf_ghost_sample *sample);

/** Payload of a TUNNEL of radios: a type of its own, above those that MAVLink registers. */
#define MF_GHOST_TUNNEL_TYPE  40021u
#define MF_GHOST_TUNNEL_BYTES 116u /**< of a packet that fits into one */

/** A packet of a real radio, or for it. */
struct mf_ghost_packet {
    bool heard;          /**< the ghost's radio received it; else it sends it */
    double strength_dbm; /**< heard */
    uint32_t origin;     /**< heard: the member that sent it, from 0 */
    uint32_t number;     /**< of its sender's packets */
    const uint8_t *bytes;
    size_t n;
};

/** @brief Read one. @param p  out; its bytes are those of @p m
 *  @return NULL, or what is wrong: a static text. "" : it is of another type */
const char *mf_ghost_tunnel_read(const struct mf_msg_tunnel *m, struct mf_ghost_packet *p);

/** @brief Write one, without its targets. @return MF_E_OK; MF_E_RANGE: it is too long */
int mf_ghost_tunnel_write(const struct mf_ghost_packet *p, struct mf_msg_tunnel *m);

/* ---- packets once */

#define MF_GHOST_KNOWN_MAX 256u

/** The last packets that a radio has had, whichever way they came. Zero it to begin. */
struct mf_ghost_known {
    uint64_t key[MF_GHOST_KNOWN_MAX]; /* origin and number, plus one */
    uint32_t next;
    uint32_t doubles; /**< that were known already */
};

/** @brief Is a packet new? It is known from now on. */
bool mf_ghost_is_new(struct mf_ghost_known *k, uint32_t origin, uint32_t number);

#endif
