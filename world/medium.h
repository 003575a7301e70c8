/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Air between radios: computes which receivers get the packets of an instant, and their strengths.
 *
 * An instant is a round. The caller hands over all packets of it first, then lets each receiver
 * take its packets, in the order of senders and of their packets:
 *
 *     mf_medium_begin(&m);
 *     mf_medium_send(&m, &packet, &station);     ascending by sender, then by number
 *     mf_medium_sort(&m);
 *     mf_medium_hear(&m, 7, &station, take, ctx);     from any thread
 *
 * Packets arrive at the instant of sending, and do not collide. Noise and luck of a reception
 * follow from the identities of both stations and the packet's number alone, so the order of
 * receivers and the number of threads change no bit.
 *
 * A grid, whose cells are as wide as the farthest reception, excludes senders that are too far
 * away. That distance follows from the link budget: the noise is bounded (world/noise.h).
 *
 * Places are north, east and up in metres. Only + - * / and sqrt, without libm. The caller supplies
 * memory.
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
/** Limit of places and of ranges [m]. */
#define MF_MEDIUM_FAR_M 1e6

/** Way of a packet. */
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
    double range_m;        /**< packets do not arrive beyond it, whatever the link budget; > 0 */
    bool compat;  /**< Simbeeotic: a wavelength of a tenth, and a gain of 20 log10(d + 1) within a
                     centimetre */
    uint64_t key; /**< key of the receptions' random numbers */
    /** OTHER: path loss between antennas [dB], finite. Any thread; equal calls, equal answers. */
    double (*loss_db)(const void *ctx, const struct mf_medium_way *way);
    const void *ctx; /**< context of loss_db() */
};

/** Radio at a place. */
struct mf_station {
    const struct mf_radio *radio;
    double neu_m[3];    /**< up is also the height above the ground of TWO_RAY */
    double axis_neu[3]; /**< axis of its antenna, of any length above 0 */
    uint64_t identity;  /**< of its owner, for random numbers: it and none other has it */
};

struct mf_packet {
    uint32_t sender;
    uint32_t number; /**< sequence number among its sender's packets */
    const uint8_t *bytes;
    uint32_t size;
};

struct mf_delivery {
    const struct mf_packet *packet;
    double strength_dbm;
};

/** Packet of the present round; its fields are private. */
struct mf_sent {
    double neu_m[3];
    double range2_m2;
    double base_dbm; /* strength at the distance at which the path loss is 0 dB */
    uint64_t key;
    const struct mf_radio *radio;
    double axis_neu[3];
    int32_t cell[2];
    struct mf_packet packet;
};

/** The caller allocates it; callers may read its counters, the other fields are private. */
struct mf_medium {
    struct mf_medium_settings settings;
    struct mf_reception reception;
    double least_dbm; /* weakest strength that any radio receives, less its antenna's gain */
    struct mf_sent *sent;
    uint32_t count, capacity;
    struct mf_buckets by_cell;
    double cell_m;
    uint64_t refused; /**< number of packets that were too long, or out of bounds */
};

/** @brief Memory for a number of packets in a round [bytes]. */
size_t mf_medium_bytes(uint32_t capacity);

/** @brief Begin before the first round. @param bytes  [mf_medium_bytes()], aligned for a double */
void mf_medium_init(struct mf_medium *m, const struct mf_medium_settings *settings,
                    uint32_t capacity, void *bytes);

/** @brief Announce a kind of radio. The caller announces all kinds before the first round. */
void mf_medium_admit(struct mf_medium *m, const struct mf_radio *r);

/** @brief Distance up to which any announced radio may receive a packet of this one [m]. */
double mf_medium_range_m(const struct mf_medium *m, const struct mf_radio *r);

/** @brief Begin a round without packets. */
void mf_medium_begin(struct mf_medium *m);

/** @brief Add a packet to the round, after those of lower senders, and after its sender's own with
 * lower numbers. @param packet  its bytes must stay until the round is over
 * @return MF_E_OK; MF_E_FULL; MF_E_RANGE: too long, or its place is beyond 1000 km */
int mf_medium_send(struct mf_medium *m, const struct mf_packet *packet,
                   const struct mf_station *from);

/** @brief Sort the packets into cells, after the last packet of the round. O(packets). */
void mf_medium_sort(struct mf_medium *m);

/** Function of a receiver that takes a packet. */
typedef void mf_medium_take(void *ctx, const struct mf_delivery *delivery);

/** @brief Call @p take for all packets of the round that @p receiver gets, in the order of senders
 * and numbers, except its own. Any thread. @return number of packets that reached it, received or
 * not */
uint32_t mf_medium_hear(const struct mf_medium *m, uint32_t receiver, const struct mf_station *to,
                        mf_medium_take *take, void *ctx);

#endif
