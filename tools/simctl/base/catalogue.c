/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/catalogue.h"

#include "tools/simctl/base/document.h"

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

static struct simctl_template *look_up(const struct simctl_catalogue *c, const char *name)
{
    for (unsigned i = 0; i < c->count; i++) {
        if (strcmp(c->template[i].name, name) == 0) {
            return (struct simctl_template *)&c->template[i];
        }
    }
    return NULL;
}

bool simctl_catalogue_add(struct simctl_catalogue *c, const char *name, json_t *document,
                          struct web_error *error)
{
    struct simctl_template fresh, *old = look_up(c, name);
    if (document == NULL) {
        return false;
    }
    if (old == NULL && c->count == SIMCTL_TEMPLATES_MAX) {
        json_decref(document);
        return web_refuse(error, 422, "templates", "more than %u templates", SIMCTL_TEMPLATES_MAX);
    }
    if (!simctl_template_take(&fresh, name, document, error)) {
        return false;
    }
    if (old != NULL) {
        simctl_template_free(old);
        *old = fresh;
    } else {
        c->template[c->count++] = fresh;
    }
    return true;
}

void simctl_catalogue_refuse(struct simctl_catalogue *c, const char *name, const char *why)
{
    struct simctl_template *built_in = look_up(c, name);
    if (built_in != NULL) {
        simctl_template_free(built_in);
        *built_in = c->template[--c->count];
    }
    if (c->refusals < SIMCTL_TEMPLATES_MAX) {
        (void)snprintf(c->refusal[c->refusals].name, SIMCTL_NAME_MAX, "%.63s", name);
        (void)snprintf(c->refusal[c->refusals++].why, WEB_ERROR_MAX, "%.255s", why);
    }
}

bool simctl_catalogue_add_drone(struct simctl_catalogue *c, struct web_error *error)
{
    return simctl_catalogue_add(
        c, "drone", simctl_document_read("drone", k_drone, sizeof k_drone - 1, error), error);
}

bool simctl_catalogue_takes(const char *file)
{
    const size_t n = strlen(file);
    return file[0] != '.' && n > 5 && strcmp(file + n - 5, ".yaml") == 0;
}

static int is_template(const struct dirent *e)
{
    return simctl_catalogue_takes(e->d_name) ? 1 : 0;
}

bool simctl_catalogue_each(const char *folder,
                           bool (*each)(void *ctx, const char *name, const char *path,
                                        struct web_error *error),
                           void *ctx, struct web_error *error)
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
        good = good && each(ctx, name, path, error);
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
    const struct simctl_template *t = look_up(c, name);
    if (t != NULL) {
        return t;
    }
    for (unsigned i = 0; i < c->refusals; i++) {
        if (strcmp(c->refusal[i].name, name) == 0) {
            (void)web_refuse(error, 422, "template", "template %.40s cannot be used: %.190s", name,
                             c->refusal[i].why);
            return NULL;
        }
    }
    for (unsigned i = 0; i < c->count && n < sizeof known; i++) {
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n > 0 ? ", " : "",
                              c->template[i].name);
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
    c->count = c->refusals = 0;
}
