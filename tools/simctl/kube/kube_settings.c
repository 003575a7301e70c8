/* SPDX-License-Identifier: Apache-2.0 */
/* Address and credentials of an API server, from a pod's files or a kubeconfig. */
#include "tools/simctl/kube/kube_client.h"

#include "tools/simctl/base/document.h"
#include "tools/simctl/base/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POD_FILES  "/var/run/secrets/kubernetes.io/serviceaccount/"
#define FILE_MAX   (64u << 10)
#define PATH_BYTES 4096u

void simctl_kube_settings_free(struct simctl_kube_settings *s)
{
    char *all[] = {s->server, s->ca,         s->certificate, s->key,
                   s->token,  s->token_file, s->name_space};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
    *s = (struct simctl_kube_settings){0};
}

static char *read_file(const char *path, struct web_error *error)
{
    FILE *file = fopen(path, "re");
    char *text = file != NULL ? malloc(FILE_MAX) : NULL;
    if (text != NULL) {
        const size_t n = fread(text, 1, FILE_MAX - 1, file);
        text[n] = '\0';
    } else {
        (void)web_refuse(error, 422, "kubernetes", "%.180s cannot be read", path);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

bool simctl_kube_settings_pod(struct simctl_kube_settings *s, struct web_error *error)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST"), *port = getenv("KUBERNETES_SERVICE_PORT");
    char server[300];
    if (host == NULL || port == NULL) {
        return web_refuse(error, 422, "kubernetes",
                          "this is not a pod of a cluster (KUBERNETES_SERVICE_HOST is not set): "
                          "--kubeconfig FILE says where one is");
    }
    const bool v6 = strchr(host, ':') != NULL;
    (void)snprintf(server, sizeof server, "https://%s%.200s%s:%.10s", v6 ? "[" : "", host,
                   v6 ? "]" : "", port);
    *s = (struct simctl_kube_settings){.server = strdup(server),
                                       .ca = read_file(POD_FILES "ca.crt", error),
                                       .token_file = strdup(POD_FILES "token"),
                                       .name_space = read_file(POD_FILES "namespace", error)};
    if (s->ca == NULL || s->name_space == NULL) {
        simctl_kube_settings_free(s);
        return false;
    }
    s->name_space[strcspn(s->name_space, "\r\n")] = '\0';
    return true;
}

/* ---- a kubeconfig */

static int digit64(char c)
{
    static const char k_digit[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(k_digit, c) : NULL;
    return at != NULL ? (int)(at - k_digit) : -1;
}

/* @return a new text; NULL: it is not base64 */
static char *decode64(const char *text)
{
    char *out = malloc(strlen(text) / 4 * 3 + 4);
    size_t n = 0;
    unsigned bits = 0, held = 0;
    for (; out != NULL && *text != '\0' && *text != '='; text++) {
        const int digit = digit64(*text);
        if (digit < 0) {
            free(out);
            return NULL;
        }
        held = (held << 6 | (unsigned)digit) & 0xffffu;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[n++] = (char)(held >> bits & 0xffu);
        }
    }
    if (out != NULL) {
        out[n] = '\0';
    }
    return out;
}

/* {name: N, MEMBER: {...}} of a list, by its name. */
static const json_t *named(const json_t *document, const char *list, const char *member,
                           const char *name)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(document, list), i, one)
    {
        if (strcmp(simctl_shape_text(one, "name", ""), name) == 0) {
            return json_object_get(one, member);
        }
    }
    return NULL;
}

/* A path of the file, which may be relative to it. */
static void beside(const char *config, const char *path, char *out)
{
    const char *slash = strrchr(config, '/');
    const int n = path[0] == '/' || slash == NULL ? 0 : (int)(slash - config) + 1;
    (void)snprintf(out, PATH_BYTES, "%.*s%s", n, config, path);
}

/* NAME-data in base64, or NAME, a path. @return NULL: neither is there, or @p error */
static char *pem(const json_t *o, const char *name, const char *config, struct web_error *error)
{
    char data[64], path[PATH_BYTES];
    (void)snprintf(data, sizeof data, "%s-data", name);
    const char *text = simctl_shape_text(o, data, NULL), *file = simctl_shape_text(o, name, NULL);
    if (text != NULL) {
        char *out = decode64(text);
        if (out == NULL) {
            (void)web_refuse(error, 422, "kubernetes", "%.120s: %s is not base64", config, data);
        }
        return out;
    }
    if (file == NULL) {
        return NULL;
    }
    beside(config, file, path);
    return read_file(path, error);
}

static char *copy_of(const json_t *o, const char *name)
{
    const char *text = simctl_shape_text(o, name, NULL);
    return text != NULL ? strdup(text) : NULL;
}

bool simctl_kube_settings_load(struct simctl_kube_settings *s, const char *path,
                               struct web_error *error)
{
    char token_file[PATH_BYTES];
    json_t *document = simctl_document_load(path, error);
    if (document == NULL) {
        return false;
    }
    const json_t *context =
        named(document, "contexts", "context", simctl_shape_text(document, "current-context", ""));
    const json_t *cluster =
        named(document, "clusters", "cluster", simctl_shape_text(context, "cluster", ""));
    const json_t *user = named(document, "users", "user", simctl_shape_text(context, "user", ""));
    const char *server = simctl_shape_text(cluster, "server", "");
    *s = (struct simctl_kube_settings){0};
    if (strncmp(server, "http", 4) != 0 || strlen(server) > 250) {
        (void)web_refuse(
            error, 422, "kubernetes",
            "%.120s: current-context names no context with a cluster that has a server", path);
    } else if (json_object_get(user, "exec") != NULL ||
               json_object_get(user, "auth-provider") != NULL) {
        (void)web_refuse(error, 422, "kubernetes",
                         "%.120s: the user logs in by a program; certificates, a token or a "
                         "tokenFile are understood",
                         path);
    } else {
        *s = (struct simctl_kube_settings){
            .server = strdup(server),
            .ca = pem(cluster, "certificate-authority", path, error),
            .certificate = pem(user, "client-certificate", path, error),
            .key = pem(user, "client-key", path, error),
            .token = copy_of(user, "token"),
            .name_space = strdup(simctl_shape_text(context, "namespace", "default"))};
        s->server[strlen(server) - (server[strlen(server) - 1] == '/' ? 1u : 0u)] = '\0';
        if (simctl_shape_text(user, "tokenFile", NULL) != NULL) {
            beside(path, simctl_shape_text(user, "tokenFile", ""), token_file);
            s->token_file = strdup(token_file);
        }
    }
    json_decref(document);
    if (error->status != 0) {
        simctl_kube_settings_free(s);
    }
    return error->status == 0;
}
