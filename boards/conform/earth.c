/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/conform/earth.h"

#include "host/spec/geoidspec.h"
#include "world/earth.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define HASH_TEXT (2 * MF_GEOID_HASH_BYTES + 1)

__attribute__((format(printf, 3, 4))) static int fail(struct drone_earth *e, int error,
                                                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(e->why, sizeof e->why, format, args);
    va_end(args);
    return error;
}

int drone_earth_have(struct drone_earth *earth, const uint8_t *bytes, size_t size)
{
    if (earth->count == DRONE_PACKS) {
        return fail(earth, MF_E_FULL, "more than %u packs", DRONE_PACKS);
    }
    if (mf_pack_open(&earth->pack[earth->count], bytes, size) != MF_E_OK) {
        return fail(earth, MF_E_IO, "no pack, damaged, or of another version");
    }
    earth->count++;
    return MF_E_OK;
}

static const struct mf_pack *find(const struct drone_earth *earth, const char *name, size_t n,
                                  const uint8_t *hash)
{
    for (size_t i = 0; i < earth->count; i++) {
        const char *model = mf_pack_model(&earth->pack[i]);
        if (earth->pack[i].kind == MF_PACK_GEOID && strlen(model) == n &&
            strncmp(model, name, n) == 0 &&
            (hash == NULL || mf_earth_how(&earth->pack[i], hash) != MF_PACK_AS_MADE)) {
            return &earth->pack[i];
        }
    }
    return NULL;
}

/* "NAME" or "NAME FINGERPRINT" */
static int add_pack(struct drone_earth *earth, const char *value)
{
    const size_t n = strcspn(value, " ");
    const char *wanted = value[n] == '\0' ? NULL : value + n + 1;
    uint8_t hash[MF_PACK_HASH];
    char text[2][HASH_TEXT];
    if (wanted != NULL && !mf_geoid_hash_parse(wanted, hash)) {
        return fail(earth, MF_E_RANGE, "geoid: '%.80s' is not a fingerprint", wanted);
    }
    const struct mf_pack *any = find(earth, value, n, NULL);
    const struct mf_pack *pack = wanted == NULL ? any : find(earth, value, n, hash);
    if (any == NULL) {
        return fail(earth, MF_E_NOENT, "geoid: no pack of %.*s is at hand: give --geoid %.*s:FILE",
                    (int)(n < 32 ? n : 32), value, (int)(n < 32 ? n : 32), value);
    }
    if (pack == NULL) {
        return fail(earth, MF_E_RANGE,
                    "geoid: %s has fingerprint %s there; here it has %s (bilinear), %s (cubic)",
                    mf_pack_model(any), wanted,
                    mf_geoid_hash_text(mf_pack_fingerprint(any, MF_PACK_BILINEAR), text[0]),
                    mf_geoid_hash_text(mf_pack_fingerprint(any, MF_PACK_CUBIC), text[1]));
    }
    return mf_geoid_add(&earth->geoid, pack,
                        wanted == NULL ? MF_PACK_AS_MADE : mf_earth_how(pack, hash));
}

int drone_earth_set(struct drone_earth *earth, const char *value)
{
    struct mf_geoid_spec spec;
    char reason[MF_GEOID_REASON_MAX];
    if (earth->geoid.count == MF_GEOID_LAYERS) {
        return fail(earth, MF_E_FULL, "geoid: more than %u models", MF_GEOID_LAYERS);
    }
    const bool number = strncmp(value, "constant:", 9) == 0 || strcmp(value, "none") == 0;
    if (!number) {
        return add_pack(earth, value);
    }
    if (mf_geoid_spec_parse(value, &spec, reason) != MF_E_OK) {
        return fail(earth, MF_E_RANGE, "geoid: %s", reason);
    }
    return mf_geoid_add_constant(&earth->geoid, spec.constant_m);
}

int drone_earth_set_terrain(struct drone_earth *earth, const char *value)
{
    uint8_t hash[MF_PACK_HASH];
    if (!mf_geoid_hash_parse(value, hash)) {
        return fail(earth, MF_E_RANGE, "terrain: '%.80s' is not a hash of a grid", value);
    }
    for (size_t i = 0; i < earth->count; i++) {
        if (memcmp(mf_pack_grid(&earth->pack[i]), hash, sizeof hash) == 0 &&
            mf_terrain_add(&earth->terrain, &earth->pack[i]) == MF_E_OK) {
            return MF_E_OK;
        }
    }
    return fail(earth, MF_E_NOENT, "terrain: no pack with grid %s is at hand: give --terrain FILE",
                value);
}
