/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/terrain.h"

#include "boards/posix/earth.h"
#include "hal-posix/map_file.h"
#include "host/base/output.h"
#include "host/record/setting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define HASH_TEXT (2 * MF_GEOID_HASH_BYTES + 1)

/* ---- one pack */

static int add(struct mf_config *config, const struct mf_config_origin *origin, const char *file,
               struct mf_terrain *terrain)
{
    const uint8_t *bytes;
    size_t size;
    struct mf_pack pack;
    errno = 0;
    int result = mf_map_file(file, &bytes, &size);
    if (result == MF_E_IO) {
        return mf_config_complain(config, origin, "%s: %s; 'geoid pack' makes packs", file,
                                  strerror(errno));
    }
    mf_output_keep(file);
    result = result == MF_E_OK ? mf_pack_open(&pack, bytes, size) : MF_E_IO;
    if (result != MF_E_OK) {
        return mf_config_complain(config, origin, "%s is %s; 'geoid pack' makes packs", file,
                                  result == MF_E_NOSUPP ? "a pack of another version"
                                                        : "no pack, damaged or cut short");
    }
    result = mf_terrain_add(terrain, &pack);
    if (result == MF_E_NOSUPP) {
        return mf_config_complain(config, origin, "%s is a pack of a geoid (%s), not of terrain",
                                  file, mf_pack_model(&pack));
    }
    return result == MF_E_OK
               ? MF_E_OK
               : mf_config_complain(config, origin, "more than %u packs", MF_TERRAIN_LAYERS);
}

/* Check the reference of heights: heights above one model, read as heights above another, would be
 * wrong by the difference of the models. */
static int check_model(struct mf_config *config, const struct mf_config_origin *origin,
                       const char *file, const struct mf_pack *pack, const char *served)
{
    if (mf_terrain_is_above(pack, served)) {
        return MF_E_OK;
    }
    return mf_config_complain(config, origin,
                              "the heights in %s are above %s, but %s serves home: pack it anew "
                              "with 'geoid pack --geoid'",
                              file, mf_pack_model(pack), served);
}

/* ---- the list */

static int check_home(struct mf_config *config, const struct mf_config_origin *origin,
                      struct mf_terrain *terrain)
{
    double ground_m;
    const int result =
        mf_terrain_at(terrain, config->home_lat_deg, config->home_lon_deg, &ground_m);
    if (result == MF_E_IO) {
        return mf_config_complain(config, origin,
                                  "a pack is damaged at home, %.7f, %.7f: make it anew",
                                  config->home_lat_deg, config->home_lon_deg);
    }
    const double off_m = result == MF_E_OK ? config->home_alt_amsl_m - ground_m : 0.0;
    if (off_m >= -config->home_terrain_tolerance_m && off_m <= config->home_terrain_tolerance_m) {
        return MF_E_OK;
    }
    return mf_config_complain(config, origin,
                              "home is at %.2f m, but the ground there, %.7f, %.7f, at %.2f m: "
                              "correct home.alt, or allow more with home_terrain_tolerance",
                              config->home_alt_amsl_m, config->home_lat_deg, config->home_lon_deg,
                              ground_m);
}

int board_terrain(struct mf_config *config, struct mf_geoid *geoid, struct mf_terrain *terrain)
{
    const struct mf_config_origin origin = mf_config_origin_of(config, MF_CONFIG_terrain);
    const struct mf_geoid_layer *by = NULL;
    char list[MF_CONFIG_TEXT_MAX];
    double undulation_m;
    if (mf_geoid_at(geoid, config->home_lat_deg, config->home_lon_deg, &undulation_m, &by) !=
        MF_E_OK) {
        return MF_E_RANGE; /* has been complained about */
    }
    (void)snprintf(list, sizeof list, "%s", config->terrain);
    for (char *file = list, *rest; file != NULL && list[0] != '\0'; file = rest) {
        rest = strchr(file, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        file += strspn(file, " ");
        if (add(config, &origin, file, terrain) != MF_E_OK ||
            check_model(config, &origin, file, &terrain->layer[terrain->count - 1],
                        mf_earth_name(by)) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return terrain->count == 0 ? MF_E_OK : check_home(config, &origin, terrain);
}

void board_terrain_text(const struct mf_config *config, struct mf_terrain *terrain, char *text)
{
    double ground_m;
    if (mf_terrain_at(terrain, config->home_lat_deg, config->home_lon_deg, &ground_m) != MF_E_OK) {
        (void)snprintf(text, BOARD_EARTH_TEXT,
                       "terrain of %zu packs; home is outside, and flat ground at %.2f m",
                       terrain->count, config->home_alt_amsl_m);
        return;
    }
    (void)snprintf(text, BOARD_EARTH_TEXT,
                   "terrain of %zu packs; stands at %.2f m, %+.2f m from what home says",
                   terrain->count, ground_m, ground_m - config->home_alt_amsl_m);
}

void board_terrain_record(struct mf_recorder *recorder, const struct mf_terrain *terrain)
{
    char hash[HASH_TEXT];
    for (size_t i = 0; i < terrain->count; i++) {
        mf_record_setting(recorder, "terrain=%s",
                          mf_geoid_hash_text(mf_pack_grid(&terrain->layer[i]), hash));
    }
}
