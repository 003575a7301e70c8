/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, defaults and checks of radios and their air. Called by fleet/scenario and scenario_keys,
 * and boards/swarm/radio. */
#include "fleet/scenario_radio.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#include <math.h>

#define RADIO(field)  offsetof(struct mf_scenario_radio, field)
#define SEND(field)   offsetof(struct mf_scenario_send, field)
#define MEDIUM(field) offsetof(struct mf_scenario_medium, field)

/* clang-format off */
#define X(name, word) word,
static const char *const k_radio_words[] = {MF_RADIO_LIST(X) NULL};
static const char *const k_antenna_words[] = {MF_ANTENNA_LIST(X) NULL};
static const char *const k_path_words[] = {MF_PATH_LIST(X) NULL};
static const char *const k_message_words[] = {MF_SCENARIO_MESSAGE_LIST(X) NULL};
#undef X
/* clang-format on */
static const char *const k_compat_words[] = {"none", "simbeeotic", NULL};

static bool read_pattern(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                         void *at)
{
    struct mf_scenario_radio *radio = at;
    radio->antenna = MF_ANTENNA_PATTERN;
    return mf_reading_numbers(r, node, MF_ANTENNA_ANGLES, MF_ANTENNA_ANGLES, key->low, key->high,
                              radio->gain_db);
}

static bool read_bytes(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at)
{
    struct mf_scenario_send *send = at;
    double value[MF_PACKET_BYTES_MAX];
    const size_t n = mf_node_count(node);
    if (mf_node_kind(node) != MF_NODE_LIST || n > MF_PACKET_BYTES_MAX) {
        return mf_reading_refuse(r, mf_node_line(node), "must be a list of at most %u bytes",
                                 MF_PACKET_BYTES_MAX);
    }
    if (!mf_reading_numbers(r, node, 0, MF_PACKET_BYTES_MAX, key->low, key->high, value)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (floor(value[i]) != value[i]) {
            return mf_reading_refuse(r, mf_node_line(node), "a byte is a whole number");
        }
        send->bytes[i] = (uint8_t)value[i];
    }
    send->size = (uint32_t)n;
    return true;
}

static const struct mf_key k_radio[] = {
    WORD("kind", RADIO(kind), k_radio_words,
         "cc2420: 0 to -25 dBm, receives from -90 dBm on by the measured curve over "
         "signal-to-noise; rf230: 3 to -17.2 dBm, receives all from -101 dBm on; generic: "
         "receives all that is 7 dB above the noise; own: of a plug-in"),
    MF_SCENARIO_OWN_KEYS(RADIO(own)),
    WHOLE("level", RADIO(level), 0, 31,
          "of transmission; cc2420: 31, 27, ... 3; rf230: 0 to 15; the strongest"),
    REAL("power", RADIO(power_dbm), -100, 100, "instead of a level [dBm]; generic: 15"),
    WHOLE("channel", RADIO(channel), 11, 26,
          "of IEEE 802.15.4; 11; generic: the whole band of 2.4 GHz"),
    WORD("antenna", RADIO(antenna), k_antenna_words,
         "isotropic; dipole: of half a wavelength; pattern: as given; isotropic"),
    {.name = "pattern",
     .type = MF_KEY_OTHER,
     .low = -100,
     .high = 100,
     .read = read_pattern,
     .help = "gains at 0, 10, ... 180 degrees from the antenna's axis [dB]"},
    MAP("gain", RADIO(gain), mf_scenario_own_keys,
        "instead of a pattern: the antenna of a plug-in (docs/plugins.md)"),
    TRIPLE("axis", RADIO(axis_neu), -1, 1, "of the antenna: [north, east, up]; up"),
};
const struct mf_keys mf_scenario_radio_keys = {k_radio, COUNT_OF(k_radio), "kind", RADIO(line)};

static const struct mf_key k_send[] = {
    REAL("every", SEND(every_s), 0.001, 1e6, "period [s]"),
    REAL("start", SEND(start_s), 0, 1e7, "the first time [s]; 0"),
    WORD("message", SEND(message), k_message_words,
         "bytes; position: a frame of MAVLink, GLOBAL_POSITION_INT with the sender's place; bytes"),
    {.name = "bytes",
     .type = MF_KEY_OTHER,
     .low = 0,
     .high = 255,
     .read = read_bytes,
     .help = "what is sent: [1, 2, 3, 4]; nothing but the sender's number"},
};
const struct mf_keys mf_scenario_send_keys = {k_send, COUNT_OF(k_send), "every", SEND(line)};

static const struct mf_key k_medium[] = {
    WORD("kind", MEDIUM(path), k_path_words,
         "free_space: the strength falls with the square of the distance; two_ray: with a "
         "reflection from flat ground at the origin's height; "
         "own: of a plug-in, which needs a range"),
    MF_SCENARIO_OWN_KEYS(MEDIUM(own)),
    PAIR("noise", MEDIUM(noise), -300, 100,
         "[mean, standard deviation] of each reception [dBm, dB]; [-100, 0]"),
    REAL("range", MEDIUM(range_m), 0.01, MF_MEDIUM_FAR_M,
         "beyond it nothing is heard [m]; what power, path and noise allow"),
    WORD("compat", MEDIUM(compat), k_compat_words,
         "simbeeotic: as published, with a tenth of the wavelength: 20 dB less; none"),
};
const struct mf_keys mf_scenario_medium_keys = {k_medium, COUNT_OF(k_medium), "kind", MEDIUM(line)};

void mf_scenario_radio_defaults(struct mf_scenario_radio *r, struct mf_scenario_send *s)
{
    *r = (struct mf_scenario_radio){.kind = -1,
                                    .level = MF_RADIO_OWN,
                                    .channel = MF_RADIO_OWN,
                                    .power_dbm = (double)NAN,
                                    .axis_neu = {0.0, 0.0, 1.0}};
    *s = (struct mf_scenario_send){.every_s = 0.0};
}

void mf_scenario_medium_defaults(struct mf_scenario_medium *m)
{
    *m = (struct mf_scenario_medium){.noise = {-100.0, 0.0}, .range_m = MF_MEDIUM_FAR_M};
}

int mf_scenario_radio(const struct mf_scenario_radio *r, struct mf_radio *radio)
{
    const int result = mf_radio_init(radio, (enum mf_radio_kind)r->kind, r->level, r->channel);
    if (result == MF_E_OK) {
        radio->power_dbm = isnan(r->power_dbm) ? radio->power_dbm : r->power_dbm;
        mf_antenna_init(&radio->antenna, (enum mf_antenna_kind)r->antenna,
                        r->antenna == MF_ANTENNA_PATTERN ? r->gain_db : NULL);
    }
    return result;
}

/* ---- checks */

bool mf_scenario_medium_check(struct mf_reading *r, struct mf_scenario *s)
{
    const struct mf_scenario_medium *m = &s->medium;
    if (m->path == MF_PATH_OTHER && m->range_m >= MF_MEDIUM_FAR_M) {
        return mf_reading_refuse(r, m->line, "medium: the path loss of a plug-in needs a range");
    }
    return m->noise[1] >= 0.0 ||
           mf_reading_refuse(r, 1, "medium.noise: a standard deviation is not below 0");
}

bool mf_scenario_radio_check(struct mf_reading *r, struct mf_scenario *s,
                             struct mf_scenario_entity *e)
{
    struct mf_radio radio;
    const double *axis = e->radio.axis_neu;
    if (e->radio.kind < 0) {
        return e->send.every_s == 0.0 ||
               mf_reading_refuse(r, e->send.line, "%s: send needs a radio", e->name);
    }
    if (mf_scenario_goes_by_steps(s)) {
        return mf_reading_refuse(r, e->radio.line,
                                 "%s: a search and a world of cells have no radios", e->name);
    }
    if (mf_scenario_radio(&e->radio, &radio) != MF_E_OK) {
        return mf_reading_refuse(r, e->radio.line,
                                 "%s: its radio has no such level: cc2420 has 31, 27, 23, 19, 15, "
                                 "11, 7 and 3, rf230 0 to 15, generic none but power",
                                 e->name);
    }
    if (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] < 1e-6) {
        return mf_reading_refuse(r, e->radio.line, "%s: radio.axis points nowhere", e->name);
    }
    return e->send.every_s == 0.0 || isfinite(s->time.end_s) ||
           mf_reading_refuse(r, e->send.line, "%s: send never ends: time.end must be seconds",
                             e->name);
}
