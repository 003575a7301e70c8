/* SPDX-License-Identifier: Apache-2.0 */
/* Propagation of packets between radios. Called by boards/swarm/radio. */
#include "world/medium.h"

#include "math/chance.h"
#include "math/trig.h"
#include "world/decibel.h"
#include "world/noise.h"

#include <string.h>

#define LIGHT_MPS   299792458.0
#define NEAR_M      0.01 /* least distance of antennas, and least height */
#define GAUSS_MOST  6.0  /* largest magnitude of mf_noise_gauss() */
#define CELL_LEAST  1.0
#define CELLS_ROUND 3 /* cells along north and east around a receiver */
/* Random numbers of a reception: luck is another sequence than noise. */
#define LUCK UINT64_C(0x6C75636B)

/* ---- path loss */

static double wavelength_m(const struct mf_medium *m, const struct mf_radio *r)
{
    return LIGHT_MPS / (r->frequency_mhz * (m->settings.compat ? 10e6 : 1e6));
}

/* Power, and the part of the path loss in free space that does not depend on distance. */
static double base_dbm(const struct mf_medium *m, const struct mf_radio *r)
{
    return r->power_dbm + 2.0 * mf_db(wavelength_m(m, r) / (4.0 * MF_PI));
}

/* Gain over free space by the reflection of flat ground: at most a factor of four. */
static double two_ray_db(const struct mf_medium *m, const struct mf_radio *r, double from_up_m,
                         double to_up_m, double distance_m)
{
    const double lambda_m = wavelength_m(m, r);
    const double heights = mf_larger(from_up_m, NEAR_M) * mf_larger(to_up_m, NEAR_M);
    const double turns = heights / (lambda_m * distance_m);
    /* beyond the crossover the strength falls with the fourth power of distance */
    if (turns < 1.0 / (4.0 * MF_PI)) {
        return 2.0 * mf_db(4.0 * MF_PI * turns);
    }
    const double part = turns - (double)(int64_t)turns;
    const double sine = mf_sin(2.0 * MF_PI * part);
    return mf_db(4.0 * mf_larger(sine * sine, 1e-30));
}

/* Strength without antennas. @param base  base_dbm() of @p from */
static double strength_dbm(const struct mf_medium *m, const struct mf_radio *from, double base,
                           double from_up_m, double to_up_m, double distance2_m2)
{
    if (distance2_m2 < NEAR_M * NEAR_M && m->settings.compat) {
        return from->power_dbm + 2.0 * mf_db(mf_sqrt(distance2_m2) + 1.0);
    }
    const double held2 = mf_larger(distance2_m2, NEAR_M * NEAR_M);
    const double free_dbm = base - mf_db(held2);
    switch ((enum mf_path)m->settings.path) {
    case MF_PATH_TWO_RAY:
        return free_dbm + two_ray_db(m, from, from_up_m, to_up_m, mf_sqrt(held2));
    case MF_PATH_FREE_SPACE:
    case MF_PATH_OTHER: /* strength_by_owner_dbm() asks the plug-in */
    case MF_PATHS:
        break;
    }
    return free_dbm;
}

static bool has_gain(const struct mf_radio *r)
{
    return r->antenna.kind != MF_ANTENNA_ISOTROPIC;
}

/* Gains of both antennas. @param toward  direction from the sender to the receiver */
static double gains_db(const struct mf_radio *from, const double from_axis[3],
                       const struct mf_station *to, const double toward[3])
{
    const double back[3] = {-toward[0], -toward[1], -toward[2]};
    return mf_antenna_gain_db(&from->antenna, from_axis, toward) +
           mf_antenna_gain_db(&to->radio->antenna, to->axis_neu, back);
}

void mf_medium_admit(struct mf_medium *m, const struct mf_radio *r)
{
    const double noise_dbm = m->settings.noise_dbm - GAUSS_MOST * m->settings.noise_sigma_db;
    const double by_noise_dbm = noise_dbm + mf_radio_least_snr_db(r);
    const double least_dbm = mf_larger(r->sensitivity_dbm, by_noise_dbm) - r->antenna.most_db;
    m->least_dbm = mf_smaller(least_dbm, m->least_dbm);
}

double mf_medium_range_m(const struct mf_medium *m, const struct mf_radio *r)
{
    if (m->settings.path == MF_PATH_OTHER) {
        return m->settings.range_m; /* the growth of its loss is unknown */
    }
    const double ground_db = m->settings.path == MF_PATH_TWO_RAY ? mf_db(4.0) : 0.0;
    const double budget_db = base_dbm(m, r) + r->antenna.most_db + ground_db - m->least_dbm;
    /* slightly more, so that rounding does not exclude receivers that are just in reach */
    const double reach_m = mf_sqrt(mf_db_ratio(mf_smaller(budget_db, 1000.0) + 1e-6));
    return mf_smaller(mf_larger(reach_m, NEAR_M), m->settings.range_m);
}

/* ---- memory */

size_t mf_medium_bytes(uint32_t capacity)
{
    return (size_t)capacity * sizeof(struct mf_sent) + mf_buckets_bytes(capacity);
}

void mf_medium_init(struct mf_medium *m, const struct mf_medium_settings *settings,
                    uint32_t capacity, void *bytes)
{
    MF_ASSERT(m != NULL && bytes != NULL && capacity > 0 && capacity <= UINT32_MAX / 2u);
    MF_ASSERT(settings->path < MF_PATHS && settings->range_m > 0.0 &&
              settings->noise_sigma_db >= 0.0);
    MF_ASSERT((settings->path == MF_PATH_OTHER) == (settings->loss_db != NULL));
    *m = (struct mf_medium){
        .settings = *settings, .least_dbm = 1000.0, .sent = bytes, .capacity = capacity};
    m->by_cell = mf_buckets(capacity, m->sent + capacity);
    mf_reception_init(&m->reception);
}

/* ---- a round */

void mf_medium_begin(struct mf_medium *m)
{
    m->count = 0;
    m->cell_m = CELL_LEAST;
}

static bool is_after_last(const struct mf_medium *m, const struct mf_packet *packet)
{
    const struct mf_packet *last = m->count > 0 ? &m->sent[m->count - 1u].packet : NULL;
    return last == NULL || last->sender < packet->sender ||
           (last->sender == packet->sender && last->number < packet->number);
}

int mf_medium_send(struct mf_medium *m, const struct mf_packet *packet,
                   const struct mf_station *from)
{
    MF_ASSERT(is_after_last(m, packet));
    if (m->count == m->capacity) {
        m->refused++;
        return MF_E_FULL;
    }
    if (packet->size > MF_PACKET_BYTES_MAX || !mf_within(from->neu_m[0], MF_MEDIUM_FAR_M) ||
        !mf_within(from->neu_m[1], MF_MEDIUM_FAR_M) ||
        !mf_within(from->neu_m[2], MF_MEDIUM_FAR_M)) {
        m->refused++;
        return MF_E_RANGE;
    }
    const double range_m = mf_medium_range_m(m, from->radio);
    struct mf_sent *sent = &m->sent[m->count++];
    *sent = (struct mf_sent){
        .range2_m2 = range_m * range_m,
        .base_dbm = base_dbm(m, from->radio),
        .key = mf_chance_key(m->settings.key, 0, from->identity, packet->number),
        .radio = from->radio,
        .packet = *packet,
    };
    memcpy(sent->neu_m, from->neu_m, sizeof sent->neu_m);
    memcpy(sent->axis_neu, from->axis_neu, sizeof sent->axis_neu);
    m->cell_m = mf_larger(m->cell_m, range_m);
    return MF_E_OK;
}

static uint32_t bucket_of(const struct mf_medium *m, int32_t north, int32_t east)
{
    return ((uint32_t)north * 73856093u ^ (uint32_t)east * 19349663u) & (m->by_cell.buckets - 1u);
}

void mf_medium_sort(struct mf_medium *m)
{
    mf_buckets_begin(&m->by_cell);
    for (uint32_t i = 0; i < m->count; i++) {
        struct mf_sent *sent = &m->sent[i];
        sent->cell[0] = mf_cell_along(sent->neu_m[0], m->cell_m);
        sent->cell[1] = mf_cell_along(sent->neu_m[1], m->cell_m);
        mf_buckets_count(&m->by_cell, bucket_of(m, sent->cell[0], sent->cell[1]));
    }
    mf_buckets_lay(&m->by_cell);
    for (uint32_t i = 0; i < m->count; i++) {
        mf_buckets_put(&m->by_cell, bucket_of(m, m->sent[i].cell[0], m->sent[i].cell[1]), i);
    }
    mf_buckets_end(&m->by_cell);
}

/* ---- reception */

/* Receiver of the present call. */
struct ear {
    const struct mf_medium *m;
    uint32_t receiver;
    const struct mf_station *to;
    mf_medium_take *take;
    void *ctx;
    uint32_t reached;
};

static bool hears_band(const struct mf_radio *to, const struct mf_radio *from)
{
    return from == to || mf_within(from->frequency_mhz - to->frequency_mhz, 0.5 * to->width_mhz);
}

static bool is_lucky(const struct ear *ear, const struct mf_sent *sent, double rx_dbm)
{
    const struct mf_medium_settings *s = &ear->m->settings;
    const double noise_dbm =
        s->noise_dbm + s->noise_sigma_db * mf_noise_gauss(sent->key, ear->to->identity);
    const double ratio = mf_radio_reception(ear->to->radio, &ear->m->reception, rx_dbm - noise_dbm);
    return ratio > 0.0 &&
           (ratio >= 1.0 || mf_chance_unit(sent->key ^ LUCK, ear->to->identity) < ratio);
}

static double strength_by_owner_dbm(const struct ear *ear, const struct mf_sent *sent,
                                    double distance2_m2)
{
    const struct mf_medium_settings *s = &ear->m->settings;
    const struct mf_medium_way way = {sent->neu_m,
                                      ear->to->neu_m,
                                      mf_larger(mf_sqrt(distance2_m2), NEAR_M),
                                      sent->radio->frequency_mhz,
                                      sent->packet.sender,
                                      ear->receiver};
    return sent->radio->power_dbm - s->loss_db(s->ctx, &way);
}

static void listen(struct ear *ear, const struct mf_sent *sent)
{
    const double *p = sent->neu_m, *q = ear->to->neu_m;
    const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const double distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (distance2 > sent->range2_m2 || sent->packet.sender == ear->receiver ||
        !hears_band(ear->to->radio, sent->radio)) {
        return;
    }
    double rx_dbm = ear->m->settings.path == MF_PATH_OTHER
                        ? strength_by_owner_dbm(ear, sent, distance2)
                        : strength_dbm(ear->m, sent->radio, sent->base_dbm, p[2], q[2], distance2);
    if (has_gain(sent->radio) || has_gain(ear->to->radio)) {
        rx_dbm += gains_db(sent->radio, sent->axis_neu, ear->to, d);
    }
    ear->reached++;
    if (rx_dbm >= ear->to->radio->sensitivity_dbm && is_lucky(ear, sent, rx_dbm)) {
        ear->take(ear->ctx, &(struct mf_delivery){&sent->packet, rx_dbm});
    }
}

/* Packets of one cell, which may share its bucket with others. */
struct run {
    uint32_t at, end;
    int32_t cell[2];
};

/* Find the next packet of a run; UINT32_MAX at its end. */
static uint32_t head_of(const struct mf_medium *m, struct run *run)
{
    while (run->at < run->end) {
        const uint32_t i = m->by_cell.order[run->at];
        if (m->sent[i].cell[0] == run->cell[0] && m->sent[i].cell[1] == run->cell[1]) {
            return i;
        }
        run->at++;
    }
    return UINT32_MAX;
}

static uint32_t runs_around(const struct mf_medium *m, const struct mf_station *to,
                            struct run run[CELLS_ROUND * CELLS_ROUND])
{
    const int32_t north = mf_cell_along(to->neu_m[0], m->cell_m);
    const int32_t east = mf_cell_along(to->neu_m[1], m->cell_m);
    uint32_t packets = 0;
    for (int32_t i = 0; i < CELLS_ROUND * CELLS_ROUND; i++) {
        const int32_t n = north + i / CELLS_ROUND - 1, e = east + i % CELLS_ROUND - 1;
        const uint32_t bucket = bucket_of(m, n, e);
        run[i] = (struct run){m->by_cell.begin[bucket], m->by_cell.begin[bucket + 1u], {n, e}};
        packets += run[i].end - run[i].at;
    }
    return packets;
}

/* Merge nine ordered runs into one. */
static void listen_around(struct ear *ear, struct run run[CELLS_ROUND * CELLS_ROUND])
{
    uint32_t head[CELLS_ROUND * CELLS_ROUND];
    for (uint32_t i = 0; i < CELLS_ROUND * CELLS_ROUND; i++) {
        head[i] = head_of(ear->m, &run[i]);
    }
    for (;;) {
        uint32_t first = 0;
        for (uint32_t i = 1; i < CELLS_ROUND * CELLS_ROUND; i++) {
            first = head[i] < head[first] ? i : first;
        }
        if (head[first] == UINT32_MAX) {
            return;
        }
        listen(ear, &ear->m->sent[head[first]]);
        run[first].at++;
        head[first] = head_of(ear->m, &run[first]);
    }
}

uint32_t mf_medium_hear(const struct mf_medium *m, uint32_t receiver, const struct mf_station *to,
                        mf_medium_take *take, void *ctx)
{
    struct run run[CELLS_ROUND * CELLS_ROUND];
    struct ear ear = {m, receiver, to, take, ctx, 0};
    if (!mf_within(to->neu_m[0], MF_MEDIUM_FAR_M) || !mf_within(to->neu_m[1], MF_MEDIUM_FAR_M)) {
        return 0;
    }
    /* a scan of all packets is cheaper than to merge many from cells */
    if (runs_around(m, to, run) < m->count / 4u) {
        listen_around(&ear, run);
        return ear.reached;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        listen(&ear, &m->sent[i]);
    }
    return ear.reached;
}
