/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/instance.h"

#include "mavlink/sha256.h"
#include "tools/simctl/base/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define CERTIFIED_AFTER_US 60000000 /* clocks differ, and an end takes its time */
#define ID_CHARACTERS      12u      /* 60 bits */
#define REQUEST_CHARACTERS 26u      /* 130 bits: no caller can find the name of another's */

static const char *const k_state[] = {
#define X(NAME, word, help) word,
    SIMCTL_STATE_LIST(X)
#undef X
};

static const char *const k_outcome[] = {
#define X(NAME, code, help) code,
    SIMCTL_OUTCOME_LIST(X)
#undef X
};

const char *simctl_state_word(enum simctl_state state)
{
    return k_state[state];
}

const char *simctl_outcome_code(enum simctl_outcome outcome)
{
    return k_outcome[outcome];
}

void simctl_instance_free(struct simctl_instance *i)
{
    json_decref(i->labels);
    json_decref(i->values);
    *i = (struct simctl_instance){0};
}

/* ---- times */

int64_t simctl_utc_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void simctl_utc_text(int64_t utc_us, char *text)
{
    utc_us = utc_us < 0 ? 0 : utc_us > SIMCTL_UTC_MAX_US ? SIMCTL_UTC_MAX_US : utc_us;
    const time_t seconds = (time_t)(utc_us / 1000000);
    struct tm tm;
    (void)gmtime_r(&seconds, &tm);
    const size_t n = strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm);
    (void)snprintf(text + n, 32 - n, ".%03uZ", (unsigned)(utc_us / 1000 % 1000));
}

/* ---- as JSON */

static json_t *time_json(int64_t utc_us)
{
    char text[32];
    if (utc_us == 0) {
        return json_null();
    }
    simctl_utc_text(utc_us, text);
    return json_string(text);
}

/* Addresses for clients, in the forms that MAVSDK, pymavlink and HTTP clients take. */
static json_t *address_json(const struct simctl_addresses *a)
{
    const struct {
        const char *name, *scheme, *address;
    } k_member[] = {{"tcp", "", a->tcp},
                    {"mavsdk", "tcpout://", a->tcp},
                    {"pymavlink", "tcp:", a->tcp},
                    {"udp", "", a->udp},
                    {"api", "http://", a->api}};
    json_t *o = json_object();
    for (size_t i = 0; i < sizeof k_member / sizeof k_member[0]; i++) {
        if (k_member[i].address[0] != '\0') {
            (void)json_object_set_new(
                o, k_member[i].name, json_sprintf("%s%s", k_member[i].scheme, k_member[i].address));
        }
    }
    return o;
}

json_t *simctl_instance_json(const struct simctl_instance *i)
{
    json_t *outside = i->outside.tcp[0] != '\0' ? address_json(&i->outside) : json_null();
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:O, s:O, s:o, s:o, s:i, s:{s:o, s:o, s:o, s:o, s:o, s:o}}",
        "id", i->id, "template", i->template_name, "state", k_state[i->state], "outcome",
        i->outcome != SIMCTL_OUTCOME_OPEN ? json_string(k_outcome[i->outcome]) : json_null(),
        "reason", simctl_shape_string(i->reason), "labels", i->labels, "values", i->values,
        "connect", address_json(&i->within), "outside", outside, "restarts", (int)i->restarts,
        "times", "asked", time_json(i->asked_us), "scheduled", time_json(i->scheduled_us),
        "started", time_json(i->started_us), "ready", time_json(i->ready_us), "ends",
        time_json(i->ends_us), "ended", time_json(i->ended_us));
}

/* ---- names */

static void add(struct mf_sha256 *sha, const char *text, size_t n)
{
    mf_sha256_add(sha, (const uint8_t *)text, n);
}

static void hex(const uint8_t *digest, char *text)
{
    for (size_t i = 0; i < MF_SHA256_BYTES; i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", digest[i]);
    }
}

bool simctl_order_certify(const struct simctl_order *order, const struct simctl_ca *ca,
                          struct simctl_minted *out, struct web_error *error)
{
    const struct simctl_template *t = order->template;
    const double life_s = t->extend ? t->lifetime_max_s : order->lifetime_s;
    if (ca == NULL) {
        return web_refuse(error, 422, "certificates",
                          "template %.63s needs certificates, and the controller has no CA: serve "
                          "--ca-certificate FILE --ca-key FILE",
                          t->name);
    }
    return simctl_certificate_mint(ca, order->id, t->certificates.names,
                                   simctl_utc_us() + (int64_t)(life_s * 1e6) + CERTIFIED_AFTER_US,
                                   out, error);
}

void simctl_order_hash(struct simctl_order *order, const json_t *body)
{
    uint8_t digest[MF_SHA256_BYTES];
    struct mf_sha256 sha;
    char *text = json_dumps(body, JSON_SORT_KEYS | JSON_COMPACT | JSON_ENCODE_ANY);
    mf_sha256_init(&sha);
    add(&sha, text, strlen(text));
    mf_sha256_end(&sha, digest);
    hex(digest, order->hash);
    free(text);
}

/* A name for objects of Kubernetes, which begins with a letter. @param text  out [n + 1] */
static void name_of(const uint8_t *random, size_t n, char *text)
{
    static const char k_digit[] = "abcdefghijklmnopqrstuvwxyz234567";
    for (size_t i = 0; i < n; i++) {
        text[i] = k_digit[random[i] & 31u];
    }
    text[0] = k_digit[random[0] % 26u];
    text[n] = '\0';
}

void simctl_order_name(struct simctl_order *order, const char *caller, const char *request,
                       unsigned n)
{
    uint8_t digest[MF_SHA256_BYTES] = {0};
    struct mf_sha256 sha;
    if (n == 0) {
        (void)getrandom(digest, sizeof digest, 0);
        name_of(digest, ID_CHARACTERS, order->id);
    }
    (void)snprintf(order->id + ID_CHARACTERS, sizeof order->id - ID_CHARACTERS, "-%u", n);
    if (request[0] != '\0') {
        mf_sha256_init(&sha);
        add(&sha, order->tenant, strlen(order->tenant) + 1);
        add(&sha, caller, strlen(caller) + 1);
        add(&sha, request, strlen(request) + 1);
        mf_sha256_end(&sha, digest);
        name_of(digest, REQUEST_CHARACTERS, order->request);
        (void)snprintf(order->request + REQUEST_CHARACTERS,
                       sizeof order->request - REQUEST_CHARACTERS, "-%u", n);
    }
}
