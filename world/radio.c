/* SPDX-License-Identifier: Apache-2.0 */
/* Radios, antennas and reception by their data sheets. Called by world/medium,
 * fleet/scenario_radio, and boards/swarm/radio and radio_plugin. */
#include "world/radio.h"

#include "math/trig.h"
#include "world/decibel.h"

#include <string.h>

/* ---- models */

struct level {
    uint32_t number;
    double power_dbm, send_ma;
};

/* CC2420, rev. 1.4, page 52 */
static const struct level k_cc2420[] = {
    {31, 0.0, 17.4},  {27, -1.0, 16.5},  {23, -3.0, 15.1}, {19, -5.0, 14.0},
    {15, -7.0, 12.7}, {11, -10.0, 11.0}, {7, -15.0, 9.9},  {3, -25.0, 8.5},
};

/* AT86RF230, 5131E, page 59; currents missing in the sheet as Simbeeotic has them */
static const struct level k_rf230[] = {
    {0, 3.0, 16.5},   {1, 2.6, 16.1},   {2, 2.1, 15.5},    {3, 1.6, 15.1},
    {4, 1.1, 14.5},   {5, 0.5, 14.2},   {6, -0.2, 14.0},   {7, -1.2, 13.5},
    {8, -2.2, 13.0},  {9, -3.2, 12.5},  {10, -4.2, 12.3},  {11, -5.2, 12.1},
    {12, -7.2, 11.6}, {13, -9.2, 11.2}, {14, -12.2, 10.6}, {15, -17.2, 9.5},
};

static const struct level k_generic[] = {{MF_RADIO_OWN, 15.0, 0.0}};

static const struct model {
    const struct level *level; /* the first level is the default */
    uint32_t levels;
    double sensitivity_dbm, receive_ma, idle_ma;
} k_model[MF_RADIOS] = {
    [MF_RADIO_GENERIC] = {k_generic, 1, -3000.0, 0.0, 0.0},
    [MF_RADIO_CC2420] = {k_cc2420, sizeof k_cc2420 / sizeof k_cc2420[0], -90.0, 18.8, 0.426},
    [MF_RADIO_OTHER] = {k_generic, 1, -3000.0, 0.0, 0.0},
    [MF_RADIO_RF230] = {k_rf230, sizeof k_rf230 / sizeof k_rf230[0], -101.0, 15.5, 1.5},
};

#define CHANNEL_FIRST 11u
#define CHANNEL_LAST  26u
#define CHANNEL_MHZ   5.0
#define FIRST_MHZ     2405.0
#define BAND_MHZ      2442.5 /* middle of the generic radio's band; BAND_WIDTH: its width */
#define BAND_WIDTH    85.0
#define MARGIN_DB     7.0
#define BITS_PER_S    250e3

static const struct level *level_of(const struct model *model, uint32_t number)
{
    for (uint32_t i = 0; i < model->levels; i++) {
        if (number == MF_RADIO_OWN || model->level[i].number == number) {
            return &model->level[i];
        }
    }
    return NULL;
}

int mf_radio_init(struct mf_radio *r, enum mf_radio_kind kind, uint32_t level, uint32_t channel)
{
    MF_ASSERT(r != NULL && kind < MF_RADIOS);
    const struct model *model = &k_model[kind];
    const struct level *chosen = level_of(model, level);
    const bool whole_band = k_model[kind].level == k_generic && channel == MF_RADIO_OWN;
    const uint32_t number = channel == MF_RADIO_OWN ? CHANNEL_FIRST : channel;
    if (chosen == NULL || number < CHANNEL_FIRST || number > CHANNEL_LAST) {
        return MF_E_RANGE;
    }
    *r = (struct mf_radio){
        .kind = (int32_t)kind,
        .power_dbm = chosen->power_dbm,
        .sensitivity_dbm = model->sensitivity_dbm,
        .margin_db = MARGIN_DB,
        .frequency_mhz =
            whole_band ? BAND_MHZ : FIRST_MHZ + CHANNEL_MHZ * (double)(number - CHANNEL_FIRST),
        .width_mhz = whole_band ? BAND_WIDTH : CHANNEL_MHZ,
        .send_ma = chosen->send_ma,
        .receive_ma = model->receive_ma,
        .idle_ma = model->idle_ma,
        .bits_per_s = BITS_PER_S,
    };
    return MF_E_OK;
}

/* ---- antennas */

#define ANGLE_RAD (MF_PI / (double)(MF_ANTENNA_ANGLES - 1u))
#define NULL_DB   (-40.0) /* along a dipole's axis, where its gain is 0 */
#define DIPOLE    1.64    /* gain of half a wavelength, across its axis */

static double dipole_db(uint32_t angle)
{
    const double rad = (double)angle * ANGLE_RAD, sine = mf_sin(rad);
    const double part = mf_cos(0.5 * MF_PI * mf_cos(rad)) / mf_larger(sine, 1e-6);
    return mf_larger(mf_db(mf_larger(DIPOLE * part * part, 1e-30)), NULL_DB);
}

void mf_antenna_init(struct mf_antenna *a, enum mf_antenna_kind kind, const double *gain_db)
{
    MF_ASSERT(a != NULL && kind < MF_ANTENNAS && (kind == MF_ANTENNA_PATTERN) == (gain_db != NULL));
    *a = (struct mf_antenna){.kind = (int32_t)kind};
    for (uint32_t i = 0; i < MF_ANTENNA_ANGLES && kind != MF_ANTENNA_ISOTROPIC; i++) {
        a->gain_db[i] = kind == MF_ANTENNA_DIPOLE ? dipole_db(i) : gain_db[i];
        MF_ASSERT(mf_within(a->gain_db[i], 100.0));
        a->most_db = i == 0 ? a->gain_db[i] : mf_larger(a->most_db, a->gain_db[i]);
    }
}

double mf_antenna_gain_db(const struct mf_antenna *a, const double axis[3], const double toward[3])
{
    if (a->kind == MF_ANTENNA_ISOTROPIC) {
        return 0.0;
    }
    const double along = axis[0] * toward[0] + axis[1] * toward[1] + axis[2] * toward[2];
    const double across[3] = {axis[1] * toward[2] - axis[2] * toward[1],
                              axis[2] * toward[0] - axis[0] * toward[2],
                              axis[0] * toward[1] - axis[1] * toward[0]};
    const double beside =
        mf_sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    const double angle = mf_larger(mf_atan2(beside, along) / ANGLE_RAD, 0.0);
    const uint32_t i = (uint32_t)mf_smaller(angle, (double)(MF_ANTENNA_ANGLES - 2u));
    return a->gain_db[i] + (a->gain_db[i + 1u] - a->gain_db[i]) * (angle - (double)i);
}

/* ---- energy */

double mf_radio_air_s(const struct mf_radio *r, uint64_t bytes)
{
    return (double)bytes * 8.0 / r->bits_per_s;
}

double mf_radio_charge_mas(const struct mf_radio *r, double elapsed_s, uint64_t sent_bytes,
                           uint64_t received_bytes)
{
    const double sent_s = mf_radio_air_s(r, sent_bytes);
    const double received_s = mf_radio_air_s(r, received_bytes);
    const double idle_s = mf_larger(elapsed_s - sent_s - received_s, 0.0);
    return r->send_ma * sent_s + r->receive_ma * received_s + r->idle_ma * idle_s;
}

/* ---- reception */

/* Packets received of those sent: the tail of a normal distribution gives the share of wrong
 * symbols; a packet has 23 bytes of 2 symbols. */
static double cc2420_ratio(double snr_db)
{
    const double wrong = 0.5 * (1.0 - mf_erf(0.9794 * (snr_db - 2.3851) * mf_sqrt(0.5)));
    const double right = 1.0 - wrong;
    const double r2 = right * right, r4 = r2 * r2, r8 = r4 * r4, r16 = r8 * r8;
    return r16 * r16 * r8 * r4 * r2; /* 46 */
}

void mf_reception_init(struct mf_reception *t)
{
    for (uint32_t i = 0; i < sizeof t->ratio / sizeof t->ratio[0]; i++) {
        t->ratio[i] = cc2420_ratio((double)i / (double)MF_RECEPTION_PER_DB);
    }
}

double mf_radio_reception(const struct mf_radio *r, const struct mf_reception *t, double snr_db)
{
    switch ((enum mf_radio_kind)r->kind) {
    case MF_RADIO_OTHER:
        return snr_db >= r->least_snr_db ? r->ratio(r->ctx, snr_db) : 0.0;
    case MF_RADIO_GENERIC:
    case MF_RADIOS:
        return snr_db >= r->margin_db ? 1.0 : 0.0;
    case MF_RADIO_RF230:
        return 1.0;
    case MF_RADIO_CC2420:
        break;
    }
    if (!(snr_db >= 0.0)) {
        return 0.0;
    }
    if (snr_db >= (double)MF_RECEPTION_MAX_DB) {
        return 1.0;
    }
    const double place = snr_db * (double)MF_RECEPTION_PER_DB;
    const uint32_t i = (uint32_t)place;
    return t->ratio[i] + (t->ratio[i + 1u] - t->ratio[i]) * (place - (double)i);
}

double mf_radio_least_snr_db(const struct mf_radio *r)
{
    switch ((enum mf_radio_kind)r->kind) {
    case MF_RADIO_CC2420:
        return 0.0;
    case MF_RADIO_RF230:
        return -__builtin_inf();
    case MF_RADIO_OTHER:
        return r->least_snr_db;
    case MF_RADIO_GENERIC:
    case MF_RADIOS:
        break;
    }
    return r->margin_db;
}
