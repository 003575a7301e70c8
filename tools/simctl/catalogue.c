/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/catalogue.h"

#include "tools/simctl/document.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char k_drone[] =
    "description: a drone alone\n"
    "lifetime: {default: 10m, max: 24h}\n"
    "values:\n"
    "  home: {env: MAYFLY_HOME, help: 'LAT,LON,ALT_AMSL[,HEADING] in degrees and metres'}\n"
    "  motion: {env: MAYFLY_MOTION, words: [constant, physics, event]}\n"
    "  clock: {env: MAYFLY_CLOCK, help: 'real, xN, fast, event or lockstep'}\n"
    "  geoid: {env: MAYFLY_GEOID}\n"
    "  geoid_fingerprint: {env: MAYFLY_GEOID_FINGERPRINT}\n"
    "  faults: {env: MAYFLY_FAULTS, help: 'NAME[@TIME][+DURATION], several with commas'}\n"
    "  sysid: {env: MAYFLY_SYSID, type: integer, min: 1, max: 254}\n"
    "  arguments: {args: emulator, help: 'flags of mayfly'}\n"
    "pod:\n"
    "  spec:\n"
    "    containers: [{name: emulator, image: localhost/mayfly, imagePullPolicy: IfNotPresent}]\n";

static bool add(struct simctl_catalogue *c, const char *name, json_t *document,
                struct web_error *error)
{
    if (document == NULL) {
        return false;
    }
    if (c->count == SIMCTL_TEMPLATES_MAX) {
        json_decref(document);
        return web_refuse(error, 422, "templates", "more than %u templates", SIMCTL_TEMPLATES_MAX);
    }
    const bool good = simctl_template_take(&c->template[c->count], name, document, error);
    c->count += good ? 1u : 0u;
    return good;
}

bool simctl_catalogue_add_drone(struct simctl_catalogue *c, struct web_error *error)
{
    return add(c, "drone", simctl_document_read("drone", k_drone, sizeof k_drone - 1, error),
               error);
}

static int is_template(const struct dirent *e)
{
    const size_t n = strlen(e->d_name);
    return e->d_name[0] != '.' && n > 5 && strcmp(e->d_name + n - 5, ".yaml") == 0;
}

bool simctl_catalogue_load(struct simctl_catalogue *c, const char *folder, struct web_error *error)
{
    struct dirent **list = NULL;
    bool good = true;
    const int n = scandir(folder, &list, is_template, alphasort);
    if (n < 0) {
        return web_refuse(error, 404, "templates", "%.160s: %s", folder, strerror(errno));
    }
    for (int i = 0; i < n; i++) {
        char path[4096], name[256];
        (void)snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
        (void)snprintf(name, sizeof name, "%.*s", (int)strlen(list[i]->d_name) - 5,
                       list[i]->d_name);
        good = good && add(c, name, simctl_document_load(path, error), error);
        free(list[i]);
    }
    free(list);
    return good;
}

const struct simctl_template *simctl_catalogue_find(const struct simctl_catalogue *c,
                                                    const char *name, struct web_error *error)
{
    char known[160] = "";
    size_t n = 0;
    for (unsigned i = 0; i < c->count; i++) {
        if (strcmp(c->template[i].name, name) == 0) {
            return &c->template[i];
        }
        if (n < sizeof known) {
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n > 0 ? ", " : "",
                                  c->template[i].name);
        }
    }
    (void)web_refuse(error, 422, "unknown_template", "there is no template '%.60s', there are: %s",
                     name, known);
    return NULL;
}

void simctl_catalogue_free(struct simctl_catalogue *c)
{
    for (unsigned i = 0; i < c->count; i++) {
        simctl_template_free(&c->template[i]);
    }
    c->count = 0;
}
