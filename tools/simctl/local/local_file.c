/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/output.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/local/local_instance.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void simctl_local_path(const struct simctl_local_site *site, const char *id, const char *file,
                       char *path)
{
    (void)snprintf(path, SIMCTL_PATH_BYTES, "%s/%s/%s", site->folder, id, file);
}

bool simctl_local_save(const struct simctl_local_site *site, const struct simctl_local_instance *x)
{
    char path[SIMCTL_PATH_BYTES];
    simctl_local_path(site, x->i.id, SIMCTL_ORDER_FILE, path);
    json_t *o = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:O, s:O, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:s, s:b, "
        "s:b, s:f, s:f}",
        "id", x->i.id, "tenant", x->tenant, "template", x->i.template_name, "request", x->request,
        "hash", x->hash, "labels", x->i.labels, "values", x->i.values, "asked_us",
        (json_int_t)x->i.asked_us, "started_us", (json_int_t)x->i.started_us, "ready_us",
        (json_int_t)x->i.ready_us, "told_us", (json_int_t)x->told_us, "ends_us",
        (json_int_t)x->i.ends_us, "ended_us", (json_int_t)x->i.ended_us, "outcome",
        (int)x->i.outcome, "reason", x->i.reason, "onboard", (int)x->onboard, "extend",
        (int)x->extend, "lifetime_max_s", x->lifetime_max_s, "ttl_s", x->i.ttl_s);
    char *text = json_dumps(o, JSON_INDENT(1));
    const bool good = text != NULL && mf_output_replace(path, text);
    free(text);
    json_decref(o);
    return good;
}

bool simctl_local_save_end(const struct simctl_local_site *site,
                           const struct simctl_local_instance *x)
{
    char path[SIMCTL_PATH_BYTES], text[32];
    simctl_local_path(site, x->i.id, SIMCTL_ENDS_FILE, path);
    (void)snprintf(text, sizeof text, "%.3f\n", (double)x->i.ends_us / 1e6);
    return !x->extend || mf_output_replace(path, text);
}

static bool save_text(const struct simctl_local_site *site, const char *id, const char *file,
                      const char *text)
{
    char path[SIMCTL_PATH_BYTES];
    simctl_local_path(site, id, file, path);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0) {
        (void)close(fd);
    }
    return good;
}

bool simctl_local_certify(const struct simctl_local_site *site, const char *id,
                          const struct simctl_minted *minted)
{
    return save_text(site, id, SIMCTL_CERTIFICATE_FILE, minted->certificate) &&
           save_text(site, id, SIMCTL_PRIVATE_KEY_FILE, minted->key) &&
           save_text(site, id, SIMCTL_AUTHORITY_FILE, minted->authority);
}

static void copy_text(char *to, size_t size, const json_t *o, const char *name)
{
    (void)snprintf(to, size, "%s", simctl_shape_text(o, name, ""));
}

static int64_t integer(const json_t *o, const char *name)
{
    return (int64_t)json_integer_value(json_object_get(o, name));
}

/* True if an order has what simctl_local_save() writes: times of four-digit years, a known outcome,
 * and both objects. A file that was damaged or written by a later version may lack them. */
static bool is_order(const json_t *o)
{
    static const char *const k_time[] = {"asked_us", "started_us", "ready_us",
                                         "told_us",  "ends_us",    "ended_us"};
    bool good = json_is_object(json_object_get(o, "labels")) &&
                json_is_object(json_object_get(o, "values")) && integer(o, "outcome") >= 0 &&
                integer(o, "outcome") < SIMCTL_OUTCOMES;
    for (size_t i = 0; i < sizeof k_time / sizeof k_time[0]; i++) {
        good = good && integer(o, k_time[i]) >= 0 && integer(o, k_time[i]) <= SIMCTL_UTC_MAX_US;
    }
    return good;
}

bool simctl_local_load(const struct simctl_local_site *site, const char *id,
                       struct simctl_local_instance *x)
{
    char path[SIMCTL_PATH_BYTES];
    simctl_local_path(site, id, SIMCTL_ORDER_FILE, path);
    json_t *o = json_load_file(path, 0, NULL);
    *x = (struct simctl_local_instance){.used = is_order(o)};
    if (!x->used) {
        json_decref(o);
        return false;
    }
    copy_text(x->i.id, sizeof x->i.id, o, "id");
    copy_text(x->tenant, sizeof x->tenant, o, "tenant");
    copy_text(x->i.template_name, sizeof x->i.template_name, o, "template");
    copy_text(x->request, sizeof x->request, o, "request");
    copy_text(x->hash, sizeof x->hash, o, "hash");
    copy_text(x->i.reason, sizeof x->i.reason, o, "reason");
    x->i.labels = json_incref(json_object_get(o, "labels"));
    x->i.values = json_incref(json_object_get(o, "values"));
    x->i.asked_us = x->i.scheduled_us = integer(o, "asked_us");
    x->i.started_us = integer(o, "started_us");
    x->i.ready_us = integer(o, "ready_us");
    x->told_us = integer(o, "told_us");
    x->i.ends_us = integer(o, "ends_us");
    x->i.ended_us = integer(o, "ended_us");
    x->i.outcome = (enum simctl_outcome)integer(o, "outcome");
    x->onboard = json_is_true(json_object_get(o, "onboard"));
    x->extend = json_is_true(json_object_get(o, "extend"));
    x->lifetime_max_s = json_number_value(json_object_get(o, "lifetime_max_s"));
    x->i.ttl_s = json_number_value(json_object_get(o, "ttl_s"));
    x->i.state = x->i.ended_us != 0     ? SIMCTL_ENDED
                 : x->told_us != 0      ? SIMCTL_ENDING
                 : x->i.ready_us != 0   ? SIMCTL_READY
                 : x->i.started_us != 0 ? SIMCTL_STARTING
                                        : SIMCTL_PENDING;
    json_decref(o);
    return strcmp(x->i.id, id) == 0;
}

void simctl_local_remove(const struct simctl_local_site *site, const char *id)
{
    char path[SIMCTL_PATH_BYTES];
    simctl_local_path(site, id, "", path);
    DIR *folder = opendir(path);
    for (const struct dirent *e = folder != NULL ? readdir(folder) : NULL; e != NULL;
         e = readdir(folder)) {
        char file[SIMCTL_PATH_BYTES];
        simctl_local_path(site, id, e->d_name, file);
        (void)unlink(file);
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    (void)rmdir(path);
}
