/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/rates.h"

#include "firmware/report/stream.h"
#include "firmware/state/stream.h"
#include "host/base/value.h"

#include <string.h>

static const char *const k_stream_name[MF_STREAM_COUNT] = {
#define X(NAME, name, of, sim, px4, onboard, min) [MF_STREAM_##NAME] = #NAME,
    MF_STREAM_LIST(X)
#undef X
};

/* Profiles in the order of the words of the setting "profile". */
static const enum mf_rate_profile k_profile[] = {
#define X(name, text) MF_PROFILE_##name,
    MF_PROFILE_LIST(X)
#undef X
};

static int find_stream(const char *name, struct mf_nearest *nearest)
{
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        if (strcmp(k_stream_name[i], name) == 0) {
            return i;
        }
        mf_nearest_try(nearest, k_stream_name[i]);
    }
    return MF_E_NOENT;
}

static int set_rate(struct mf_config *c, const struct mf_config_rate *rate, int32_t *interval_us)
{
    struct mf_nearest nearest = {.word = rate->name};
    const int stream = find_stream(rate->name, &nearest);
    if (stream < 0) {
        return mf_config_complain(c, &rate->origin, "'%s' is not a message with a rate%s%s%s",
                                  rate->name, nearest.best != NULL ? ", did you mean " : "",
                                  nearest.best != NULL ? nearest.best : "",
                                  nearest.best != NULL ? "?" : "");
    }
    interval_us[stream] = rate->hz > 0.0 && rate->hz >= 1e6 / INT32_MAX
                              ? (int32_t)(1e6 / rate->hz + 0.5)
                              : MF_STREAM_OFF;
    return MF_E_OK;
}

/* True if the rates of a link are those of an onboard computer by default, not by a user's
 * choice. */
static bool is_left_to_sdk(const struct mf_config *c, const struct mf_config_link *link)
{
    return link->profile < 0 && c->layer[MF_CONFIG_profile] == MF_LAYER_DEFAULT &&
           link->kind != MF_LINK_SERIAL &&
           mf_config_quality(c, link)->way[MF_WAY_OUT].rate_bps == 0;
}

/* Set the rates of a link: from its profile, remote identification, the settings of all links, then
 * its own settings. */
int board_rates(struct mf_config *c, const struct mf_config_link *link, int32_t *interval_us)
{
    const int passes[] = {-1, link->id};
    mf_stream_profile(k_profile[link->profile >= 0 ? link->profile : c->profile], interval_us);
    if (is_left_to_sdk(c, link)) {
        mf_stream_leave_to_sdk(interval_us, c->px4_strict);
    }
    if (c->remote_id) {
        mf_stream_remote_id(interval_us);
    }
    for (size_t pass = 0; pass < 2; pass++) {
        for (int i = 0; i < c->rate_count; i++) {
            const struct mf_config_rate *rate = &c->rate[i];
            if (rate->link_id == passes[pass] && set_rate(c, rate, interval_us) != MF_E_OK) {
                return MF_E_RANGE;
            }
        }
    }
    return MF_E_OK;
}
