/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/record.h"

#include "boards/posix/earth.h"
#include "boards/posix/limits.h"
#include "boards/posix/params.h"
#include "boards/posix/terrain.h"
#include "firmware/core/param.h"
#include "firmware/state/param.h"
#include "firmware/state/remote_id.h"
#include "hal-posix/write_all.h"
#include "host/base/output.h"
#include "host/config/config_item.h"
#include "host/record/setting.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

bool board_record_is_full(const struct board_drone *d)
{
    const int32_t most = d->board->config.record_max;
    return most != 0 && d->recorded > (uint64_t)most;
}

/* Whole records: what ends at its limit is a recording, too. */
static bool write_file(void *ctx, const uint8_t *bytes, size_t n)
{
    struct board_drone *d = ctx;
    d->recorded += n;
    return !board_record_is_full(d) && mf_write_all(d->record_fd, bytes, n);
}

/* Record a setting, if it is one of the world or the vehicle with a value of its own. */
static void put_item(struct mf_recorder *r, const struct mf_config *config, int index)
{
    const struct mf_config_item *item = &mf_config_items[index];
    const void *field = (const uint8_t *)config + item->offset;
    char word[MF_CONFIG_NAME_MAX];
    double real;
    int32_t whole;
    if (item->type == MF_TYPE_REAL) {
        memcpy(&real, field, sizeof real);
        mf_record_setting(r, "%s=%.17g", item->key, real);
    } else if (item->type == MF_TYPE_INT) {
        memcpy(&whole, field, sizeof whole);
        mf_record_setting(r, "%s=%" PRId32, item->key, whole);
    } else if (item->type == MF_TYPE_BOOL) {
        mf_record_setting(r, "%s=%d", item->key, *(const bool *)field ? 1 : 0);
    } else if (item->type == MF_TYPE_WORD) {
        memcpy(&whole, field, sizeof whole);
        if (mf_config_nth_word(item, whole, word)) {
            mf_record_setting(r, "%s=%s", item->key, word);
        }
    }
}

/* True for settings that the vehicle's setup, or the fingerprints of its models, record more
 * exactly. */
static bool stands_in_setup(int item)
{
    return item == (int)MF_CONFIG_geoid_interpolation ||
           item == (int)MF_CONFIG_home_terrain_tolerance_m ||
           item == (int)MF_CONFIG_home_spread_m || item == (int)MF_CONFIG_instance ||
           item == (int)MF_CONFIG_sysid || item == (int)MF_CONFIG_px4_strict ||
           item == (int)MF_CONFIG_audit || item == (int)MF_CONFIG_lose_item_reached ||
           item == (int)MF_CONFIG_lenient_param_types || item == (int)MF_CONFIG_uas_id_type ||
           item == (int)MF_CONFIG_ua_type || item == (int)MF_CONFIG_eu_category ||
           item == (int)MF_CONFIG_params_file || item == (int)MF_CONFIG_eu_class;
}

/* Types, category, class, then the two ids, byte by byte. */
static void put_remote_id(struct mf_recorder *r, const struct mf_remote_id_card *card)
{
    char id[2][2 * MF_REMOTE_ID_BYTES + 1];
    for (size_t i = 0; i < MF_REMOTE_ID_BYTES; i++) {
        (void)snprintf(id[0] + 2 * i, 3, "%02x", (unsigned)card->uas_id[i]);
        (void)snprintf(id[1] + 2 * i, 3, "%02x", (unsigned)(uint8_t)card->operator_id[i]);
    }
    mf_record_setting(r, "remote_id=%u %u %u %u %s %s", card->id_type, card->ua_type,
                      card->category_eu, card->class_eu, id[0], id[1]);
}

static void put_setup(struct mf_recorder *r, const struct mf_setup *setup)
{
    const struct mf_options *o = &setup->options;
    mf_record_setting(r, "links=%u", setup->link_count);
    mf_record_setting(r, "sysid=%u", setup->sysid);
    mf_record_setting(r, "compid=%u", setup->compid);
    mf_record_setting(r, "uid=0x%" PRIx64, setup->uid);
    mf_record_setting(r, "px4_strict=%d", o->px4_strict);
    if (o->audit) {
        mf_record_setting(r, "audit=1");
    }
    if (o->lose_item_reached) {
        mf_record_setting(r, "lose_item_reached=1");
    }
    mf_record_setting(r, "lenient_param_types=%d", o->lenient_param_types);
    mf_record_setting(r, "statustext_gcs_only=%d", o->statustext_gcs_only);
    mf_record_setting(r, "holdable_clock=%d", setup->barriers != NULL);
    mf_record_setting(r, "start_grid_us=%" PRId32, o->start_grid_us);
    if (setup->remote_id != NULL) {
        put_remote_id(r, setup->remote_id);
    }
}

static void put_config(struct mf_recorder *r, const struct mf_config *config)
{
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const enum mf_config_group group = mf_config_items[i].group;
        if ((group == MF_GROUP_WORLD || group == MF_GROUP_VEHICLE) && !stands_in_setup(i)) {
            put_item(r, config, i);
        }
    }
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        double value;
        if (board_params_get(i, &value)) {
            mf_record_setting(r, "param.%s=%.17g", mf_param_info((enum mf_param)i)->name, value);
        }
    }
    for (int i = 0; i < config->param_count; i++) {
        mf_record_setting(r, "param.%s=%.17g", config->param[i].name, config->param[i].value);
    }
    for (int i = 0; i < config->fault_count; i++) {
        char text[MF_FAULT_SPEC_MAX];
        mf_fault_spec_print(&config->fault[i], text);
        mf_record_setting(r, "fault=%s", text);
    }
}

static int refuse(struct mf_config *config, const char *why)
{
    const struct mf_config_origin origin = mf_config_origin_of(config, MF_CONFIG_record);
    (void)mf_config_complain(config, &origin, "%.200s: %s", config->record, why);
    return MF_E_IO;
}

int board_record(struct board_drone *d, const struct mf_setup *setup)
{
    if (d->board->config.record[0] == '\0') {
        return MF_E_OK;
    }
    const char *why;
    mf_output_keep(d->board->config.config);
    mf_output_keep(d->board->config.params_file);
    mf_output_keep(d->board->config.signing_key);
    d->record_fd = mf_output_open(d->board->config.record, &why);
    if (d->record_fd < 0) {
        return refuse(&d->board->config, why);
    }
    const int result = mf_wiring_record(&d->wiring, write_file, d);
    struct mf_recorder *r = d->wiring.recorder;
    MF_ASSERT(result == MF_E_OK);
    put_setup(r, setup);
    put_config(r, &d->board->config);
    board_earth_record(r, &d->board->geoid);
    board_terrain_record(r, &d->board->terrain);
    mf_recorder_store(r, &setup->hal);
    mf_recorder_flush(r);
    return r->failed ? refuse(&d->board->config, strerror(errno)) : MF_E_OK;
}
