/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/earth.h"

#include "hal-posix/map_file.h"
#include "host/base/output.h"
#include "host/record/setting.h"
#include "world/egm96.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define HASH_TEXT (2 * MF_GEOID_HASH_BYTES + 1)

_Static_assert(MF_CONFIG_GEOIDS_MAX <= MF_GEOID_LAYERS, "every configured model has its place");
_Static_assert(MF_GEOID_HASH_BYTES == MF_PACK_HASH, "a fingerprint is a pack's");

/* The words of the setting "geoid_interpolation" are in this order. */
static const char *const k_how[] = {
    [MF_PACK_AS_MADE] = "pack", [MF_PACK_BILINEAR] = "bilinear", [MF_PACK_CUBIC] = "cubic"};

/* ---- one model */

static int open_pack(struct mf_config *config, const struct mf_config_geoid *item,
                     struct mf_pack *pack)
{
    const struct mf_geoid_spec *spec = &item->spec;
    const uint8_t *bytes = mf_egm96_pack;
    size_t size = mf_egm96_pack_size;
    int result = MF_E_OK;
    if (spec->source == MF_GEOID_FROM_FILE) {
        errno = 0;
        result = mf_map_file(spec->file, &bytes, &size);
    }
    if (result == MF_E_IO) {
        return mf_config_complain(config, &item->origin, "%s: %s: %s; 'geoid pack' makes packs",
                                  spec->name, spec->file, strerror(errno));
    }
    mf_output_keep(spec->file);
    result = result == MF_E_OK ? mf_pack_open(pack, bytes, size) : MF_E_IO;
    if (result != MF_E_OK) {
        return mf_config_complain(
            config, &item->origin, "%s: %s is %s; 'geoid pack' makes packs", spec->name, spec->file,
            result == MF_E_NOSUPP ? "a pack of another version" : "no pack, damaged or cut short");
    }
    if (pack->kind != MF_PACK_GEOID) {
        return mf_config_complain(config, &item->origin, "%s: %s is a pack of terrain, no geoid",
                                  spec->name, spec->file);
    }
    if (strcmp(mf_pack_model(pack), spec->name) != 0) {
        return mf_config_complain(config, &item->origin, "%s: the model in %s is %s: give %s:%s",
                                  spec->name, spec->file, mf_pack_model(pack), mf_pack_model(pack),
                                  spec->file);
    }
    return MF_E_OK;
}

/* The service's interpolation is the default: the one that has the fingerprint. */
static enum mf_pack_interpolation interpolation(const struct mf_config *config,
                                                const struct mf_pack *pack)
{
    const enum mf_pack_interpolation how = (enum mf_pack_interpolation)config->geoid_interpolation;
    uint8_t hash[MF_PACK_HASH];
    if (how == MF_PACK_AS_MADE && config->elevation_service[0] != '\0' &&
        mf_geoid_hash_parse(config->geoid_fingerprint, hash)) {
        return mf_earth_how(pack, hash);
    }
    return how;
}

/* Whether a model can serve anywhere behind those before it. The embedded one may stand behind a
 * pack of the whole Earth all the same: it ends lists out of habit, and a pack may have voids. */
static bool serves(const struct mf_geoid *geoid, const struct mf_geoid_spec *spec)
{
    if (geoid->count == 0 || !mf_earth_is_everywhere(&geoid->layer[geoid->count - 1])) {
        return true;
    }
    const struct mf_geoid_layer *before = &geoid->layer[geoid->count - 1];
    return spec->source == MF_GEOID_FROM_EMBEDDED && !before->is_constant &&
           strcmp(mf_earth_name(before), spec->name) != 0;
}

static int add(struct mf_config *config, const struct mf_config_geoid *item, struct mf_geoid *geoid)
{
    const struct mf_geoid_spec *spec = &item->spec;
    struct mf_pack pack;
    if (!serves(geoid, spec)) {
        return mf_config_complain(config, &item->origin,
                                  "%s would never serve: %s, which is before it, covers the Earth",
                                  spec->name, mf_earth_name(&geoid->layer[geoid->count - 1]));
    }
    int result;
    if (spec->source == MF_GEOID_FROM_NONE || spec->source == MF_GEOID_FROM_NUMBER) {
        result = mf_geoid_add_constant(geoid, spec->constant_m);
    } else if (open_pack(config, item, &pack) != MF_E_OK) {
        return MF_E_RANGE;
    } else {
        result = mf_geoid_add(geoid, &pack, interpolation(config, &pack));
    }
    MF_ASSERT(result == MF_E_OK);
    return MF_E_OK;
}

/* ---- the list */

static int check_home(struct mf_config *config, struct mf_geoid *geoid,
                      const struct mf_geoid_layer **by)
{
    const struct mf_config_origin *origin = &config->geoid[0].origin;
    double undulation_m;
    const int result =
        mf_geoid_at(geoid, config->home_lat_deg, config->home_lon_deg, &undulation_m, by);
    if (result == MF_E_IO) {
        return mf_config_complain(config, origin,
                                  "a pack is damaged at home, %.7f, %.7f: make it anew",
                                  config->home_lat_deg, config->home_lon_deg);
    }
    return result == MF_E_OK
               ? MF_E_OK
               : mf_config_complain(config, origin,
                                    "no model covers home, %.7f, %.7f: move home, or put egm96, "
                                    "which covers the Earth, at the end of the list",
                                    config->home_lat_deg, config->home_lon_deg);
}

static int check_fingerprint(struct mf_config *config, const struct mf_geoid_layer *by)
{
    const struct mf_config_origin origin = mf_config_origin_of(config, MF_CONFIG_geoid_fingerprint);
    const uint8_t *ours = mf_earth_fingerprint(by);
    uint8_t wanted[MF_PACK_HASH];
    char text[HASH_TEXT];
    if (!mf_geoid_hash_parse(config->geoid_fingerprint, wanted) ||
        (ours != NULL && memcmp(ours, wanted, sizeof wanted) == 0)) {
        return MF_E_OK;
    }
    if (ours == NULL) {
        return mf_config_complain(config, &origin,
                                  "%s is required, but %s, which serves home, has none",
                                  config->geoid_fingerprint, mf_earth_name(by));
    }
    return mf_config_complain(config, &origin,
                              "%s is required, but %s (%s), which serves home, has %s: plans would "
                              "be for another sea level",
                              config->geoid_fingerprint, mf_earth_name(by), k_how[by->how],
                              mf_geoid_hash_text(ours, text));
}

int board_earth(struct mf_config *config, struct mf_geoid *geoid)
{
    const struct mf_geoid_layer *by = NULL;
    for (int i = 0; i < config->geoid_count; i++) {
        if (add(config, &config->geoid[i], geoid) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    if (check_home(config, geoid, &by) != MF_E_OK || check_fingerprint(config, by) != MF_E_OK) {
        return MF_E_RANGE;
    }
    return MF_E_OK;
}

void board_earth_text(const struct mf_config *config, struct mf_geoid *geoid, char *text)
{
    const struct mf_geoid_layer *by = NULL;
    double undulation_m = 0.0;
    char hash[HASH_TEXT];
    const int result =
        mf_geoid_at(geoid, config->home_lat_deg, config->home_lon_deg, &undulation_m, &by);
    MF_ASSERT(result == MF_E_OK);
    const uint8_t *print = mf_earth_fingerprint(by);
    if (print == NULL) {
        (void)snprintf(text, BOARD_EARTH_TEXT, "geoid %s, %.4f m above the ellipsoid",
                       mf_earth_name(by), undulation_m);
        return;
    }
    (void)snprintf(
        text, BOARD_EARTH_TEXT,
        "geoid %s, %s, frame %s, epoch %s, fingerprint %s, %.4f m above the ellipsoid at home",
        mf_earth_name(by), k_how[by->how], mf_pack_frame(&by->pack), mf_pack_epoch(&by->pack),
        mf_geoid_hash_text(print, hash), undulation_m);
}

void board_earth_record(struct mf_recorder *recorder, const struct mf_geoid *geoid)
{
    char hash[HASH_TEXT];
    for (size_t i = 0; i < geoid->count; i++) {
        const struct mf_geoid_layer *layer = &geoid->layer[i];
        const uint8_t *print = mf_earth_fingerprint(layer);
        if (print != NULL) {
            mf_record_setting(recorder, "geoid=%s %s", mf_earth_name(layer),
                              mf_geoid_hash_text(print, hash));
        } else {
            mf_record_setting(recorder, "geoid=constant:%.17g", layer->constant_m);
        }
    }
}
