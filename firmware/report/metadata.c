/* SPDX-License-Identifier: Apache-2.0 */
/* A file is made of pieces: what stands before the parameters, each parameter, what stands behind.
 * To read from an offset all pieces before it are made, too, and thrown away; a mark remembers
 * where a reader was, so that reading on costs no more than what is read. Held whole the files
 * would take tens of kB of flash or RAM.
 *
 * Clients check what they downloaded by CRC-32, and keep it as long as that stays: QGroundControl's
 * cache is by it. So the general file names the checksum of the other one, and COMPONENT_METADATA
 * that of the general one. */
#include "firmware/report/metadata.h"

#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "math/crc32.h"

#include <string.h>

/* A window on a file: everything is put, and what lies in the window is kept. */
struct window {
    uint32_t at; /* offset of what is put next */
    uint32_t offset;
    uint8_t *bytes;
    size_t n, got;
    uint32_t parameters_crc; /* of the file that the general one names */
};

/* The unit, and behind its NUL the help: one pointer for both. */
static const char *const k_text[MF_PARAM_COUNT] = {
#define P(name, type, value, min, max, unit, doc) unit "\0" doc,
#include "firmware/state/limits.h"
#include "firmware/state/params.def"
};

static const uint16_t k_volatile[] = {
#define VOLATILE(name) MF_PARAM_##name,
#include "firmware/state/params.def"
};

static bool is_volatile(enum mf_param param)
{
    size_t i = 0;
    while (i < sizeof k_volatile / sizeof k_volatile[0] && k_volatile[i] != param) {
        i++;
    }
    return i < sizeof k_volatile / sizeof k_volatile[0];
}

static void put_text(struct window *w, const char *s)
{
    MF_ASSERT(w->got <= w->n);
    for (; *s != '\0'; s++) {
        if (w->at >= w->offset && w->got < w->n) {
            w->bytes[w->got++] = (uint8_t)*s;
        }
        w->at++;
    }
}

static void put_int(struct window *w, int64_t value)
{
    struct mf_text text = mf_text("");
    mf_text_add_int(&text, value);
    put_text(w, text.s);
}

/* Print a float with as many decimals as reading it back needs, six at most: the table has no finer
 * values. */
static void put_float(struct window *w, float value)
{
    double scale = 1.0;
    int decimals = 0;
    MF_ASSERT(value > -1e9f && value < 1e9f); /* whole * 1e6 is an int64_t */
    while (decimals < 6) {
        const double scaled = (double)value * scale;
        const int64_t whole = (int64_t)(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5);
        if ((float)((double)whole / scale) == value) {
            break;
        }
        scale *= 10.0;
        decimals++;
    }
    struct mf_text text = mf_text("");
    mf_text_add_float(&text, (double)value, decimals);
    put_text(w, text.s);
}

/* Metadata have two types, as parameters do; a float without decimals is still one. */
static void put_number(struct window *w, const char *key, bool is_float, union mf_param_value value)
{
    put_text(w, key);
    if (is_float) {
        put_float(w, value.f);
    } else {
        put_int(w, value.i);
    }
}

/* Print the part of a name before the first underscore, by which clients sort. */
static void put_group(struct window *w, const char *name)
{
    char group[sizeof((struct mf_param_info *)0)->name] = {0};
    for (size_t i = 0; name[i] != '_' && name[i] != '\0'; i++) {
        group[i] = name[i];
    }
    put_text(w, group);
}

/* Names and texts are the table's own, without quotes or backslashes (a test holds that), so
 * nothing is escaped. */
static void put_param(struct window *w, enum mf_param param)
{
    const struct mf_param_info *info = mf_param_info(param);
    const char *unit = k_text[param];
    MF_ASSERT(unit != NULL);
    put_text(w, param == 0 ? "\n{\"name\":\"" : ",\n{\"name\":\"");
    put_text(w, info->name);
    put_text(w, info->is_float ? "\",\"type\":\"Float\",\"group\":\""
                               : "\",\"type\":\"Int32\",\"group\":\"");
    put_group(w, info->name);
    put_text(w, "\",\"category\":\"Standard\",\"shortDesc\":\"");
    put_text(w, unit + strlen(unit) + 1);
    put_text(w, "\",\"units\":\"");
    put_text(w, unit);
    put_number(w, "\",\"default\":", info->is_float, info->value);
    put_number(w, ",\"min\":", info->is_float, info->min);
    put_number(w, ",\"max\":", info->is_float, info->max);
    put_text(w, is_volatile(param) ? ",\"volatile\":true}" : "}");
}

/* A piece of a file. @return false behind the last one */
static bool put_piece(enum mf_metadata file, uint16_t piece, struct window *w)
{
    MF_ASSERT((unsigned)file < MF_METADATA_COUNT);
    if (file == MF_METADATA_GENERAL) {
        if (piece == 0) {
            put_text(w, "{\"version\":1,\"metadataTypes\":[{\"type\":1,\"uri\":"
                        "\"" MF_METADATA_PARAMETERS_URI "\",\"fileCrc\":");
            put_int(w, w->parameters_crc);
            put_text(w, "}]}\n");
        }
        return piece == 0;
    }
    if (piece == 0) {
        put_text(w, "{\"version\":1,\"parameters\":[");
    } else if (piece <= MF_PARAM_COUNT) {
        put_param(w, (enum mf_param)(piece - 1));
    } else if (piece == MF_PARAM_COUNT + 1) {
        put_text(w, "\n]}\n");
    }
    return piece <= MF_PARAM_COUNT + 1;
}

/* Fills the window. The mark stays at a piece that reaches behind the window: the next read may
 * begin within it.
 * @param mark  see mf_metadata_read() */
static size_t fill_window(enum mf_metadata file, struct mf_metadata_mark *mark, struct window *w)
{
    MF_ASSERT(w->bytes != NULL || w->n == 0);
    if (mark->at > w->offset) {
        *mark = (struct mf_metadata_mark){0}; /* back: from the beginning */
    }
    w->at = mark->at;
    while (w->got < w->n && put_piece(file, mark->piece, w) && w->at <= w->offset + w->n) {
        *mark = (struct mf_metadata_mark){w->at, (uint16_t)(mark->piece + 1)};
    }
    MF_ASSERT(w->got <= w->n && mark->at <= w->at);
    return w->got;
}

/* Make the seal of a file by reading it: the checksum covers the bytes that clients get. */
static struct mf_metadata_seal make_seal(enum mf_metadata file, uint32_t parameters_crc)
{
    struct mf_metadata_seal made = {0};
    struct mf_metadata_mark mark = {0};
    uint8_t bytes[MF_CHUNK_BYTES / 2u];
    for (size_t n = 1; n > 0;) {
        struct window w = {.offset = made.size,
                           .bytes = bytes,
                           .n = sizeof bytes,
                           .parameters_crc = parameters_crc};
        n = fill_window(file, &mark, &w);
        made.crc = mf_crc32(made.crc, bytes, n);
        made.size += (uint32_t)n;
    }
    return made;
}

struct mf_metadata_seal mf_metadata_seal(struct mf_metadata_seal *seal, enum mf_metadata file)
{
    MF_ASSERT(seal != NULL && (unsigned)file < MF_METADATA_COUNT);
    struct mf_metadata_seal *parameters = &seal[MF_METADATA_PARAMETERS];
    if (parameters->size == 0) {
        *parameters = make_seal(MF_METADATA_PARAMETERS, 0);
        seal[MF_METADATA_GENERAL] = make_seal(MF_METADATA_GENERAL, parameters->crc);
    }
    MF_ASSERT(seal[file].size > 0);
    return seal[file];
}

size_t mf_metadata_read(struct mf_metadata_seal *seal, enum mf_metadata file,
                        struct mf_metadata_mark *mark, const struct mf_extent *want)
{
    MF_ASSERT(mark != NULL);
    struct window w = {.offset = want->offset, .bytes = want->bytes, .n = want->n};
    w.parameters_crc = mf_metadata_seal(seal, MF_METADATA_PARAMETERS).crc;
    return fill_window(file, mark, &w);
}
