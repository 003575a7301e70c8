/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks of ghosts, and the packets of their radios. Called by boards/swarm (ghost_receive, ghosts,
 * ghost_order, ghost_shape, radio). */
#include "fleet/ghost.h"

#include "fleet/bytes.h"
#include "math/chance.h"
#include "math/geodesic.h"
#include "math/trig.h"

#include <string.h>

#define SLACK_S       0.5    /* delay of samples that a track tolerates at full speed */
#define BASE_US       100000 /* shortest interval from which a velocity is derived */
#define TUNNEL_HEAD   12u
#define TUNNEL_FORMAT 1u

void mf_ghost_init(struct mf_ghost_track *t, const struct mf_ghost_settings *settings,
                   const double neu_m[3], bool lost)
{
    MF_ASSERT(settings->lost_us > 0 && settings->hold_us >= 0 && settings->speed_max_mps > 0.0);
    *t = (struct mf_ghost_track){.settings = *settings, .lost = lost};
    memcpy(t->last.neu_m, neu_m, sizeof t->last.neu_m);
}

/* ---- samples */

static double length3(const double v[3])
{
    return mf_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static bool is_finite(double x)
{
    return x - x == 0.0;
}

static bool is_measured(const struct mf_ghost_sample *s)
{
    return s->vel_neu_mps[0] == s->vel_neu_mps[0];
}

/* Are the place and the velocity of a sample finite and within their limits? */
static bool is_possible(const struct mf_ghost_track *t, const struct mf_ghost_sample *s)
{
    for (size_t k = 0; k < 3; k++) {
        if (!(mf_abs(s->neu_m[k]) <= MF_GHOST_FAR_M)) {
            return false;
        }
    }
    return is_finite(s->yaw_rad) &&
           (!is_measured(s) || length3(s->vel_neu_mps) <= t->settings.speed_max_mps);
}

/* Can the ghost have reached the sample? Take the distance that it is ahead off the slack. */
static bool is_reachable(struct mf_ghost_track *t, const struct mf_ghost_sample *s)
{
    const double slack_m = SLACK_S * t->settings.speed_max_mps;
    double by_m[3];
    if (!t->heard || t->lost) {
        t->slack_m = slack_m;
        return true;
    }
    for (size_t k = 0; k < 3; k++) {
        by_m[k] = s->neu_m[k] - t->last.neu_m[k];
    }
    const double passed_s = (double)(s->at_us - t->last.at_us) / 1e6;
    const double left_m = t->slack_m + t->settings.speed_max_mps * passed_s - length3(by_m);
    if (!(left_m >= 0.0)) {
        return false;
    }
    t->slack_m = left_m < slack_m ? left_m : slack_m;
    return true;
}

/* Derive the velocity of a sample from the places of the last 0.1 s. */
static void measure(struct mf_ghost_track *t, struct mf_ghost_sample *s)
{
    const bool fresh = !t->heard || t->lost || s->at_us - t->last.at_us > t->settings.hold_us;
    t->base = fresh ? *s : s->at_us - t->base.at_us > BASE_US ? t->last : t->base;
    const double passed_s = (double)(s->at_us - t->base.at_us) / 1e6;
    for (size_t k = 0; k < 3; k++) {
        s->vel_neu_mps[k] = passed_s > 0.0 ? (s->neu_m[k] - t->base.neu_m[k]) / passed_s
                            : fresh        ? 0.0
                                           : t->last.vel_neu_mps[k];
    }
    const double speed = length3(s->vel_neu_mps), most = t->settings.speed_max_mps;
    for (size_t k = 0; k < 3 && speed > most; k++) {
        s->vel_neu_mps[k] *= most / speed;
    }
}

static uint64_t digest_of(uint64_t digest, const struct mf_ghost_sample *s)
{
    uint64_t bits[3];
    memcpy(bits, s->neu_m, sizeof bits);
    digest = mf_chance_u64(digest ^ bits[0], (uint64_t)s->at_us);
    return mf_chance_u64(digest ^ bits[1], bits[2]);
}

int mf_ghost_take(struct mf_ghost_track *t, const struct mf_ghost_sample *sample)
{
    struct mf_ghost_sample s = *sample;
    MF_ASSERT(!t->heard || s.at_us >= t->last.at_us);
    if (!is_possible(t, &s) || !is_reachable(t, &s)) {
        t->refused++;
        return MF_E_RANGE;
    }
    if (!is_measured(&s)) {
        measure(t, &s);
    }
    t->last = s;
    t->heard = true;
    t->lost = false;
    t->samples++;
    t->digest = digest_of(t->digest, &s);
    return MF_E_OK;
}

/* ---- state */

mf_us_t mf_ghost_lost_at(const struct mf_ghost_track *t)
{
    return t->lost ? MF_NEVER : t->last.at_us + t->settings.lost_us;
}

bool mf_ghost_expire(struct mf_ghost_track *t, mf_us_t at_us)
{
    if (t->lost || at_us < mf_ghost_lost_at(t)) {
        return false;
    }
    t->lost = true;
    t->losses++;
    t->digest = mf_chance_u64(t->digest, t->losses);
    return true;
}

bool mf_ghost_is_there(const struct mf_ghost_track *t, mf_us_t at_us)
{
    return t->heard && !t->lost && at_us < mf_ghost_lost_at(t);
}

void mf_ghost_at(const struct mf_ghost_track *t, mf_us_t at_us, struct mf_ghost_sample *at)
{
    const mf_us_t age_us = at_us > t->last.at_us ? at_us - t->last.at_us : 0;
    const bool held = age_us > t->settings.hold_us;
    const double s = (double)(held ? t->settings.hold_us : age_us) / 1e6;
    *at = t->last;
    at->at_us = at_us;
    for (size_t k = 0; k < 3; k++) {
        at->neu_m[k] += t->last.vel_neu_mps[k] * s;
        at->vel_neu_mps[k] = held ? 0.0 : t->last.vel_neu_mps[k];
    }
}

/* ---- messages */

void mf_ghost_from_position(const struct mf_msg_global_position_int *m, const double origin[3],
                            mf_us_t at_us, struct mf_ghost_sample *sample)
{
    const struct mf_geo at = {(double)m->lat / 1e7, (double)m->lon / 1e7};
    *sample = (struct mf_ghost_sample){
        .at_us = at_us,
        .vel_neu_mps = {(double)m->vx / 100.0, (double)m->vy / 100.0, -(double)m->vz / 100.0},
        .yaw_rad = mf_wrap_pi(mf_rad((double)m->hdg / 100.0))};
    const bool on_earth = mf_abs(at.lat_deg) <= 90.0 && mf_abs(at.lon_deg) <= 180.0;
    sample->neu_m[0] = 2.0 * MF_GHOST_FAR_M;
    if (on_earth) {
        mf_geo_to_local((struct mf_geo){origin[0], origin[1]}, at, sample->neu_m);
    }
    sample->neu_m[2] = (double)m->alt / 1e3 - origin[2];
}

void mf_ghost_from_mocap(const struct mf_msg_att_pos_mocap *m, mf_us_t at_us,
                         struct mf_ghost_sample *sample)
{
    const double w = (double)m->q[0], x = (double)m->q[1], y = (double)m->q[2], z = (double)m->q[3];
    const double none = (double)__builtin_nanf("");
    const double sine = 2.0 * (w * z + x * y), cosine = 1.0 - 2.0 * (y * y + z * z);
    const bool turned = is_finite(sine) && is_finite(cosine);
    *sample = (struct mf_ghost_sample){.at_us = at_us,
                                       .neu_m = {(double)m->x, (double)m->y, -(double)m->z},
                                       .vel_neu_mps = {none, none, none},
                                       .yaw_rad = turned ? mf_atan2(sine, cosine) : none};
}

const char *mf_ghost_tunnel_read(const struct mf_msg_tunnel *m, struct mf_ghost_packet *p)
{
    if (m->payload_type != MF_GHOST_TUNNEL_TYPE) {
        return "";
    }
    if (m->payload_length < TUNNEL_HEAD || m->payload_length > sizeof m->payload ||
        m->payload[0] != TUNNEL_FORMAT || m->payload[1] > 1u) {
        return "its TUNNEL is not format 1, heard (0, 1), strength, origin, number, packet";
    }
    const uint16_t centi = (uint16_t)mf_bytes_u(m->payload + 2, 2);
    *p = (struct mf_ghost_packet){.heard = m->payload[1] == 1u,
                                  .strength_dbm = (double)(int16_t)centi / 100.0,
                                  .origin = mf_bytes_u32(m->payload + 4),
                                  .number = mf_bytes_u32(m->payload + 8),
                                  .bytes = m->payload + TUNNEL_HEAD,
                                  .n = m->payload_length - TUNNEL_HEAD};
    return NULL;
}

int mf_ghost_tunnel_write(const struct mf_ghost_packet *p, struct mf_msg_tunnel *m)
{
    if (p->n > MF_GHOST_TUNNEL_BYTES) {
        return MF_E_RANGE;
    }
    const double dbm = p->strength_dbm > 300.0    ? 300.0
                       : p->strength_dbm > -300.0 ? p->strength_dbm
                                                  : -300.0;
    const uint16_t centi = (uint16_t)(int16_t)(dbm * 100.0);
    *m = (struct mf_msg_tunnel){.payload_type = MF_GHOST_TUNNEL_TYPE,
                                .payload_length = (uint8_t)(TUNNEL_HEAD + p->n)};
    m->payload[0] = TUNNEL_FORMAT;
    m->payload[1] = p->heard ? 1u : 0u;
    uint8_t *at = mf_bytes_put_u(m->payload + 2, centi, 2);
    at = mf_bytes_put_u(at, p->origin, 4);
    at = mf_bytes_put_u(at, p->number, 4);
    memcpy(at, p->bytes, p->n);
    return MF_E_OK;
}

/* ---- filter of repeated packets */

bool mf_ghost_is_new(struct mf_ghost_known *k, uint32_t origin, uint32_t number)
{
    const uint64_t key = ((uint64_t)origin << 32u | number) + 1u;
    for (size_t i = 0; i < MF_GHOST_KNOWN_MAX; i++) {
        if (k->key[i] == key) {
            k->doubles++;
            return false;
        }
    }
    k->key[k->next++ % MF_GHOST_KNOWN_MAX] = key;
    return true;
}
