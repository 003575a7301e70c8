/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/offer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    enum mf_pack_interpolation how;
} k_interpolation[] = {{"bilinear", MF_PACK_BILINEAR}, {"cubic", MF_PACK_CUBIC}};

static const struct {
    const char *name;
    enum mf_pack_kind kind;
} k_kind[] = {{"geoid", MF_PACK_GEOID}, {"terrain", MF_PACK_TERRAIN}};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

void geoid_hash_text(const uint8_t *hash, char *text)
{
    static const char k_hex[] = "0123456789abcdef";
    for (size_t i = 0; i < MF_PACK_HASH; i++) {
        text[2 * i] = k_hex[hash[i] >> 4];
        text[2 * i + 1] = k_hex[hash[i] & 15];
    }
    text[2 * MF_PACK_HASH] = '\0';
}

static int digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char low = (char)(c | 0x20);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

bool geoid_hash_parse(const char *text, uint8_t *hash)
{
    if (strlen(text) != GEOID_HASH_TEXT - 1) {
        return false;
    }
    for (size_t i = 0; i < MF_PACK_HASH; i++) {
        const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        hash[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

const uint8_t *geoid_offer_fingerprint(const struct geoid_offer *offer,
                                       enum mf_pack_interpolation how)
{
    how = how == MF_PACK_AS_MADE ? offer->interpolation : how;
    return how == MF_PACK_BILINEAR ? offer->bilinear : offer->cubic;
}

const char *geoid_how_name(enum mf_pack_interpolation how)
{
    return k_interpolation[how == MF_PACK_BILINEAR ? 0 : 1].name;
}

enum mf_pack_interpolation geoid_how_find(const char *name)
{
    for (size_t i = 0; i < COUNT(k_interpolation); i++) {
        if (strcmp(k_interpolation[i].name, name) == 0) {
            return k_interpolation[i].how;
        }
    }
    return MF_PACK_AS_MADE;
}

const char *geoid_kind_name(enum mf_pack_kind kind)
{
    return k_kind[kind == MF_PACK_TERRAIN ? 1 : 0].name;
}

bool geoid_kind_find(const char *name, enum mf_pack_kind *kind)
{
    for (size_t i = 0; i < COUNT(k_kind); i++) {
        if (strcmp(k_kind[i].name, name) == 0) {
            *kind = k_kind[i].kind;
            return true;
        }
    }
    return false;
}

bool geoid_offer_is_large(const struct geoid_offer *offer)
{
    return (uint64_t)offer->grid.rows * offer->grid.columns > GEOID_OFFER_NODES_MAX;
}

int64_t geoid_offer_bytes(const struct geoid_offer *offer)
{
    return (int64_t)offer->grid.rows * offer->grid.columns * 4;
}

const char *geoid_offer_pack_model(const struct geoid_offer *offer)
{
    return offer->above[0] != '\0' ? offer->above : offer->model;
}

void geoid_offer_of_pack(const struct mf_pack *pack, struct geoid_offer *offer)
{
    *offer = (struct geoid_offer){
        .kind = pack->kind == MF_PACK_TERRAIN ? MF_PACK_TERRAIN : MF_PACK_GEOID,
        .interpolation = pack->interpolation == MF_PACK_BILINEAR ? MF_PACK_BILINEAR : MF_PACK_CUBIC,
        .quantum_um = pack->quantum_um,
        .grid = {.rows = pack->rows,
                 .columns = pack->columns,
                 .north_e9 = pack->north_e9,
                 .west_e9 = pack->west_e9,
                 .lat_num = pack->lat_num,
                 .lat_den = pack->lat_den,
                 .lon_num = pack->lon_num,
                 .lon_den = pack->lon_den,
                 .wraps = pack->wraps},
    };
    (void)snprintf(offer->kind == MF_PACK_TERRAIN ? offer->above : offer->model,
                   sizeof offer->model, "%s", mf_pack_model(pack));
    (void)snprintf(offer->frame, sizeof offer->frame, "%s", mf_pack_frame(pack));
    (void)snprintf(offer->epoch, sizeof offer->epoch, "%s", mf_pack_epoch(pack));
    memcpy(offer->source, mf_pack_source(pack), MF_PACK_HASH);
    memcpy(offer->hash, mf_pack_grid(pack), MF_PACK_HASH);
    memcpy(offer->bilinear, mf_pack_fingerprint(pack, MF_PACK_BILINEAR), MF_PACK_HASH);
    memcpy(offer->cubic, mf_pack_fingerprint(pack, MF_PACK_CUBIC), MF_PACK_HASH);
}

/* ---- JSON */

static json_t *degrees(int64_t e9)
{
    return json_real((double)e9 / 1e9);
}

json_t *geoid_offer_json(const struct geoid_offer *offer)
{
    char source[GEOID_HASH_TEXT], hash[GEOID_HASH_TEXT], own[GEOID_HASH_TEXT];
    char bilinear[GEOID_HASH_TEXT], cubic[GEOID_HASH_TEXT];
    const struct geoid_grid *g = &offer->grid;
    const struct geoid_box box = geoid_grid_bounds(g);
    geoid_hash_text(offer->source, source);
    geoid_hash_text(offer->hash, hash);
    geoid_hash_text(offer->bilinear, bilinear);
    geoid_hash_text(offer->cubic, cubic);
    geoid_hash_text(geoid_offer_fingerprint(offer, MF_PACK_AS_MADE), own);
    /* clang-format off */
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:s, s:{s:s, s:s}, s:s, s:s, s:s, s:s, s:I,"
        " s:{s:o, s:o, s:o, s:o},"
        " s:{s:I, s:I, s:I, s:I, s:[I, I], s:[I, I], s:b, s:I}}",
        "model", offer->model, "kind", geoid_kind_name(offer->kind),
        "interpolation", geoid_how_name(offer->interpolation), "fingerprint", own,
        "fingerprints", "bilinear", bilinear, "cubic", cubic, "frame", offer->frame,
        "epoch", offer->epoch, "grid_hash", hash, "source_sha256", source,
        "bytes", (json_int_t)geoid_offer_bytes(offer),
        "bounds", "south", degrees(box.south_e9), "west", degrees(box.west_e9),
        "north", degrees(box.north_e9), "east", degrees(box.east_e9),
        "grid", "rows", (json_int_t)g->rows, "columns", (json_int_t)g->columns,
        "north_e9", (json_int_t)g->north_e9, "west_e9", (json_int_t)g->west_e9,
        "lat_step", (json_int_t)g->lat_num, (json_int_t)g->lat_den,
        "lon_step", (json_int_t)g->lon_num, (json_int_t)g->lon_den,
        "wraps", (int)g->wraps, "quantum_um", (json_int_t)offer->quantum_um);
    /* clang-format on */
    if (json != NULL && offer->above[0] != '\0') {
        (void)json_object_set_new(json, "above", json_string(offer->above));
    }
    return json;
}

/* State of a reading; it stops at the first error. */
struct reading {
    char *error;
    size_t size;
    bool wrong;
};

static void complain(struct reading *r, const char *key, const char *what)
{
    if (!r->wrong) {
        (void)snprintf(r->error, r->size, "\"%s\" %s", key, what);
        r->wrong = true;
    }
}

static int64_t read_integer(struct reading *r, json_t *object, const char *key, int64_t min,
                            int64_t max)
{
    json_t *item = json_object_get(object, key);
    const int64_t value = json_is_integer(item) ? json_integer_value(item) : 0;
    if (!json_is_integer(item) || value < min || value > max) {
        char what[96];
        (void)snprintf(what, sizeof what, "must be an integer from %" PRId64 " to %" PRId64, min,
                       max);
        complain(r, key, what);
        return min;
    }
    return value;
}

static void read_step(struct reading *r, json_t *object, const char *key, uint32_t *num,
                      uint32_t *den)
{
    json_t *item = json_object_get(object, key);
    const json_int_t n = json_integer_value(json_array_get(item, 0));
    const json_int_t d = json_integer_value(json_array_get(item, 1));
    *num = *den = 1;
    if (json_array_size(item) != 2 || n < 1 || d < 1 || d > MF_PACK_DEN_MAX || n > 90 * d) {
        complain(r, key, "must be [numerator, denominator] of a spacing in degrees");
        return;
    }
    *num = (uint32_t)n;
    *den = (uint32_t)d;
}

static const char *read_string(struct reading *r, json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL) {
        complain(r, key, "must be a text");
    }
    return text != NULL ? text : "";
}

/* A name: it becomes part of a file's name, too. */
static void read_name(struct reading *r, json_t *object, const char *key, char *out, size_t size)
{
    const char *text = read_string(r, object, key);
    const size_t n = strlen(text);
    if (n < 1 || n >= size || *text == '.' || *text == '-' ||
        strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789._+-") != n) {
        complain(r, key, "must be a short name of a-z 0-9 . _ + -");
        return;
    }
    memcpy(out, text, n + 1);
}

static void read_hash(struct reading *r, json_t *object, const char *key, uint8_t *hash)
{
    if (!geoid_hash_parse(read_string(r, object, key), hash)) {
        complain(r, key, "must be 64 hexadecimal digits");
    }
}

static void read_grid(struct reading *r, json_t *object, struct geoid_offer *o)
{
    static const int64_t k_pole_e9 = INT64_C(90000000000);
    struct geoid_grid *g = &o->grid;
    json_t *wraps = json_object_get(object, "wraps");
    g->rows = (uint32_t)read_integer(r, object, "rows", 2, 180 * (int64_t)MF_PACK_DEN_MAX);
    g->columns = (uint32_t)read_integer(r, object, "columns", 2, 360 * (int64_t)MF_PACK_DEN_MAX);
    g->north_e9 = read_integer(r, object, "north_e9", -k_pole_e9, k_pole_e9);
    g->west_e9 = read_integer(r, object, "west_e9", -4 * k_pole_e9, 4 * k_pole_e9);
    read_step(r, object, "lat_step", &g->lat_num, &g->lat_den);
    read_step(r, object, "lon_step", &g->lon_num, &g->lon_den);
    o->quantum_um = (uint32_t)read_integer(r, object, "quantum_um", 1, MF_PACK_QUANTUM_MAX);
    g->wraps = json_is_true(wraps);
    if (!json_is_boolean(wraps)) {
        complain(r, "wraps", "must be true or false");
    }
    if ((uint64_t)(g->rows - 1) * g->lat_num > 180u * (uint64_t)g->lat_den ||
        (uint64_t)(g->columns - 1) * g->lon_num > 360u * (uint64_t)g->lon_den) {
        complain(r, "grid", "is larger than the Earth");
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): written through the reading
bool geoid_offer_read(json_t *json, struct geoid_offer *offer, char *error, size_t error_size)
{
    struct reading r = {.error = error, .size = error_size};
    *offer = (struct geoid_offer){.kind = MF_PACK_GEOID};
    read_name(&r, json, "model", offer->model, sizeof offer->model);
    if (!geoid_kind_find(read_string(&r, json, "kind"), &offer->kind)) {
        complain(&r, "kind", "must be geoid or terrain");
    }
    if (offer->kind == MF_PACK_TERRAIN && json_object_get(json, "above") != NULL) {
        read_name(&r, json, "above", offer->above, sizeof offer->above);
    }
    offer->interpolation = geoid_how_find(read_string(&r, json, "interpolation"));
    if (offer->interpolation == MF_PACK_AS_MADE) {
        complain(&r, "interpolation", "must be bilinear or cubic");
    }
    read_name(&r, json, "frame", offer->frame, sizeof offer->frame);
    read_name(&r, json, "epoch", offer->epoch, sizeof offer->epoch);
    read_hash(&r, json, "grid_hash", offer->hash);
    read_hash(&r, json, "fingerprint",
              offer->interpolation == MF_PACK_BILINEAR ? offer->bilinear : offer->cubic);
    if (json_object_get(json, "source_sha256") != NULL) {
        read_hash(&r, json, "source_sha256", offer->source);
    }
    read_grid(&r, json_object_get(json, "grid"), offer);
    return !r.wrong;
}
