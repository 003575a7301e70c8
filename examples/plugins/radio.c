/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Radio, antenna and path loss of one's own (docs/plugins.md): a radio of 868 MHz that reaches far
 * at 50 kbit/s, a cardioid, and the loss of a street, whose exponent the scenario gives.
 *
 *     cc -std=c11 -O2 -shared -fPIC -I . examples/plugins/radio.c -o examples/plugins/radio.so -lm
 */
#include "fleet/plugin.h"

#include <math.h>

/* ---- radio */

static const struct mf_plugin_param k_far_param[] = {
    {"power", MF_PLUGIN_REAL, -30, 14, {.real = 14.0}, "of transmission [dBm]"},
};

static void describe(const struct mf_plugin_self *self, struct mf_plugin_radio_sheet *sheet)
{
    *sheet = (struct mf_plugin_radio_sheet){.power_dbm = self->value[0].real,
                                            .sensitivity_dbm = -110.0,
                                            .least_snr_db = -5.0,
                                            .frequency_mhz = 868.0,
                                            .width_mhz = 0.6,
                                            .bits_per_s = 50e3,
                                            .send_ma = 45.0,
                                            .receive_ma = 11.0,
                                            .idle_ma = 1.5};
}

/* All from 5 dB on, none below -5 dB, a straight line between. */
static double reception(const struct mf_plugin_self *self, double snr_db)
{
    (void)self;
    return fmin(fmax((snr_db + 5.0) / 10.0, 0.0), 1.0);
}

static const struct mf_plugin_radio k_far = {describe, reception};

/* ---- antenna */

static double cardioid(const struct mf_plugin_self *self, double angle_rad)
{
    (void)self;
    return fmax(20.0 * log10(fmax(0.5 + 0.5 * cos(angle_rad), 1e-3)), -40.0);
}

static const struct mf_plugin_antenna k_cardioid = {cardioid};

/* ---- path loss */

static const struct mf_plugin_param k_street_param[] = {
    {"exponent", MF_PLUGIN_REAL, 1, 6, {.real = 2.7}, "of distance"},
};

/* As in free space over the first metre. */
static double street(const struct mf_plugin_self *self, const struct mf_plugin_way *way)
{
    const double first_db = 20.0 * log10(way->frequency_mhz) - 27.55;
    return first_db + 10.0 * self->value[0].real * log10(fmax(way->distance_m, 1.0));
}

static const struct mf_plugin_path k_street = {street};

/* ---- all of it */

static const struct mf_plugin_entry k_entry[] = {
    {.kind = MF_PLUGIN_RADIO,
     .name = "far",
     .help = "868 MHz, 50 kbit/s",
     .param = k_far_param,
     .params = 1,
     .radio = &k_far},
    {.kind = MF_PLUGIN_ANTENNA,
     .name = "cardioid",
     .help = "all ahead, nothing behind",
     .antenna = &k_cardioid},
    {.kind = MF_PLUGIN_PATH,
     .name = "street",
     .help = "by a power of distance",
     .param = k_street_param,
     .params = 1,
     .path = &k_street},
};

const struct mf_plugin mf_plugin = {MF_PLUGIN_VERSION, sizeof(struct mf_plugin_entry), "radios",
                                    k_entry, sizeof k_entry / sizeof k_entry[0]};
