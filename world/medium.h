/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The air between radios: which packets of an instant reach whom, and how strong.
 *
 * An instant is a round. All packets of it are handed over first, then each receiver is asked for
 * what it hears, in the order of senders and of their packets:
 *
 *     mf_medium_begin(&m);
 *     mf_medium_send(&m, &packet, &station);     ascending by sender, then by number
 *     mf_medium_sort(&m);
 *     mf_medium_hear(&m, 7, &station, take, ctx);     from any thread
 *
 * A receiver hears at the instant of sending: packets take no time to arrive, and do not collide.
 * Noise and luck of a reception follow from (sender, receiver, number) alone, so the order in which
 * receivers are asked, and by how many threads, changes no bit.
 *
 * A grid, whose cells are as wide as the farthest packet can be heard, leaves out who is too far
 * away. That distance follows from the link budget: the noise is bounded (world/noise.h).
 *
 * Places are north, east and up in metres. Only + - * / and sqrt, no libm. The caller gives memory.
 */
#ifndef MF_WORLD_MEDIUM_H
#define MF_WORLD_MEDIUM_H

#include "world/buckets.h"
#include "world/radio.h"

#define MF_PATH_LIST(X) X(FREE_SPACE, "free_space") X(TWO_RAY, "two_ray") X(OTHER, "own")

/* clang-format off */
#define X(name, word) MF_PATH_##name,
enum mf_path { MF_PATH_LIST(X) MF_PATHS };
#undef X
/* clang-format on */

/** Longest payload: a frame of MAVLink 2 with a signature fits [bytes]. */
#define MF_PACKET_BYTES_MAX 280u
/** No place and no range is farther [m]. */
#define MF_MEDIUM_FAR_M 1e6

/** A packet's way. */
struct mf_medium_way {
    const double *from_neu_m, *to_neu_m; /**< [3] */
    double distance_m;                   /**< > 0 */
    double frequency_mhz;
    uint32_t sender, receiver;
};

struct mf_medium_settings {
    int32_t path;          /**< enum mf_path */
    double noise_dbm;      /**< mean */
    double noise_sigma_db; /**< of each reception */
    double range_m;        /**< beyond it nothing is heard, whatever the budget says; > 0 */
    bool compat;  /**< Simbeeotic: a wavelength of a tenth, and a gain of 20 log10(d + 1) within
                     a centimetre */
    uint64_t key; /**< of the chance of receptions */
    /** OTHER: path loss between antennas [dB], finite. Any thread; equal calls, equal answers. */
    double (*loss_db)(const void *ctx, const struct mf_medium_way *way);
    const void *ctx; /**< of loss_db() */
};

/** A radio at a place. */
struct mf_station {
    const struct mf_radio *radio;
    double neu_m[3];    /**< up is also the height above the ground of TWO_RAY */
    double axis_neu[3]; /**< of its antenna, of any length above 0 */
};

struct mf_packet {
    uint32_t sender;
    uint32_t number; /**< of its sender's packets */
    const uint8_t *bytes;
    uint32_t size;
};

struct mf_delivery {
    const struct mf_packet *packet;
    double strength_dbm;
};

/** A packet on its way; fields are the medium's. */
struct mf_sent {
    double neu_m[3];
    double range2_m2;
    double base_dbm; /* at the distance at which the path loss is 0 dB */
    uint64_t key;
    const struct mf_radio *radio;
    double axis_neu[3];
    int32_t cell[2];
    struct mf_packet packet;
};

/** The caller allocates it; counters may be read, other fields are the medium's. */
struct mf_medium {
    struct mf_medium_settings settings;
    struct mf_reception reception;
    double least_dbm; /* that any radio makes out, less its antenna's gain */
    struct mf_sent *sent;
    uint32_t count, capacity;
    struct mf_buckets by_cell;
    double cell_m;
    uint64_t refused; /**< packets that were too long, or from nowhere */
};

/** @brief Memory for so many packets in a round [bytes]. */
size_t mf_medium_bytes(uint32_t capacity);

/** @brief @param bytes  [mf_medium_bytes()], aligned for a double */
void mf_medium_init(struct mf_medium *m, const struct mf_medium_settings *settings,
                    uint32_t capacity, void *bytes);

/** @brief Radios of this kind take part: to be told of all before the first round. */
void mf_medium_admit(struct mf_medium *m, const struct mf_radio *r);

/** @brief How far a packet of this radio may be heard by any that takes part [m]. */
double mf_medium_range_m(const struct mf_medium *m, const struct mf_radio *r);

/** @brief A round: nobody has sent. */
void mf_medium_begin(struct mf_medium *m);

/** @brief A packet of this round, after those of lower senders, and after its sender's own with
 * lower numbers. @param packet  its bytes stay until the round is over
 *  @return MF_E_OK; MF_E_FULL; MF_E_RANGE: it is too long, or its place is beyond 1000 km */
int mf_medium_send(struct mf_medium *m, const struct mf_packet *packet,
                   const struct mf_station *from);

/** @brief After the last packet of the round. O(packets). */
void mf_medium_sort(struct mf_medium *m);

/** What a receiver does with a packet. */
typedef void mf_medium_take(void *ctx, const struct mf_delivery *delivery);

/** @brief All packets of the round that @p receiver gets, in the order of senders and numbers;
 * none of its own. Any thread. @return how many reached it, received or not */
uint32_t mf_medium_hear(const struct mf_medium *m, uint32_t receiver, const struct mf_station *to,
                        mf_medium_take *take, void *ctx);

#endif
