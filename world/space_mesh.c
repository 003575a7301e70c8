/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes from STL files, and hulls. Called by boards/swarm/contacts. */
#include "world/space_mesh.h"

#include "math/chance.h"
#include "math/trig.h"

#include <string.h>

#define FAR_M       1e6
#define HEAD_BYTES  80u
#define COUNT_BYTES 4u
#define FACET_BYTES 50u
#define CORNERS_AT  12u /* after the normal */

const char *mf_mesh_text(enum mf_mesh_error error)
{
    static const char *const k_text[] = {
#define X(name, text) text,
        MF_MESH_LIST(X)
#undef X
    };
    MF_ASSERT(error < MF_MESH_ERRORS);
    return k_text[error];
}

/* ---- triangles */

/* State of reading a mesh. */
struct reading {
    struct mf_triangle *triangle;
    uint32_t capacity, count;
    uint32_t facets; /* number of facets, also of those without an area */
    uint64_t edges;  /* sum over all edges, each against its opposite: 0 if the mesh is closed */
};

struct facet {
    double corner[3][3];
};

static uint64_t mix(uint64_t sum, const double corner[3])
{
    for (size_t i = 0; i < 3; i++) {
        uint64_t bits;
        const double x = corner[i] + 0.0; /* turns -0 into 0 */
        memcpy(&bits, &x, sizeof bits);
        sum = mf_chance_u64(sum ^ bits, i);
    }
    return sum;
}

static uint64_t edge(const double from[3], const double to[3])
{
    return mix(mix(1, from), to);
}

static enum mf_mesh_error add_facet(struct reading *r, const struct facet *f)
{
    struct mf_triangle t;
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < 3; i++) {
            if (!mf_within(f->corner[k][i], FAR_M)) {
                return MF_MESH_NUMBER;
            }
        }
    }
    r->facets++;
    for (size_t k = 0; k < 3; k++) {
        const double *from = f->corner[k], *to = f->corner[(k + 1u) % 3u];
        r->edges += edge(from, to) - edge(to, from);
    }
    for (size_t i = 0; i < 3; i++) {
        t.at[i] = f->corner[0][i];
        t.along[0][i] = f->corner[1][i] - f->corner[0][i];
        t.along[1][i] = f->corner[2][i] - f->corner[0][i];
    }
    const double aa = mf_dot3(t.along[0], t.along[0]), ab = mf_dot3(t.along[0], t.along[1]),
                 bb = mf_dot3(t.along[1], t.along[1]);
    if (!(aa * bb - ab * ab > 0.0)) {
        return MF_MESH_OK; /* without an area: nothing can meet it */
    }
    if (r->count == r->capacity) {
        return MF_MESH_FULL;
    }
    r->triangle[r->count++] = t;
    return MF_MESH_OK;
}

/* ---- binary */

static uint32_t little(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static double real(const uint8_t *at)
{
    float x;
    const uint32_t bits = little(at);
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

static bool is_binary(const uint8_t *bytes, size_t n)
{
    return n >= HEAD_BYTES + COUNT_BYTES &&
           (uint64_t)little(bytes + HEAD_BYTES) * FACET_BYTES + HEAD_BYTES + COUNT_BYTES == n;
}

static enum mf_mesh_error read_binary(struct reading *r, const uint8_t *bytes, size_t n)
{
    enum mf_mesh_error error = MF_MESH_OK;
    for (size_t at = HEAD_BYTES + COUNT_BYTES; at + FACET_BYTES <= n && error == MF_MESH_OK;
         at += FACET_BYTES) {
        struct facet f;
        for (size_t k = 0; k < 9; k++) {
            f.corner[k / 3u][k % 3u] = real(bytes + at + CORNERS_AT + 4u * k);
        }
        error = add_facet(r, &f);
    }
    return error;
}

/* ---- text */

struct text {
    const uint8_t *at, *end;
};

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Find the next word. @return its length; 0: the end */
static size_t next_word(struct text *t, const uint8_t **word)
{
    while (t->at < t->end && is_space(*t->at)) {
        t->at++;
    }
    *word = t->at;
    while (t->at < t->end && !is_space(*t->at)) {
        t->at++;
    }
    return (size_t)(t->at - *word);
}

static bool is_word(const uint8_t *word, size_t n, const char *other)
{
    return n == strlen(other) && memcmp(word, other, n) == 0;
}

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

/* Read the digits of a number, with one point at most. @return text after them; NULL: without
 * digits */
static const uint8_t *digits(const uint8_t *at, const uint8_t *end, double *value, int32_t *tens)
{
    bool point = false, some = false;
    *value = 0.0;
    *tens = 0;
    for (; at < end && (is_digit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        some = true;
        if (*value < 1e15) {
            *value = *value * 10.0 + (double)(*at - '0');
            *tens -= point ? 1 : 0;
        } else {
            *tens += point ? 0 : 1;
        }
    }
    return some ? at : NULL;
}

/* Read an exponent. @return text after it; NULL: not an exponent */
static const uint8_t *exponent(const uint8_t *at, const uint8_t *end, int32_t *tens)
{
    const bool minus = at < end && *at == '-';
    int32_t value = 0;
    at += at < end && (*at == '-' || *at == '+') ? 1 : 0;
    if (at == end) {
        return NULL;
    }
    for (; at < end && is_digit(*at); at++) {
        value = value < 1000 ? value * 10 + (int32_t)(*at - '0') : value;
    }
    *tens += minus ? -value : value;
    return at;
}

static bool number(const uint8_t *word, size_t n, double *value)
{
    const uint8_t *end = word + n, *at = word;
    int32_t tens;
    const bool minus = n > 0 && *word == '-';
    at += n > 0 && (*word == '-' || *word == '+') ? 1 : 0;
    at = digits(at, end, value, &tens);
    if (at != NULL && at < end && (*at == 'e' || *at == 'E')) {
        at = exponent(at + 1, end, &tens);
    }
    if (at != end) {
        return false;
    }
    const double step = tens < 0 ? 0.1 : 10.0;
    double power = 1.0;
    for (int32_t i = tens < 0 ? -tens : tens; i > 0 && i < 400; i--) {
        power *= 10.0;
    }
    *value = step < 1.0 ? *value / power : *value * power;
    *value = minus ? -*value : *value;
    return true;
}

/* Read corners by threes, whatever words are between them. */
static enum mf_mesh_error read_words(struct reading *r, struct text *t)
{
    struct facet f;
    const uint8_t *word;
    uint32_t corners = 0;
    for (size_t n = next_word(t, &word); n > 0; n = next_word(t, &word)) {
        if (is_word(word, n, "endfacet")) {
            const enum mf_mesh_error error = corners == 3 ? add_facet(r, &f) : MF_MESH_FORMAT;
            corners = 0;
            if (error != MF_MESH_OK) {
                return error;
            }
        }
        if (!is_word(word, n, "vertex")) {
            continue;
        }
        if (corners == 3) {
            return MF_MESH_FORMAT;
        }
        for (size_t i = 0; i < 3; i++) {
            n = next_word(t, &word);
            if (!number(word, n, &f.corner[corners][i])) {
                return MF_MESH_NUMBER;
            }
        }
        corners++;
    }
    return corners == 0 ? MF_MESH_OK : MF_MESH_FORMAT;
}

static enum mf_mesh_error read_text(struct reading *r, const uint8_t *bytes, size_t n)
{
    struct text t = {bytes, bytes + n};
    const uint8_t *word;
    const size_t length = next_word(&t, &word);
    return is_word(word, length, "solid") ? read_words(r, &t) : MF_MESH_FORMAT;
}

/* ---- files */

uint32_t mf_mesh_stl_most(size_t n)
{
    const size_t most = n / FACET_BYTES + 1u;
    return most < MF_MESH_TRIANGLES_MAX ? (uint32_t)most : MF_MESH_TRIANGLES_MAX;
}

enum mf_mesh_error mf_mesh_read_stl(const uint8_t *bytes, size_t n, struct mf_triangle *triangle,
                                    uint32_t capacity, uint32_t *count)
{
    struct reading r = {.triangle = triangle, .capacity = capacity};
    enum mf_mesh_error error =
        is_binary(bytes, n) ? read_binary(&r, bytes, n) : read_text(&r, bytes, n);
    *count = r.count;
    if (error == MF_MESH_NUMBER) {
        *count = r.facets;
    } else if (error == MF_MESH_OK && r.count == 0) {
        error = MF_MESH_EMPTY;
    } else if (error == MF_MESH_OK && r.edges != 0) {
        error = MF_MESH_HOLES;
    }
    return error;
}

/* ---- hulls */

/* Are all points on one side of the plane through three points? */
static bool is_face(const double *point, uint32_t points, const double at[3],
                    const double normal[3])
{
    const double size = mf_sqrt(mf_dot3(normal, normal));
    bool above = false, below = false;
    for (uint32_t i = 0; i < points; i++) {
        const double d[3] = {point[3u * i] - at[0], point[3u * i + 1u] - at[1],
                             point[3u * i + 2u] - at[2]};
        const double height = mf_dot3(d, normal);
        above = above || height > 1e-9 * size;
        below = below || height < -1e-9 * size;
    }
    return above != below;
}

static enum mf_mesh_error try_face(struct reading *r, const double *point, uint32_t points,
                                   const uint32_t k[3])
{
    double a[3], b[3];
    for (size_t i = 0; i < 3; i++) {
        a[i] = point[3u * k[1] + i] - point[3u * k[0] + i];
        b[i] = point[3u * k[2] + i] - point[3u * k[0] + i];
    }
    const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                              a[0] * b[1] - a[1] * b[0]};
    if (!is_face(point, points, point + 3u * k[0], normal)) {
        return MF_MESH_OK;
    }
    struct facet f;
    for (size_t i = 0; i < 9; i++) {
        f.corner[i / 3u][i % 3u] = point[3u * k[i / 3u] + i % 3u];
    }
    return add_facet(r, &f);
}

enum mf_mesh_error mf_mesh_hull(const double *point, uint32_t points, struct mf_triangle *triangle,
                                uint32_t capacity, uint32_t *count)
{
    struct reading r = {.triangle = triangle, .capacity = capacity};
    enum mf_mesh_error error = MF_MESH_OK;
    MF_ASSERT(points >= 4 && points <= MF_HULL_POINTS_MAX);
    for (uint32_t i = 0; i < points * points * points && error == MF_MESH_OK; i++) {
        const uint32_t k[3] = {i / points / points, i / points % points, i % points};
        if (k[0] < k[1] && k[1] < k[2]) {
            error = try_face(&r, point, points, k);
        }
    }
    *count = r.count;
    return error == MF_MESH_OK && r.count == 0 ? MF_MESH_EMPTY : error;
}
