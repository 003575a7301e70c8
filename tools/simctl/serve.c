/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/serve.h"

#include "tools/simctl/api/api.h"
#include "tools/simctl/kube/kube.h"
#include "tools/simctl/kube/kube_review.h"
#include "tools/simctl/local/local.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define EXIT_BAD_INPUT 2
#define PATH_BYTES     4096u
#define PEM_MAX        65536u
/* Connections at once. Each takes 0.1 MB while it holds instances. */
#define PLACES_MOST  1024u
#define PLACES_LEAST 64u
/* Open files that are not of connections: the server's own, and watches of each tenant's
 * namespace. */
#define OTHER_FILES  64u
#define TENANT_FILES 4u

static int refuse(const char *what)
{
    (void)fprintf(stderr, "simctl: %s\n", what);
    return EXIT_BAD_INPUT;
}

/* Find the path of this program, and of mayfly, which lies in the same folder or in PATH. */
static void find_programs(const struct simctl_serving *serving, char *self, char *mayfly)
{
    const ssize_t n = readlink("/proc/self/exe", self, PATH_BYTES - 1);
    self[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(self, '/');
    if (serving->mayfly != NULL) {
        (void)snprintf(mayfly, PATH_BYTES, "%s", serving->mayfly);
        return;
    }
    (void)snprintf(mayfly, PATH_BYTES, "%.*s/mayfly", slash != NULL ? (int)(slash - self) : 0,
                   self);
    if (access(mayfly, X_OK) != 0) {
        (void)snprintf(mayfly, PATH_BYTES, "mayfly");
    }
}

/* The backend that runs instances, and its resources. */
struct engine {
    struct simctl_backend backend;
    const char *name, *what; /* for people */
    struct simctl_local *local;
    char folder[PATH_BYTES];
    bool own_folder;
    struct simctl_kube *kube;
    struct simctl_kube_backend *cluster;
    struct simctl_tenants *tenants;
    struct simctl_ca *ca;
    struct simctl_shelf *templates;
    struct simctl_key key; /* of the drones' tokens */
};

static bool begin_local(struct engine *e, const struct simctl_serving *serving,
                        struct web_error *error)
{
    char self[PATH_BYTES], mayfly[PATH_BYTES];
    find_programs(serving, self, mayfly);
    (void)snprintf(e->folder, PATH_BYTES, "%s", serving->folder != NULL ? serving->folder : "");
    e->own_folder = serving->folder == NULL;
    if (e->own_folder) {
        const char *tmp = getenv("TMPDIR");
        (void)snprintf(e->folder, PATH_BYTES, "%s/simctl-XXXXXX", tmp != NULL ? tmp : "/tmp");
        if (mkdtemp(e->folder) == NULL) {
            return web_refuse(error, 500, "folder", "%.160s: cannot make the folder", e->folder);
        }
    }
    e->local = simctl_local_start(e->folder, mayfly, self, e->ca, error);
    e->backend = (struct simctl_backend){&simctl_local_ops, e->local};
    e->name = "local";
    e->what = "processes of this machine";
    return e->local != NULL;
}

static bool add_tenants(struct engine *e, const struct simctl_serving *serving,
                        struct web_error *error)
{
    const char *name_space, *name;
    const char *own =
        serving->name_space != NULL ? serving->name_space : simctl_kube_namespace(e->kube);
    for (unsigned n = 0; (name = simctl_tenants_name(e->tenants, n, &name_space)) != NULL; n++) {
        if (!simctl_kube_add(e->cluster, name, name_space[0] != '\0' ? name_space : own, error)) {
            return false;
        }
    }
    return true;
}

static bool begin_kubernetes(struct engine *e, const struct simctl_serving *serving,
                             struct web_error *error)
{
    struct simctl_kube_settings settings = {0};
    if (!(serving->kubeconfig != NULL
              ? simctl_kube_settings_load(&settings, serving->kubeconfig, error)
              : simctl_kube_settings_pod(&settings, error))) {
        return false;
    }
    if (serving->drone_key == NULL) {
        simctl_key_random(&e->key);
    } else if (!simctl_key_load(&e->key, serving->drone_key, error)) {
        simctl_kube_settings_free(&settings);
        return false;
    }
    e->kube = simctl_kube_open(&settings);
    e->cluster = e->kube != NULL
                     ? simctl_kube_start(e->kube, &e->key, e->ca, simctl_tenants_images(e->tenants))
                     : NULL;
    e->backend = (struct simctl_backend){&simctl_kube_ops, e->cluster};
    e->name = "kubernetes";
    e->what = "Jobs of a cluster";
    if (e->cluster == NULL) {
        return web_refuse(error, 500, "memory", "no memory");
    }
    simctl_tenants_review(e->tenants, simctl_kube_review, e->kube);
    return add_tenants(e, serving, error);
}

static bool begin(struct engine *e, const struct simctl_serving *serving, struct web_error *error)
{
    e->tenants = serving->config != NULL ? simctl_tenants_load(serving->config, error)
                                         : simctl_tenants_default();
    if (e->tenants == NULL) {
        return web_refuse(error, 500, "memory", "no memory");
    }
    if (serving->ca_certificate != NULL || serving->ca_key != NULL) {
        e->ca = simctl_ca_load(serving->ca_certificate != NULL ? serving->ca_certificate : "",
                               serving->ca_key != NULL ? serving->ca_key : "", error);
        if (e->ca == NULL) {
            return false;
        }
    }
    const bool pod = getenv("KUBERNETES_SERVICE_HOST") != NULL || serving->kubeconfig != NULL;
    const char *name = serving->backend != NULL ? serving->backend : pod ? "kubernetes" : "local";
    if (strcmp(name, "kubernetes") == 0) {
        return begin_kubernetes(e, serving, error);
    }
    if (strcmp(name, "local") == 0) {
        return begin_local(e, serving, error);
    }
    return web_refuse(error, 422, "backend", "--backend %.40s: local or kubernetes", name);
}

/* Check that the backend can run instances of a template. The first namespace stands for all. */
static bool check_template(void *ctx, const struct simctl_template *t, struct web_error *error)
{
    const struct engine *e = ctx;
    if (e->cluster != NULL && t->local_only) {
        return web_refuse(error, 422, "template", "%.60s has no pod: it is for a laptop", t->name);
    }
    const char *name_space = NULL, *tenant = simctl_tenants_name(e->tenants, 0, &name_space);
    return e->backend.ops->check == NULL || e->backend.ops->check(e->backend.ctx, tenant, t, error);
}

static void stop(struct engine *e)
{
    if (e->cluster != NULL) {
        simctl_kube_stop(e->cluster);
    }
    if (e->kube != NULL) {
        simctl_kube_close(e->kube);
    }
    if (e->local != NULL) {
        simctl_local_stop(e->local);
    }
    if (e->own_folder) {
        (void)rmdir(e->folder);
    }
    simctl_tenants_free(e->tenants);
    simctl_ca_free(e->ca);
}

/* A file of PEM. @param text  out: new, or NULL where no file is named */
static bool read_pem(const char *path, char **text, struct web_error *error)
{
    *text = NULL;
    if (path == NULL) {
        return true;
    }
    FILE *file = fopen(path, "re");
    *text = file != NULL ? calloc(1, PEM_MAX) : NULL;
    const bool good = *text != NULL && fread(*text, 1, PEM_MAX - 1, file) > 0;
    if (file != NULL) {
        (void)fclose(file);
    }
    return good || web_refuse(error, 422, "tls", "%.200s cannot be read", path);
}

/* Warn that a reader of the network's traffic sees tokens sent over plain HTTP, and could use them.
 */
static void warn_of_tokens(const struct simctl_serving *serving, const char *url)
{
    const bool local =
        strncmp(url, "http://127.", 11) == 0 || strncmp(url, "http://[::1]", 12) == 0;
    if (serving->config != NULL && serving->certificate == NULL && !local) {
        (void)fprintf(stderr,
                      "simctl: tokens travel to %s as plain text: --certificate FILE --key FILE "
                      "encrypt them, unless a proxy does\n",
                      url);
    }
}

static bool read_certificate(const struct simctl_serving *serving, char **certificate,
                             char **secret, struct web_error *error)
{
    if ((serving->certificate == NULL) != (serving->secret == NULL)) {
        return web_refuse(error, 422, "tls", "--certificate and --key belong together");
    }
    return read_pem(serving->certificate, certificate, error) &&
           read_pem(serving->secret, secret, error);
}

/* Places for connections, as many as the open files that this process may have allow: a request to
 * a drone takes a second one. @return false: too few */
static bool count_places(const struct engine *e, unsigned *places, struct web_error *error)
{
    const char *ignored;
    struct rlimit files = {0};
    rlim_t others = OTHER_FILES;
    for (unsigned n = 0; simctl_tenants_name(e->tenants, n, &ignored) != NULL; n++) {
        others += TENANT_FILES;
    }
    (void)getrlimit(RLIMIT_NOFILE, &files);
    const rlim_t probes = e->local != NULL ? SIMCTL_LOCAL_MAX : 0u; /* of drones that start */
    const rlim_t wanted = others + probes + 2u * PLACES_MOST;
    if (files.rlim_cur < wanted) {
        files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    const rlim_t fit = files.rlim_cur > others ? (files.rlim_cur - others) / 2u : 0u;
    *places = fit < PLACES_MOST ? (unsigned)fit : PLACES_MOST;
    return *places >= PLACES_LEAST ||
           web_refuse(error, 422, "files",
                      "%u open files are too few for %u connections: ulimit -n %u or more",
                      (unsigned)files.rlim_cur, PLACES_LEAST, (unsigned)others + 2u * PLACES_LEAST);
}

/* Serve until a signal says that it is enough. */
static bool serve_api(struct engine *e, const struct simctl_serving *serving, const sigset_t *ends,
                      struct web_error *error)
{
    static struct simctl_shares s_shares;
    char url[300], why[512], *certificate = NULL, *secret = NULL;
    int number = 0;
    unsigned places = 0;
    struct simctl_api api = {.templates = e->templates,
                             .backend = e->backend,
                             .backend_name = e->name,
                             .tenants = e->tenants,
                             .shares = &s_shares,
                             .drone_key = e->cluster != NULL ? &e->key : NULL,
                             .audit = stderr};
    struct web_settings settings = {.listen = serving->listen,
                                    .threads = 0,
                                    .body_max = SIMCTL_BODY_MAX,
                                    .handle = simctl_api_handle,
                                    .refuse = simctl_api_refuse,
                                    .ctx = &api};
    bool good =
        count_places(e, &places, error) && read_certificate(serving, &certificate, &secret, error);
    simctl_shares_init(&s_shares, places, e->tenants);
    settings.places = places;
    settings.certificate = certificate;
    settings.key = secret;
    struct web_server *server =
        good ? web_serve(&settings, url, sizeof url, why, sizeof why) : NULL;
    if (good && server == NULL) {
        good = web_refuse(error, 422, "listen", "%.250s", why);
    }
    if (good) {
        const struct simctl_catalogue *templates = simctl_shelf_take(e->templates);
        (void)printf("simctl: %s: %u template%s; instances are %s\n", url, templates->count,
                     templates->count == 1 ? "" : "s", e->what);
        simctl_shelf_give_back(e->templates, templates);
        warn_of_tokens(serving, url);
        (void)fflush(stdout);
        (void)sigwait(ends, &number);
        api.stopping = true;
        simctl_api_holds_stop();
        if (e->local != NULL) {
            simctl_local_end_all(e->local); /* while the API says so; stop() frees it, later */
        }
        web_stop(server);
    }
    free(certificate);
    free(secret);
    return good;
}

int simctl_serve(const struct simctl_serving *serving)
{
    static struct engine s_engine;
    struct web_error error = {0};
    sigset_t ends;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGINT);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &ends, NULL); /* before there are threads */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)mallopt(M_ARENA_MAX, 2); /* a thread for each connection, and not an arena */
    bool good = begin(&s_engine, serving, &error);
    s_engine.templates =
        good ? simctl_shelf_open(serving->templates, stderr, check_template, &s_engine, &error)
             : NULL;
    good = s_engine.templates != NULL && serve_api(&s_engine, serving, &ends, &error);
    stop(&s_engine);
    simctl_shelf_close(s_engine.templates);
    return good ? EXIT_SUCCESS : refuse(error.message);
}
