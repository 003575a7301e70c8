/* SPDX-License-Identifier: Apache-2.0 */
/* geoid at: undulations of places, a line each. */
#include "host/base/value.h"
#include "tools/geoid/commands.h"
#include "tools/geoid/models.h"
#include "tools/geoid/options.h"
#include "tools/geoid/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 1024

static struct geoid_models s_models;

/* Answer one place; `nan` keeps the lines in step. @param what  "line", "argument" */
static bool answer(const char *text, const char *what, unsigned long number)
{
    double lat_deg, lon_deg, undulation_m;
    const char *why = geoid_point_read(text, &lat_deg, &lon_deg);
    if (why == NULL) {
        const int result = mf_geoid_at(&s_models.geoid, lat_deg, lon_deg, &undulation_m, NULL);
        why = result == MF_E_OK      ? NULL
              : result == MF_E_RANGE ? "no model covers this place"
                                     : "the pack is damaged here; pack it again";
    }
    if (why == NULL) {
        (void)printf("%.4f\n", undulation_m);
        return true;
    }
    (void)printf("nan\n");
    (void)fflush(stdout);
    (void)fprintf(stderr, "geoid: %s %lu: '%.*s': %s\n", what, number, (int)strcspn(text, "\r\n"),
                  text, why);
    return false;
}

static bool answer_lines(FILE *in)
{
    char line[LINE_MAX_BYTES];
    bool ok = true, whole = true;
    for (unsigned long number = 1; fgets(line, sizeof line, in) != NULL;) {
        const bool first = whole;
        whole = strchr(line, '\n') != NULL;
        const char *text = line + (number == 1 ? mf_value_bom(line, strlen(line)) : 0);
        if (first && text[strspn(text, " \t\r\n")] != '\0') {
            ok = answer(text, "line", number) && ok;
        }
        number += whole ? 1 : 0;
    }
    return ok && ferror(in) == 0;
}

int geoid_at(int argc, char **argv)
{
    const char *model = "egm96", *interp = NULL;
    const struct geoid_option options[] = {{"--model", &model}, {"--interp", &interp}};
    const int n = geoid_options(argc, argv, options, sizeof options / sizeof options[0]);
    enum mf_pack_interpolation how;
    if (n < 0 || !geoid_interpolation_named(interp, &how) ||
        !geoid_models_open(&s_models, model, how)) {
        geoid_models_close(&s_models);
        return GEOID_EXIT_USAGE;
    }
    bool ok = n > 0 || answer_lines(stdin);
    for (int i = 0; i < n; i++) {
        ok = answer(argv[i], "argument", (unsigned long)i + 1) && ok;
    }
    geoid_models_close(&s_models);
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        (void)fprintf(stderr, "geoid: cannot write to standard output\n");
        return GEOID_EXIT_USAGE;
    }
    return ok ? EXIT_SUCCESS : GEOID_EXIT_FAILED;
}
