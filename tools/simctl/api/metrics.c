/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/api/metrics.h"

#include "tools/simctl/api/routes.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX       16384u
#define UNRECLAIMED_US 60000000 /* after lifetime and TTL; clean-up takes its time */
#define CLASSES        6u       /* of status: 1xx to 5xx */

/* Durations of requests for instances, up to each of these; the last one has no end. */
static const double k_bucket_s[] = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 60.0};
#define BUCKETS (sizeof k_bucket_s / sizeof k_bucket_s[0])

static atomic_ulong s_created, s_ended, s_requests[CLASSES], s_took[BUCKETS + 1];
static atomic_ullong s_took_us;

void simctl_count_created(void)
{
    s_created++;
}

void simctl_count_ended(void)
{
    s_ended++;
}

void simctl_count_request(unsigned status, bool create, int64_t took_us)
{
    size_t bucket = 0;
    s_requests[status / 100 < CLASSES ? status / 100 : 0]++;
    if (create && took_us >= 0) { /* a clock that was set back says nothing */
        while (bucket < BUCKETS && (double)took_us > k_bucket_s[bucket] * 1e6) {
            bucket++;
        }
        s_took[bucket]++;
        s_took_us += (unsigned long long)took_us;
    }
}

/* What a look at all instances gathers. */
struct tally {
    unsigned state[SIMCTL_STATES], outcome[SIMCTL_OUTCOMES], unreclaimed;
    int64_t now_us;
};

static void look(void *ctx, const struct simctl_instance *i)
{
    struct tally *t = ctx;
    t->state[i->state]++;
    t->outcome[i->outcome]++;
    const int64_t ttl_us = (int64_t)(i->ttl_s * 1e6);
    t->unreclaimed += i->ends_us != 0 && t->now_us > i->ends_us + ttl_us + UNRECLAIMED_US;
}

struct text {
    char bytes[TEXT_MAX];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, format, args);
    va_end(args);
    t->n += n > 0 && (size_t)n < sizeof t->bytes - t->n ? (size_t)n : 0;
}

static void add_head(struct text *t, const char *name, const char *type, const char *help)
{
    add(t, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void add_instances(struct text *t, const struct tally *all)
{
    add_head(t, "mayfly_instances", "gauge", "Instances by state.");
    for (int i = 0; i < SIMCTL_STATES; i++) {
        add(t, "mayfly_instances{state=\"%s\"} %u\n", simctl_state_word((enum simctl_state)i),
            all->state[i]);
    }
    add_head(t, "mayfly_instances_ended", "gauge",
             "Instances that have ended and can still be asked about, by outcome.");
    for (int i = SIMCTL_OUTCOME_OPEN + 1; i < SIMCTL_OUTCOMES; i++) {
        add(t, "mayfly_instances_ended{outcome=\"%s\"} %u\n",
            simctl_outcome_code((enum simctl_outcome)i), all->outcome[i]);
    }
    add_head(
        t, "mayfly_instances_expired_unreclaimed", "gauge",
        "Instances that are there a minute after lifetime and TTL: something does not clean up.");
    add(t, "mayfly_instances_expired_unreclaimed %u\n", all->unreclaimed);
}

static void add_counters(struct text *t)
{
    static const char *const k_class[CLASSES] = {"other", "1xx", "2xx", "3xx", "4xx", "5xx"};
    add_head(t, "mayfly_controller_created_total", "counter",
             "Instances that this controller has begun.");
    add(t, "mayfly_controller_created_total %lu\n", (unsigned long)s_created);
    add_head(t, "mayfly_controller_ended_total", "counter",
             "Instances that callers have ended through this controller.");
    add(t, "mayfly_controller_ended_total %lu\n", (unsigned long)s_ended);
    add_head(t, "mayfly_controller_requests_total", "counter", "Requests by class of status.");
    for (unsigned i = 1; i < CLASSES; i++) {
        add(t, "mayfly_controller_requests_total{status=\"%s\"} %lu\n", k_class[i],
            (unsigned long)s_requests[i]);
    }
}

static void add_durations(struct text *t)
{
    static const char k_name[] = "mayfly_controller_create_seconds";
    unsigned long n = 0;
    add_head(t, k_name, "histogram",
             "Until requests for instances were answered; with wait=ready until they were ready.");
    for (size_t i = 0; i < BUCKETS; i++) {
        n += s_took[i];
        add(t, "%s_bucket{le=\"%g\"} %lu\n", k_name, k_bucket_s[i], n);
    }
    n += s_took[BUCKETS];
    add(t, "%s_bucket{le=\"+Inf\"} %lu\n%s_sum %.6f\n%s_count %lu\n", k_name, n, k_name,
        (double)s_took_us * 1e-6, k_name, n);
}

/* As Prometheus' own clients name it. */
static void add_memory(struct text *t)
{
    char line[128], *resident = NULL; /* pages: in all, resident, ... */
    FILE *f = fopen("/proc/self/statm", "re");
    if (f != NULL && fgets(line, sizeof line, f) != NULL) {
        resident = strchr(line, ' ');
    }
    if (resident != NULL) {
        add_head(t, "process_resident_memory_bytes", "gauge", "Resident memory size in bytes.");
        add(t, "process_resident_memory_bytes %lu\n",
            strtoul(resident, NULL, 10) * (unsigned long)sysconf(_SC_PAGESIZE));
    }
    if (f != NULL) {
        (void)fclose(f);
    }
}

void simctl_api_metrics(struct simctl_call *c)
{
    const struct simctl_backend *b = &c->api->backend;
    const char *name_space = NULL, *tenant;
    struct tally all = {.now_us = simctl_utc_us()};
    struct text *t = calloc(1, sizeof *t);
    bool up = true;
    for (unsigned n = 0; (tenant = simctl_tenants_name(c->api->tenants, n, &name_space)) != NULL;
         n++) {
        struct web_error error = {0};
        up = b->ops->list(b->ctx, tenant, look, &all, &error) && up;
    }
    if (t != NULL) {
        add_instances(t, &all);
        add_counters(t);
        add_durations(t);
        add_memory(t);
        add_head(t, "mayfly_controller_backend_up", "gauge",
                 "Whether what instances run on answers.");
        add(t, "mayfly_controller_backend_up %d\n", up);
    }
    char *text = t != NULL ? strdup(t->bytes) : NULL;
    free(t);
    simctl_call_text(c, "text/plain; version=0.0.4", text);
}
