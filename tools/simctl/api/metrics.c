/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/api/metrics.h"

#include "tools/simctl/api/routes.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNRECLAIMED_US 60000000 /* after lifetime and TTL; clean-up takes its time */
#define CLASSES        6u       /* of status: 1xx to 5xx */
#define LINE_MAX       512u
/* Pairs of tenant and template that have series of their own. The names of templates are those of
 * files, which change while the controller runs: the pairs above this share one. */
#define PAIRS_MAX 100u
#define OTHERS    "others"

/* Upper bounds of the histogram of request durations [s]; the last bucket is unbounded. */
static const double k_bucket_s[] = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 60.0};
#define BUCKETS (sizeof k_bucket_s / sizeof k_bucket_s[0])

static atomic_ulong s_requests[CLASSES], s_took[BUCKETS + 1];
static atomic_ullong s_took_us;

/* A pair, and what was counted of it since the start. */
struct pair {
    char tenant[SIMCTL_NAME_MAX], template_name[SIMCTL_NAME_MAX];
    unsigned long created, ended;
};

static pthread_mutex_t s_lock = PTHREAD_MUTEX_INITIALIZER; /* of these two */
static struct pair s_pair[PAIRS_MAX + 1] = {[PAIRS_MAX] = {OTHERS, OTHERS, 0, 0}};
static unsigned s_pairs;

/* Index of a pair, from now on the same one; PAIRS_MAX: that of all others. */
static unsigned pair_of(const char *tenant, const char *template_name)
{
    unsigned i = 0;
    while (i < s_pairs && (strcmp(s_pair[i].template_name, template_name) != 0 ||
                           strcmp(s_pair[i].tenant, tenant) != 0)) {
        i++;
    }
    if (i == s_pairs && i < PAIRS_MAX) {
        (void)snprintf(s_pair[i].tenant, SIMCTL_NAME_MAX, "%s", tenant);
        (void)snprintf(s_pair[i].template_name, SIMCTL_NAME_MAX, "%s", template_name);
        s_pairs++;
    }
    return i;
}

void simctl_count_created(const char *tenant, const char *template_name)
{
    (void)pthread_mutex_lock(&s_lock);
    s_pair[pair_of(tenant, template_name)].created++;
    (void)pthread_mutex_unlock(&s_lock);
}

void simctl_count_ended(const char *tenant, const char *template_name)
{
    (void)pthread_mutex_lock(&s_lock);
    s_pair[pair_of(tenant, template_name)].ended++;
    (void)pthread_mutex_unlock(&s_lock);
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

/* Counts of a look at all instances, by pair. */
struct tally {
    const char *tenant; /* whose instances are counted now */
    int64_t now_us;
    struct count {
        unsigned state[SIMCTL_STATES], outcome[SIMCTL_OUTCOMES], unreclaimed;
    } of[PAIRS_MAX + 1];
};

static void count_instance(void *ctx, const struct simctl_instance *i)
{
    struct tally *t = ctx;
    const int64_t ttl_us = (int64_t)(i->ttl_s * 1e6);
    (void)pthread_mutex_lock(&s_lock);
    struct count *c = &t->of[pair_of(t->tenant, i->template_name)];
    (void)pthread_mutex_unlock(&s_lock);
    c->state[i->state]++;
    c->outcome[i->outcome]++;
    c->unreclaimed += i->ends_us != 0 && t->now_us > i->ends_us + ttl_us + UNRECLAIMED_US;
}

/* Counts the instances of all tenants. A template without instances gets zeros.
 * @return false: the backend does not know all instances */
static bool look_at_all(struct simctl_call *c, struct tally *t)
{
    const struct simctl_backend *b = &c->api->backend;
    const char *name_space = NULL;
    bool up = true;
    for (unsigned n = 0; (t->tenant = simctl_tenants_name(c->api->tenants, n, &name_space)) != NULL;
         n++) {
        struct web_error error = {0};
        (void)pthread_mutex_lock(&s_lock);
        for (unsigned i = 0; i < c->templates->count; i++) {
            (void)pair_of(t->tenant, c->templates->template[i].name);
        }
        (void)pthread_mutex_unlock(&s_lock);
        up = b->ops->list(b->ctx, t->tenant, count_instance, t, &error) && up;
    }
    return up;
}

__attribute__((format(printf, 2, 3))) static void add(struct simctl_text *t, const char *format,
                                                      ...)
{
    char line[LINE_MAX];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    (void)simctl_text_add(t, line, n > 0 && (size_t)n < sizeof line ? (size_t)n : 0);
}

static void add_head(struct simctl_text *t, const char *name, const char *type, const char *help)
{
    add(t, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* NAME{tenant="...",template="..."} N. @param label  "": none, or a label more, with its comma */
static void add_pair(struct simctl_text *t, const char *name, unsigned pair, const char *label,
                     unsigned long n)
{
    add(t, "%s{tenant=\"%s\",template=\"%s\"%s} %lu\n", name, s_pair[pair].tenant,
        s_pair[pair].template_name, label, n);
}

static void add_instances(struct simctl_text *t, const struct count *of, unsigned pair)
{
    char label[64];
    for (int i = 0; i < SIMCTL_STATES; i++) {
        (void)snprintf(label, sizeof label, ",state=\"%s\"",
                       simctl_state_word((enum simctl_state)i));
        add_pair(t, "mayfly_instances", pair, label, of->state[i]);
    }
}

static void add_ended(struct simctl_text *t, const struct count *of, unsigned pair)
{
    char label[64];
    for (int i = SIMCTL_OUTCOME_OPEN + 1; i < SIMCTL_OUTCOMES; i++) {
        (void)snprintf(label, sizeof label, ",outcome=\"%s\"",
                       simctl_outcome_code((enum simctl_outcome)i));
        add_pair(t, "mayfly_instances_ended", pair, label, of->outcome[i]);
    }
}

static void add_unreclaimed(struct simctl_text *t, const struct count *of, unsigned pair)
{
    add_pair(t, "mayfly_instances_expired_unreclaimed", pair, "", of->unreclaimed);
}

static void add_created_total(struct simctl_text *t, const struct count *of, unsigned pair)
{
    (void)of;
    add_pair(t, "mayfly_controller_created_total", pair, "", s_pair[pair].created);
}

static void add_ended_total(struct simctl_text *t, const struct count *of, unsigned pair)
{
    (void)of;
    add_pair(t, "mayfly_controller_ended_total", pair, "", s_pair[pair].ended);
}

/* The series of one metric stand together. */
static const struct {
    const char *name, *type, *help;
    void (*add)(struct simctl_text *t, const struct count *of, unsigned pair);
} k_of_pair[] = {
    {"mayfly_instances", "gauge", "Instances by state.", add_instances},
    {"mayfly_instances_ended", "gauge",
     "Instances that have ended and can still be asked about, by outcome.", add_ended},
    {"mayfly_instances_expired_unreclaimed", "gauge",
     "Instances that are there a minute after lifetime and TTL: something does not clean up.",
     add_unreclaimed},
    {"mayfly_controller_created_total", "counter", "Instances that this controller has begun.",
     add_created_total},
    {"mayfly_controller_ended_total", "counter",
     "Instances that callers have ended through this controller.", add_ended_total},
};

static void add_pairs(struct simctl_text *t, const struct tally *all)
{
    (void)pthread_mutex_lock(&s_lock);
    const unsigned n = s_pairs + (s_pairs == PAIRS_MAX); /* and the others */
    for (size_t m = 0; m < sizeof k_of_pair / sizeof k_of_pair[0]; m++) {
        add_head(t, k_of_pair[m].name, k_of_pair[m].type, k_of_pair[m].help);
        for (unsigned i = 0; i < n; i++) {
            k_of_pair[m].add(t, &all->of[i], i);
        }
    }
    (void)pthread_mutex_unlock(&s_lock);
}

static void add_requests(struct simctl_text *t)
{
    static const char *const k_class[CLASSES] = {"other", "1xx", "2xx", "3xx", "4xx", "5xx"};
    add_head(t, "mayfly_controller_requests_total", "counter", "Requests by class of status.");
    for (unsigned i = 1; i < CLASSES; i++) {
        add(t, "mayfly_controller_requests_total{status=\"%s\"} %lu\n", k_class[i],
            (unsigned long)s_requests[i]);
    }
}

static void add_durations(struct simctl_text *t)
{
    static const char k_name[] = "mayfly_controller_create_seconds";
    unsigned long n = 0;
    add_head(
        t, k_name, "histogram",
        "Time until requests for instances were answered; with wait=ready until they were ready.");
    for (size_t i = 0; i < BUCKETS; i++) {
        n += s_took[i];
        add(t, "%s_bucket{le=\"%g\"} %lu\n", k_name, k_bucket_s[i], n);
    }
    n += s_took[BUCKETS];
    add(t, "%s_bucket{le=\"+Inf\"} %lu\n%s_sum %.6f\n%s_count %lu\n", k_name, n, k_name,
        (double)s_took_us * 1e-6, k_name, n);
}

/* Add this process's memory under the names that Prometheus' own clients use. */
static void add_memory(struct simctl_text *t)
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
    struct simctl_text text = {0};
    struct tally *all = calloc(1, sizeof *all);
    if (all == NULL) {
        (void)web_refuse(&c->error, 500, "memory", "no memory");
        return;
    }
    all->now_us = simctl_utc_us();
    const bool up = look_at_all(c, all);
    add_pairs(&text, all);
    add_requests(&text);
    add_durations(&text);
    add_memory(&text);
    add_head(&text, "mayfly_controller_backend_up", "gauge",
             "1: the backend of the instances answers.");
    add(&text, "mayfly_controller_backend_up %d\n", up);
    free(all);
    simctl_call_text(c, "text/plain; version=0.0.4", &text);
}
