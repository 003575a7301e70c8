/* SPDX-License-Identifier: Apache-2.0 */
/* geoid pack: a pack of the files that a model is published in. */
#include "tools/geoid/bytes.h"
#include "tools/geoid/commands.h"
#include "tools/geoid/models.h"
#include "tools/geoid/options.h"
#include "tools/geoid/pack_write.h"
#include "tools/geoid/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *out, *model, *frame, *epoch, *datum, *interp, *quantum, *from, *onto;
};

#define QUANTUM_DEFAULT_UM 1000u  /* a millimetre */
#define QUANTUM_EGM2008_UM 10000u /* its published files hold no more: some 9 MB instead of 16 */
#define QUANTUM_TERRAIN_UM 100000u
#define ELLIPSOID          "none" /* word for heights above the ellipsoid, as in mayfly's --geoid */
#define UNDULATION_MAX_M   150.0  /* no model has more than 110: beyond it, it is terrain */

static bool complain(const char *text)
{
    (void)fprintf(stderr, "geoid: %s\n", text);
    return false;
}

/* ---- what the files do not say */

static bool choose_model(const struct settings *s, struct geoid_source *source, const char *path)
{
    struct mf_raster *r = &source->raster;
    if (s->model == NULL && geoid_source_is_named_wrongly(source)) {
        (void)fprintf(stderr,
                      "geoid: %s says %s, which is not known where it lies; say with --model what"
                      " its heights are above\n",
                      path, r->model);
        return false;
    }
    if (s->model != NULL &&
        (size_t)snprintf(r->model, sizeof r->model, "%s", s->model) >= sizeof r->model) {
        (void)fprintf(stderr, "geoid: --model: '%s' is too long\n", s->model);
        return false;
    }
    if (r->model[0] == '\0') {
        (void)fprintf(stderr, "geoid: %s does not say of which model it is; use --model\n", path);
        return false;
    }
    return true;
}

/* A grid on NAD83 gives heights above it; receivers measure in ITRF. */
static bool choose_frame(const struct settings *s, struct geoid_source *source)
{
    char error[GEOID_ERROR_MAX];
    struct mf_raster *r = &source->raster;
    double epoch = GEOID_EPOCH_DEFAULT;
    if (s->datum != NULL) {
        source->datum = geoid_datum_named(s->datum);
        if (source->datum == GEOID_DATUM_UNKNOWN) {
            (void)fprintf(stderr,
                          "geoid: --datum: '%s' is not known, allowed: wgs84, nad83_2011, "
                          "nad83_pa11, nad83_ma11\n",
                          s->datum);
            return false;
        }
    } else if (source->datum == GEOID_DATUM_UNKNOWN && strncmp(r->model, "navd88", 6) == 0) {
        source->datum = GEOID_DATUM_NAD83_2011;
    }
    const char *frame = s->frame != NULL                      ? s->frame
                        : geoid_datum_is_nad83(source->datum) ? "itrf2014"
                                                              : "none";
    if (s->epoch != NULL && !geoid_number("--epoch", s->epoch, 1980.0, 2100.0, &epoch)) {
        return false;
    }
    if (strcmp(frame, "none") == 0) {
        return s->epoch == NULL || complain("--epoch belongs to --frame itrf2014");
    }
    if (strcmp(frame, "itrf2014") != 0) {
        (void)fprintf(stderr, "geoid: --frame: '%s' is neither none nor itrf2014\n", frame);
        return false;
    }
    (void)snprintf(r->frame, sizeof r->frame, "%s", frame);
    (void)snprintf(r->epoch, sizeof r->epoch, "%.2f", epoch);
    return geoid_shift_apply(r, source->datum, strtod(r->epoch, NULL), error) || complain(error);
}

static bool choose_plan(const struct settings *s, const struct geoid_source *source,
                        struct mf_pack_plan *plan)
{
    double quantum_m;
    const char *model = source->raster.model;
    const bool global = strncmp(model, "egm", 3) == 0 && !source->terrain;
    if (!geoid_interpolation_named(s->interp, &plan->interpolation)) {
        return false;
    }
    if (plan->interpolation == MF_PACK_AS_MADE) {
        plan->interpolation = global ? MF_PACK_CUBIC : MF_PACK_BILINEAR;
    }
    plan->kind = source->terrain ? MF_PACK_TERRAIN : MF_PACK_GEOID;
    if (s->quantum != NULL) {
        if (!geoid_number("--quantum", s->quantum, 1e-6, 1.0, &quantum_m)) {
            return false;
        }
        plan->quantum_um = (uint32_t)llround(quantum_m * 1e6);
    } else if (source->terrain) {
        plan->quantum_um = QUANTUM_TERRAIN_UM;
    } else if (strcmp(model, "egm2008") == 0) {
        plan->quantum_um = QUANTUM_EGM2008_UM;
    } else {
        plan->quantum_um = QUANTUM_DEFAULT_UM;
    }
    return true;
}

/* ---- terrain: heights above one model become heights above another */

/* "navd88" or, where several served, "navd88+egm96" */
static void name_all(const struct mf_geoid *geoid, const bool *served, char *name, size_t size)
{
    size_t n = 0;
    name[0] = '\0';
    for (size_t i = 0; i < geoid->count; i++) {
        if (served[i] && n < size) {
            n += (size_t)snprintf(
                name + n, size - n, "%s%s", n > 0 ? "+" : "",
                geoid->layer[i].is_constant ? ELLIPSOID : mf_pack_model(&geoid->layer[i].pack));
        }
    }
}

static bool shift_nodes(struct mf_raster *r, struct mf_geoid *from, struct mf_geoid *onto,
                        bool *served)
{
    for (size_t i = 0; i < (size_t)r->rows * r->columns; i++) {
        const size_t row = i / r->columns, column = i % r->columns;
        const double lat_deg = (double)r->north_e9 * 1e-9 - (double)row * r->lat_num / r->lat_den;
        const double lon_deg = (double)r->west_e9 * 1e-9 + (double)column * r->lon_num / r->lon_den;
        const struct mf_geoid_layer *by;
        double from_m, onto_m;
        if (isnan(r->node_m[i])) {
            continue;
        }
        if (mf_geoid_at(from, lat_deg, lon_deg, &from_m, NULL) != MF_E_OK ||
            mf_geoid_at(onto, lat_deg, lon_deg, &onto_m, &by) != MF_E_OK) {
            (void)fprintf(stderr,
                          "geoid: no undulation at %.6f,%.6f to convert its height; add"
                          " models to --heights-on or --geoid\n",
                          lat_deg, lon_deg);
            return false;
        }
        served[by - onto->layer] = true;
        r->node_m[i] += from_m - onto_m;
    }
    return true;
}

/* A list of models, or the ellipsoid itself: no undulation anywhere. */
static bool open_models(struct geoid_models *models, const char *list)
{
    return strcmp(list, ELLIPSOID) == 0 ? mf_geoid_add_constant(&models->geoid, 0.0) == MF_E_OK
                                        : geoid_models_open(models, list, MF_PACK_AS_MADE);
}

static bool convert_terrain(const struct settings *s, struct mf_raster *r)
{
    static struct geoid_models from, onto;
    bool served[MF_GEOID_LAYERS] = {false};
    const char *onto_list = s->onto != NULL ? s->onto : "egm96";
    const char *from_list = s->from != NULL ? s->from : "egm96";
    bool ok = open_models(&from, from_list) && open_models(&onto, onto_list) &&
              shift_nodes(r, &from.geoid, &onto.geoid, served);
    if (ok) {
        name_all(&onto.geoid, served, r->model, sizeof r->model);
    }
    geoid_models_close(&from);
    geoid_models_close(&onto);
    return ok;
}

/* ---- the command */

/* Only a pack is written over, so that a slip of the hand costs no grid. */
static bool may_write(const char *path)
{
    uint8_t magic[4] = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return true;
    }
    const size_t n = fread(magic, 1, sizeof magic, file);
    (void)fclose(file);
    if (n != sizeof magic || geoid_u32(magic, false) != MF_PACK_MAGIC) {
        (void)fprintf(stderr, "geoid: %s exists and is not a pack: give --out another file\n",
                      path);
        return false;
    }
    return true;
}

static bool is_geoid(const struct mf_raster *r, const char *path)
{
    for (size_t i = 0; i < (size_t)r->rows * r->columns; i++) {
        if (fabs(r->node_m[i]) > UNDULATION_MAX_M) {
            (void)fprintf(
                stderr,
                "geoid: %s: %g m is not an undulation; if this is terrain, say what its heights"
                " are above: --heights-on\n",
                path, r->node_m[i]);
            return false;
        }
    }
    return true;
}

static bool prepare(const struct settings *s, char *const *paths, size_t n,
                    struct geoid_source *source, struct mf_pack_plan *plan)
{
    char error[GEOID_ERROR_MAX];
    if (!geoid_source_read_all(paths, n, source, error)) {
        return complain(error);
    }
    source->terrain = source->terrain || s->from != NULL;
    if (source->terrain) {
        return convert_terrain(s, &source->raster) && choose_plan(s, source, plan);
    }
    if (s->onto != NULL) {
        return complain("--geoid belongs to terrain: say what its heights are above, --heights-on");
    }
    return choose_model(s, source, paths[0]) && is_geoid(&source->raster, paths[0]) &&
           choose_plan(s, source, plan) && choose_frame(s, source);
}

static bool show_pack(const char *path)
{
    struct mf_pack pack;
    uint8_t *bytes;
    if (!geoid_pack_read(path, &pack, &bytes)) {
        return false;
    }
    geoid_show(&pack, path);
    free(bytes);
    return true;
}

int geoid_pack(int argc, char **argv)
{
    struct settings s = {0};
    const struct geoid_option options[] = {
        {"--out", &s.out},         {"--model", &s.model},     {"--frame", &s.frame},
        {"--epoch", &s.epoch},     {"--datum", &s.datum},     {"--interp", &s.interp},
        {"--quantum", &s.quantum}, {"--heights-on", &s.from}, {"--geoid", &s.onto},
    };
    const int n = geoid_options(argc, argv, options, sizeof options / sizeof options[0]);
    struct geoid_source source = {0};
    struct mf_pack_plan plan = {0};
    char error[GEOID_ERROR_MAX];
    if (n < 0) {
        return GEOID_EXIT_USAGE;
    }
    if (n == 0 || s.out == NULL) {
        (void)complain("pack needs --out FILE and the grids to pack");
        return GEOID_EXIT_USAGE;
    }
    bool ok = may_write(s.out) && prepare(&s, argv, (size_t)n, &source, &plan);
    if (ok && !mf_pack_write(&source.raster, &plan, s.out, error, sizeof error)) {
        ok = complain(error);
    }
    geoid_source_free(&source);
    ok = ok && show_pack(s.out);
    return ok ? EXIT_SUCCESS : GEOID_EXIT_USAGE;
}
