/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/shelf.h"

#include "tools/simctl/base/document.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define LOOK_S 1

/* A catalogue and the number of its users; the last user of an old edition frees it. */
struct edition {
    struct simctl_catalogue catalogue; /* first */
    unsigned users;                    /* the shelf is one of them */
};

struct simctl_shelf {
    pthread_mutex_t lock; /* of what follows, but not of an edition's catalogue */
    struct edition *now;
    bool reading;    /* a thread reads the folder */
    uint64_t seen;   /* of the folder when it was read */
    time_t looked_s; /* monotonic */
    /* constant */
    char *folder; /* NULL: none */
    FILE *log;
    simctl_template_check *check;
    void *check_ctx;
};

/* ---- has the folder changed? */

static void mix(uint64_t *hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        *hash = (*hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
    }
}

/* Names, sizes, times and numbers of files, behind symbolic links: a kubelet swaps one. */
static uint64_t look_at(const char *folder)
{
    uint64_t sum = 0;
    DIR *d = opendir(folder);
    for (const struct dirent *e = d != NULL ? readdir(d) : NULL; e != NULL; e = readdir(d)) {
        char path[4096];
        struct stat is;
        uint64_t hash = 14695981039346656037u;
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (simctl_catalogue_takes(e->d_name) && stat(path, &is) == 0) {
            mix(&hash, e->d_name, strlen(e->d_name));
            mix(&hash, &is.st_size, sizeof is.st_size);
            mix(&hash, &is.st_mtim.tv_sec, sizeof is.st_mtim.tv_sec);
            mix(&hash, &is.st_mtim.tv_nsec, sizeof is.st_mtim.tv_nsec);
            mix(&hash, &is.st_ino, sizeof is.st_ino);
            sum += hash; /* in whatever order they come */
        }
    }
    if (d != NULL) {
        (void)closedir(d);
    }
    return sum;
}

static time_t monotonic_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* ---- reading */

/* Arguments of a reading of the folder. */
struct reading {
    const struct simctl_shelf *shelf;
    struct simctl_catalogue *fresh;
    const struct simctl_catalogue *old; /* NULL: the first time */
};

static const struct simctl_template *older(const struct reading *r, const char *name)
{
    struct web_error ignored = {0};
    return r->old != NULL ? simctl_catalogue_find(r->old, name, &ignored) : NULL;
}

/* Log why a template is refused, and keep its last right version. */
static void refuse(const struct reading *r, const char *name, const struct web_error *why)
{
    struct web_error ignored = {0};
    const struct simctl_template *old = older(r, name);
    const bool stays = old != NULL && simctl_catalogue_add(r->fresh, name,
                                                           json_deep_copy(old->document), &ignored);
    if (!stays) {
        simctl_catalogue_refuse(r->fresh, name, why->message);
    }
    if (r->shelf->log != NULL) {
        (void)fprintf(r->shelf->log, "simctl: template %s %s: %s\n", name,
                      stays ? "stays as it was" : "is not offered", why->message);
        (void)fflush(r->shelf->log);
    }
}

static bool can_run(const struct reading *r, const struct simctl_template *t,
                    struct web_error *error)
{
    return r->shelf->check == NULL || r->shelf->check(r->shelf->check_ctx, t, error);
}

/* A wrong template does not stop the others. */
static bool take_template(void *ctx, const char *name, const char *path, struct web_error *error)
{
    struct reading *r = ctx;
    struct simctl_catalogue one = {0};
    struct web_error why = {0};
    bool good = simctl_catalogue_add(&one, name, simctl_document_load(path, &why), &why) &&
                can_run(r, &one.template[0], &why);
    good = good &&
           simctl_catalogue_add(r->fresh, name, json_deep_copy(one.template[0].document), &why);
    simctl_catalogue_free(&one);
    (void)error;
    if (!good) {
        refuse(r, name, &why);
    }
    return true;
}

static struct edition *read_all(const struct simctl_shelf *s, const struct simctl_catalogue *old,
                                struct web_error *error)
{
    struct edition *e = calloc(1, sizeof *e);
    struct reading r = {s, e != NULL ? &e->catalogue : NULL, old};
    if (e == NULL) {
        (void)web_refuse(error, 500, "memory", "no memory");
        return NULL;
    }
    e->users = 1;
    if (!simctl_catalogue_add_drone(r.fresh, error) ||
        (s->folder != NULL && !simctl_catalogue_each(s->folder, take_template, &r, error))) {
        simctl_catalogue_free(&e->catalogue);
        free(e);
        return NULL;
    }
    return e;
}

/* ---- editions; the lock is held */

static void release_edition(struct edition *e)
{
    if (--e->users == 0) {
        simctl_catalogue_free(&e->catalogue);
        free(e);
    }
}

/* Read the folder again, without the lock: others go on with what there is. */
static void renew(struct simctl_shelf *s, uint64_t seen)
{
    struct web_error error = {0};
    struct edition *old = s->now;
    old->users++;
    s->reading = true;
    (void)pthread_mutex_unlock(&s->lock);
    struct edition *fresh = read_all(s, &old->catalogue, &error);
    if (s->log != NULL) {
        (void)fprintf(s->log, "simctl: templates: %s\n",
                      fresh != NULL ? "read again, the folder has changed" : error.message);
        (void)fflush(s->log);
    }
    (void)pthread_mutex_lock(&s->lock);
    s->reading = false;
    s->seen = seen;
    release_edition(old);
    if (fresh != NULL) {
        release_edition(s->now);
        s->now = fresh;
    }
}

static void check_folder(struct simctl_shelf *s)
{
    const time_t now_s = monotonic_s();
    if (s->folder == NULL || s->reading || now_s - s->looked_s < LOOK_S) {
        return;
    }
    s->looked_s = now_s;
    const uint64_t seen = look_at(s->folder);
    if (seen != s->seen) {
        renew(s, seen);
    }
}

/* ---- the shelf */

struct simctl_shelf *simctl_shelf_open(const char *folder, FILE *log, simctl_template_check *check,
                                       void *ctx, struct web_error *error)
{
    struct simctl_shelf *s = calloc(1, sizeof *s);
    if (s == NULL || (folder != NULL && (s->folder = strdup(folder)) == NULL)) {
        free(s);
        (void)web_refuse(error, 500, "memory", "no memory");
        return NULL;
    }
    (void)pthread_mutex_init(&s->lock, NULL);
    s->log = log;
    s->check = check;
    s->check_ctx = ctx;
    s->seen = folder != NULL ? look_at(folder) : 0;
    s->looked_s = monotonic_s();
    s->now = read_all(s, NULL, error);
    if (s->now == NULL) {
        (void)pthread_mutex_destroy(&s->lock);
        free(s->folder);
        free(s);
        return NULL;
    }
    return s;
}

const struct simctl_catalogue *simctl_shelf_take(struct simctl_shelf *s)
{
    (void)pthread_mutex_lock(&s->lock);
    check_folder(s);
    struct edition *e = s->now;
    e->users++;
    (void)pthread_mutex_unlock(&s->lock);
    return &e->catalogue;
}

void simctl_shelf_give_back(struct simctl_shelf *s, const struct simctl_catalogue *c)
{
    (void)pthread_mutex_lock(&s->lock);
    release_edition((struct edition *)c); /* its first member */
    (void)pthread_mutex_unlock(&s->lock);
}

void simctl_shelf_close(struct simctl_shelf *s)
{
    if (s != NULL) {
        release_edition(s->now);
        (void)pthread_mutex_destroy(&s->lock);
        free(s->folder);
        free(s);
    }
}
