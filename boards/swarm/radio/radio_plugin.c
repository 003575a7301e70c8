/* SPDX-License-Identifier: Apache-2.0 */
/* Find plug-ins for radios, antennas and path loss, and call them. radio.c calls it. */
#include "boards/swarm/radio/radio_plugin.h"

#include "boards/swarm/core/plugins.h"
#include "math/trig.h"

#include <math.h>

#define MOST_DB 100.0 /* largest power [dBm] and gain [dB] that a plug-in may have */

/* The arena holds these, since a checkpoint has their addresses: a resume finds the plug-ins of its
 * process. */
struct radio_plugins {
    struct swarm_plugin path;
    struct {
        struct swarm_plugin radio, antenna;
    } of[]; /* [entities] */
};

/* @return NULL: on a leaf, which finds no plug-ins */
static struct radio_plugins *radio_plugins_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_RADIO_PLUGIN];
}

int swarm_radio_plugin_prepare(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = swarm_plugins_make(w, SWARM_SLOT_RADIO_PLUGIN,
                                    sizeof(struct radio_plugins) +
                                        s->entities * sizeof radio_plugins_of(w)->of[0]);
    for (uint32_t k = 0; result == SWARM_OK && k < s->entities; k++) {
        const struct mf_scenario_radio *r = &s->entity[k].radio;
        char key[MF_SCENARIO_NAME_MAX + 16u];
        (void)snprintf(key, sizeof key, "%s.radio", s->entity[k].name);
        if (r->kind == MF_RADIO_OTHER) {
            result = swarm_plugin_find(w, &r->own, MF_PLUGIN_RADIO, key, r->line,
                                       &radio_plugins_of(w)->of[k].radio);
        }
        if (result == SWARM_OK && r->kind >= 0 && r->gain.name[0] != '\0') {
            result = swarm_plugin_find(w, &r->gain, MF_PLUGIN_ANTENNA, key, r->line,
                                       &radio_plugins_of(w)->of[k].antenna);
        }
    }
    if (result == SWARM_OK && s->medium.path == MF_PATH_OTHER) {
        result = swarm_plugin_find(w, &s->medium.own, MF_PLUGIN_PATH, "medium", s->medium.line,
                                   &radio_plugins_of(w)->path);
    }
    return result;
}

/* ---- radios and antennas */

static double get_reception(const void *ctx, double snr_db)
{
    const struct swarm_plugin *o = ctx;
    swarm_plugin_enter(o);
    const double part = o->entry->radio->reception(&o->self, snr_db);
    swarm_plugin_leave();
    if (!(part >= 0.0 && part <= 1.0)) {
        swarm_plugin_fatal(o,
                           "receives a part of %g of the packets at %g dB: it must be from 0 to 1",
                           part, snr_db);
    }
    return part;
}

static bool is_valid_sheet(const struct mf_plugin_radio_sheet *s)
{
    return mf_within(s->power_dbm, MOST_DB) && isfinite(s->sensitivity_dbm) &&
           isfinite(s->least_snr_db) && s->frequency_mhz > 0.0 && isfinite(s->frequency_mhz) &&
           s->width_mhz > 0.0 && isfinite(s->width_mhz) && s->bits_per_s > 0.0 &&
           isfinite(s->bits_per_s) && s->send_ma >= 0.0 && isfinite(s->send_ma) &&
           s->receive_ma >= 0.0 && isfinite(s->receive_ma) && s->idle_ma >= 0.0 &&
           isfinite(s->idle_ma);
}

static void describe_radio(const struct swarm_plugin *o, bool powered, struct mf_radio *r)
{
    struct mf_plugin_radio_sheet sheet = {r->power_dbm,     r->sensitivity_dbm, r->margin_db,
                                          r->frequency_mhz, r->width_mhz,       r->bits_per_s,
                                          r->send_ma,       r->receive_ma,      r->idle_ma};
    swarm_plugin_enter(o);
    o->entry->radio->describe(&o->self, &sheet);
    swarm_plugin_leave();
    if (!is_valid_sheet(&sheet)) {
        swarm_plugin_fatal(o, "describes a radio with a value that is not a number, or out of the "
                              "range that fleet/plugin.h names");
    }
    r->power_dbm = powered ? r->power_dbm : sheet.power_dbm;
    r->sensitivity_dbm = sheet.sensitivity_dbm;
    r->least_snr_db = sheet.least_snr_db;
    r->frequency_mhz = sheet.frequency_mhz;
    r->width_mhz = sheet.width_mhz;
    r->bits_per_s = sheet.bits_per_s;
    r->send_ma = sheet.send_ma;
    r->receive_ma = sheet.receive_ma;
    r->idle_ma = sheet.idle_ma;
    r->ratio = get_reception;
    r->ctx = o;
}

static void describe_antenna(const struct swarm_plugin *o, struct mf_antenna *antenna)
{
    double gain_db[MF_ANTENNA_ANGLES];
    for (uint32_t i = 0; i < MF_ANTENNA_ANGLES; i++) {
        swarm_plugin_enter(o);
        gain_db[i] = o->entry->antenna->gain_db(&o->self, (double)i * MF_PI /
                                                              (double)(MF_ANTENNA_ANGLES - 1u));
        swarm_plugin_leave();
        if (!mf_within(gain_db[i], MOST_DB)) {
            swarm_plugin_fatal(o, "has a gain of %g dB at %u degrees: it must be from -100 to 100",
                               gain_db[i], (unsigned)(i * 180u / (MF_ANTENNA_ANGLES - 1u)));
        }
    }
    mf_antenna_init(antenna, MF_ANTENNA_PATTERN, gain_db);
}

void swarm_radio_plugin_describe(const struct swarm *w, uint32_t entity, struct mf_radio *r)
{
    const struct radio_plugins *plugins = radio_plugins_of(w);
    if (plugins != NULL && plugins->of[entity].radio.entry != NULL) {
        describe_radio(&plugins->of[entity].radio,
                       !isnan(w->scenario->entity[entity].radio.power_dbm), r);
    }
    if (plugins != NULL && plugins->of[entity].antenna.entry != NULL) {
        describe_antenna(&plugins->of[entity].antenna, &r->antenna);
    }
}

/* ---- path loss */

static double get_loss_db(const void *ctx, const struct mf_medium_way *way)
{
    const struct swarm_plugin *o = ctx;
    const double *p = way->from_neu_m, *q = way->to_neu_m;
    const struct mf_plugin_way given = {{p[1], p[0], p[2]}, {q[1], q[0], q[2]}, way->distance_m,
                                        way->frequency_mhz, way->sender + 1u,   way->receiver + 1u};
    swarm_plugin_enter(o);
    const double loss_db = o->entry->path->loss_db(&o->self, &given);
    swarm_plugin_leave();
    if (!isfinite(loss_db)) {
        swarm_plugin_fatal(o, "has a loss of %g dB over %g m: it must be finite", loss_db,
                           way->distance_m);
    }
    return loss_db;
}

void swarm_radio_plugin_path(const struct swarm *w, struct mf_medium_settings *m)
{
    if (w->scenario->medium.path == MF_PATH_OTHER) {
        m->loss_db = get_loss_db;
        m->ctx = &radio_plugins_of(w)->path;
    }
}
