/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/tenant.h"

#include "mavlink/sha256.h"
#include "tools/simctl/base/document.h"
#include "tools/simctl/base/shape.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>

#define TOKEN_MAX   8192u
#define REVIEWS     256u /* that are remembered */
#define REVIEW_S    60   /* so long: a token that was revoked is good for a minute more */
#define HASH_PREFIX "sha256:"

static const struct simctl_field k_tenant[] = {
    {"namespace", SIMCTL_NAME, false, NULL, "namespace of its instances, in a cluster"},
    {"tokens", SIMCTL_OBJECT, false, NULL, "hashes of tokens, sha256:HEX, by names of callers"},
    {"accounts", SIMCTL_ARRAY, false, NULL,
     "NAMESPACE:NAME of ServiceAccounts; NAMESPACE:* are all"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

static const struct simctl_field k_document[] = {
    {"tenants", SIMCTL_OBJECT, true, NULL, "tenants, by their names"},
    {"images", SIMCTL_OBJECT, false, NULL, "images of a cluster, by their names in templates"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

/* The cluster's verdict on a token, kept for a minute. */
struct reviewed {
    uint8_t digest[MF_SHA256_BYTES];
    char account[SIMCTL_CALLER_MAX];
    time_t until_s; /* monotonic */
};

struct simctl_tenants {
    json_t *document; /* NULL: this machine alone is served */
    simctl_review *review;
    void *ctx;
    pthread_mutex_t lock; /* of reviewed */
    unsigned next;
    struct reviewed reviewed[REVIEWS];
};

/* ---- tokens */

static void digest_of(const char *token, uint8_t *digest)
{
    struct mf_sha256 sha;
    mf_sha256_init(&sha);
    mf_sha256_add(&sha, (const uint8_t *)token, strlen(token));
    mf_sha256_end(&sha, digest);
}

void simctl_token_hash(const char *token, char *text)
{
    uint8_t digest[MF_SHA256_BYTES];
    digest_of(token, digest);
    size_t n = (size_t)snprintf(text, SIMCTL_HASH_TEXT, "%s", HASH_PREFIX);
    for (size_t i = 0; i < sizeof digest; i++, n += 2) {
        (void)snprintf(text + n, 3, "%02x", digest[i]);
    }
}

void simctl_token_make(char *token)
{
    uint8_t bytes[20];
    size_t n = (size_t)snprintf(token, SIMCTL_NEW_TOKEN, "mayfly_");
    for (size_t got = 0; got < sizeof bytes;) {
        const ssize_t more = getrandom(bytes + got, sizeof bytes - got, 0);
        got += more > 0 ? (size_t)more : 0;
    }
    for (size_t i = 0; i < sizeof bytes; i++, n += 2) {
        (void)snprintf(token + n, 3, "%02x", bytes[i]);
    }
}

/* Compare two texts in a time that does not depend on the place where they differ. */
static bool equal_texts(const char *a, const char *b)
{
    const size_t n = strlen(a);
    unsigned differs = n != strlen(b);
    for (size_t i = 0; i < n && b[i] != '\0'; i++) {
        differs |= (unsigned)(unsigned char)(a[i] ^ b[i]);
    }
    return differs == 0;
}

/* ---- configuration */

static bool check_hash(const char *path, const char *caller, const json_t *hash,
                       struct web_error *error)
{
    const char *text = json_string_value(hash);
    const size_t prefix = strlen(HASH_PREFIX);
    return (text != NULL && strncmp(text, HASH_PREFIX, prefix) == 0 &&
            strlen(text) == prefix + 64 && strspn(text + prefix, "0123456789abcdef") == 64) ||
           web_refuse(error, 422, "tenants",
                      "%.60s.tokens.%.40s must be the sha256:HEX of a token; `simctl token` "
                      "makes both",
                      path, caller);
}

static bool check_tenant(const char *name, const json_t *tenant, struct web_error *error)
{
    char path[80];
    size_t i;
    const char *caller;
    json_t *one;
    (void)snprintf(path, sizeof path, "tenants.%.60s", name);
    if (!simctl_is_name(name)) {
        return web_refuse(error, 422, "tenants",
                          "%s: a tenant's name must have lower-case letters, digits and '-' only",
                          path);
    }
    if (!simctl_shape_check(tenant, path, k_tenant, error)) {
        return false;
    }
    json_object_foreach(json_object_get(tenant, "tokens"), caller, one)
    {
        if (!check_hash(path, caller, one, error)) {
            return false;
        }
    }
    json_array_foreach(json_object_get(tenant, "accounts"), i, one)
    {
        const char *account = json_string_value(one);
        if (account == NULL || strchr(account, ':') == NULL) {
            return web_refuse(error, 422, "tenants", "%s.accounts[%zu] must be NAMESPACE:NAME",
                              path, i);
        }
    }
    return true;
}

static bool check_images(const json_t *images, struct web_error *error)
{
    const char *name;
    const json_t *image;
    json_object_foreach((json_t *)images, name, image)
    {
        const char *text = json_string_value(image);
        if (text == NULL || text[0] == '\0' || strpbrk(text, " \t\n") != NULL) {
            return web_refuse(error, 422, "tenants",
                              "images.%.100s must be an image: REGISTRY/NAME:TAG, or @sha256:HEX",
                              name);
        }
    }
    return true;
}

struct simctl_tenants *simctl_tenants_default(void)
{
    struct simctl_tenants *t = calloc(1, sizeof *t);
    if (t != NULL) {
        (void)pthread_mutex_init(&t->lock, NULL);
    }
    return t;
}

struct simctl_tenants *simctl_tenants_load(const char *path, struct web_error *error)
{
    const char *name;
    json_t *tenant;
    struct simctl_tenants *t = NULL;
    json_t *document = simctl_document_load(path, error);
    bool good = document != NULL && simctl_shape_check(document, "", k_document, error);
    const json_t *all = json_object_get(document, "tenants");
    if (good && (json_object_size(all) == 0 || json_object_size(all) > SIMCTL_TENANTS_MAX)) {
        good = web_refuse(error, 422, "tenants", "%.160s: tenants must be 1 to %u", path,
                          SIMCTL_TENANTS_MAX);
    }
    json_object_foreach((json_t *)all, name, tenant)
    {
        good = good && check_tenant(name, tenant, error);
    }
    if (good && check_images(json_object_get(document, "images"), error)) {
        t = simctl_tenants_default();
    }
    if (t == NULL) {
        json_decref(document);
        return NULL;
    }
    t->document = document;
    return t;
}

void simctl_tenants_free(struct simctl_tenants *t)
{
    if (t != NULL) {
        json_decref(t->document);
        (void)pthread_mutex_destroy(&t->lock);
        free(t);
    }
}

void simctl_tenants_review(struct simctl_tenants *t, simctl_review *review, void *ctx)
{
    t->review = review;
    t->ctx = ctx;
}

const char *simctl_tenants_name(const struct simctl_tenants *t, unsigned n, const char **name_space)
{
    const char *name;
    json_t *tenant;
    *name_space = "";
    if (t->document == NULL) {
        return n == 0 ? SIMCTL_TENANT : NULL;
    }
    json_object_foreach(json_object_get(t->document, "tenants"), name, tenant)
    {
        if (n-- == 0) {
            *name_space = simctl_shape_text(tenant, "namespace", "");
            return name;
        }
    }
    return NULL;
}

const json_t *simctl_tenants_images(const struct simctl_tenants *t)
{
    return json_object_get(t->document, "images");
}

/* ---- who asks */

static bool find_token(const struct simctl_tenants *t, const char *token, struct simctl_who *who)
{
    char hash[SIMCTL_HASH_TEXT];
    const char *name, *caller;
    json_t *tenant, *one;
    bool found = false;
    simctl_token_hash(token, hash);
    json_object_foreach(json_object_get(t->document, "tenants"), name, tenant)
    {
        json_object_foreach(json_object_get(tenant, "tokens"), caller, one)
        {
            if (equal_texts(json_string_value(one), hash)) {
                (void)snprintf(who->tenant, sizeof who->tenant, "%s", name);
                (void)snprintf(who->caller, sizeof who->caller, "%.100s", caller);
                found = true;
            }
        }
    }
    return found;
}

/* True if a pattern names an account: "ci:runner" matches "ci:runner" and "ci:*". */
static bool is_named(const char *pattern, const char *account)
{
    const size_t n = strcspn(pattern, ":") + 1;
    return strcmp(pattern, account) == 0 ||
           (strcmp(pattern + n, "*") == 0 && strncmp(pattern, account, n) == 0);
}

static bool find_account(const struct simctl_tenants *t, struct simctl_who *who)
{
    size_t i;
    const char *name;
    json_t *tenant, *one;
    json_object_foreach(json_object_get(t->document, "tenants"), name, tenant)
    {
        json_array_foreach(json_object_get(tenant, "accounts"), i, one)
        {
            if (is_named(json_string_value(one), who->caller)) {
                (void)snprintf(who->tenant, sizeof who->tenant, "%s", name);
                return true;
            }
        }
    }
    return false;
}

static time_t now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Find the cluster's verdict on a token, if it is younger than a minute. */
static bool recall(struct simctl_tenants *t, const uint8_t *digest, char *account)
{
    bool found = false;
    const time_t now = now_s();
    (void)pthread_mutex_lock(&t->lock);
    for (unsigned i = 0; i < REVIEWS && !found; i++) {
        const struct reviewed *r = &t->reviewed[i];
        if (r->until_s > now && memcmp(r->digest, digest, sizeof r->digest) == 0) {
            (void)snprintf(account, SIMCTL_CALLER_MAX, "%s", r->account);
            found = true;
        }
    }
    (void)pthread_mutex_unlock(&t->lock);
    return found;
}

static void remember(struct simctl_tenants *t, const uint8_t *digest, const char *account)
{
    (void)pthread_mutex_lock(&t->lock);
    struct reviewed *r = &t->reviewed[t->next++ % REVIEWS];
    memcpy(r->digest, digest, sizeof r->digest);
    (void)snprintf(r->account, sizeof r->account, "%s", account);
    r->until_s = now_s() + REVIEW_S;
    (void)pthread_mutex_unlock(&t->lock);
}

static bool find_reviewed(struct simctl_tenants *t, const char *token, struct simctl_who *who,
                          struct web_error *error)
{
    uint8_t digest[MF_SHA256_BYTES];
    digest_of(token, digest);
    if (t->review == NULL) {
        return web_refuse(error, 401, "token", "this token is unknown");
    }
    if (!recall(t, digest, who->caller)) {
        if (!t->review(t->ctx, token, who->caller, error)) {
            return false;
        }
        remember(t, digest, who->caller);
    }
    return find_account(t, who) || web_refuse(error, 403, "tenant",
                                              "ServiceAccount %.120s belongs to no tenant; the "
                                              "controller's configuration names them",
                                              who->caller);
}

bool simctl_tenants_open(const struct simctl_tenants *t)
{
    return t->document == NULL;
}

bool simctl_tenants_who(struct simctl_tenants *t, const char *authorization, bool local,
                        struct simctl_who *who, struct web_error *error)
{
    static const char k_scheme[] = "Bearer ";
    *who = (struct simctl_who){.tenant = SIMCTL_TENANT, .caller = "local"};
    if (t->document == NULL) {
        return local || web_refuse(error, 403, "forbidden",
                                   "only programs of this machine are served; serve "
                                   "--config FILE says who else is");
    }
    if (authorization == NULL || strncasecmp(authorization, k_scheme, sizeof k_scheme - 1) != 0) {
        return web_refuse(error, 401, "token",
                          "a token is needed: Authorization: Bearer TOKEN, simctl --token TOKEN");
    }
    const char *token = authorization + sizeof k_scheme - 1;
    if (token[0] == '\0' || strlen(token) > TOKEN_MAX) {
        return web_refuse(error, 401, "token", "a token must have 1 to %u characters", TOKEN_MAX);
    }
    return find_token(t, token, who) || find_reviewed(t, token, who, error);
}
