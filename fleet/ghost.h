/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Track of a ghost: a member whose state comes from outside, by messages that are late, wrong or
 * missing.
 *
 * The track is extrapolated between samples, then held, then lost. It refuses and counts a sample
 * that the ghost cannot have reached. The first sample after a loss is accepted wherever it is, and
 * the track continues from there.
 *
 * The caller supplies all times and messages; this file opens no socket. Messages are untrusted.
 */
#ifndef MF_FLEET_GHOST_H
#define MF_FLEET_GHOST_H

#include "hal/types.h"
#include "mavlink/frame.h"

/** Farthest place from the origin along each axis [m]. */
#define MF_GHOST_FAR_M 1e6

struct mf_ghost_settings {
    mf_us_t hold_us;      /**< the track is extrapolated for this long after a sample, then held */
    mf_us_t lost_us;      /**< the track is lost this long after a sample */
    double speed_max_mps; /**< samples that need a greater speed are refused */
};

/** State of a ghost at one instant: north, east, up of the origin. */
struct mf_ghost_sample {
    mf_us_t at_us;
    double neu_m[3];
    double vel_neu_mps[3]; /**< NAN: not measured; the track derives it from the places */
    double yaw_rad;
};

/** A track. Callers may read its counters; the other fields are private. */
struct mf_ghost_track {
    struct mf_ghost_settings settings;
    struct mf_ghost_sample last,
        base;       /* base: sample from which an unmeasured velocity is derived */
    double slack_m; /* distance that the ghost may still be ahead of its greatest speed */
    bool heard;     /**< a sample was accepted */
    bool lost; /**< the track is lost now; also before the first sample, if the ghost need not be
                  present at the start */
    uint32_t samples; /**< number of samples accepted */
    uint32_t refused; /**< number of samples refused: too far, too fast, or not finite */
    uint32_t losses;  /**< number of times that the track was lost */
    uint64_t digest;  /**< hash of all accepted samples */
};

/** @brief Begin a track before its first sample. @param neu_m  assumed place
 * @param lost  the ghost need not be present at the start */
void mf_ghost_init(struct mf_ghost_track *t, const struct mf_ghost_settings *settings,
                   const double neu_m[3], bool lost);

/** @brief Add a sample, not older than the one before. @return MF_E_OK; MF_E_RANGE: refused */
int mf_ghost_take(struct mf_ghost_track *t, const struct mf_ghost_sample *sample);

/** @brief Time at which the track is lost if no sample arrives before; MF_NEVER: it is already
 * lost. */
mf_us_t mf_ghost_lost_at(const struct mf_ghost_track *t);

/** @brief Mark the track lost if its time is over. @return true: it was not lost before */
bool mf_ghost_expire(struct mf_ghost_track *t, mf_us_t at_us);

/** @brief True if the track is not lost at @p at_us. */
bool mf_ghost_is_there(const struct mf_ghost_track *t, mf_us_t at_us);

/** @brief Extrapolate the track to a time that is not before its last sample. @param at  out */
void mf_ghost_at(const struct mf_ghost_track *t, mf_us_t at_us, struct mf_ghost_sample *at);

/* ---- messages */

/** @brief Convert a GLOBAL_POSITION_INT into a sample. @param origin  latitude, longitude [deg],
 * AMSL [m] */
void mf_ghost_from_position(const struct mf_msg_global_position_int *m, const double origin[3],
                            mf_us_t at_us, struct mf_ghost_sample *sample);

/** @brief Convert an ATT_POS_MOCAP (north, east, down of the origin) into a sample. */
void mf_ghost_from_mocap(const struct mf_msg_att_pos_mocap *m, mf_us_t at_us,
                         struct mf_ghost_sample *sample);

/** Type of a TUNNEL that carries a radio packet, above the types that MAVLink registers. */
#define MF_GHOST_TUNNEL_TYPE  40021u
#define MF_GHOST_TUNNEL_BYTES 116u /**< largest packet that fits into one TUNNEL */

/** A packet to or from a real radio. */
struct mf_ghost_packet {
    bool heard; /**< true: the ghost's radio received it; false: the radio is to send it, or has
                   sent it */
    double strength_dbm; /**< strength of a received packet */
    uint32_t origin;     /**< member that sent a received packet, from 0 */
    uint32_t number;     /**< sequence number among its sender's packets */
    const uint8_t *bytes;
    size_t n;
};

/** @brief Decode a TUNNEL. @param p  out; its bytes point into @p m
 * @return NULL, or a static text: why the packet is wrong; "" : the TUNNEL is of another type */
const char *mf_ghost_tunnel_read(const struct mf_msg_tunnel *m, struct mf_ghost_packet *p);

/** @brief Encode a TUNNEL; the caller sets its targets. @return MF_E_OK; MF_E_RANGE: the packet is
 * too long */
int mf_ghost_tunnel_write(const struct mf_ghost_packet *p, struct mf_msg_tunnel *m);

/* ---- filter of repeated packets */

#define MF_GHOST_KNOWN_MAX 256u

/** The latest packets of a radio, over all of its links. Zero it to begin. */
struct mf_ghost_known {
    uint64_t key[MF_GHOST_KNOWN_MAX]; /* origin and number, plus one */
    uint32_t next;
    uint32_t doubles; /**< number of repeated packets */
};

/** @brief True if a packet is new; remember it. */
bool mf_ghost_is_new(struct mf_ghost_known *k, uint32_t origin, uint32_t number);

#endif
