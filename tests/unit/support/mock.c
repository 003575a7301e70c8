/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/support/mock.h"

#include "math/geodesic.h"
#include "tests/unit/support/names.h"

#include <string.h>

#define GROUND_AMSL_M 488.0
#define UNDULATION_MM 47260
#define PEER_SYSID    245
#define PEER_COMPID   190

static struct mf_now clock_read(void *ctx)
{
    const struct mf_mock *mock = ctx;
    return mock->now;
}

static int airframe_arm(void *ctx, mf_us_t t_us, bool on)
{
    struct mf_mock_airframe *a = ctx;
    (void)t_us;
    a->arm_count++;
    if (a->arm_result == MF_E_OK) {
        a->armed = on;
    }
    return a->arm_result;
}

static int airframe_plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    struct mf_mock_airframe *a = ctx;
    MF_ASSERT(n <= MF_PLAN_LEGS_MAX);
    if (a->plan_result != MF_E_OK) {
        return a->plan_result;
    }
    if (a->plan_count < MF_MOCK_PLANS) {
        struct mf_mock_plan *plan = &a->plan[a->plan_count];
        *plan = (struct mf_mock_plan){.t_us = t_us, .n = n};
        for (size_t i = 0; i < n; i++) {
            plan->leg[i] = legs[i];
        }
    }
    a->plan_count++;
    return MF_E_OK;
}

static int airframe_turn(void *ctx, mf_us_t t_us, const struct mf_leg *leg)
{
    struct mf_mock_airframe *a = ctx;
    (void)t_us;
    a->turn_count++;
    a->turn = *leg;
    return MF_E_OK;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the contract's type
static int airframe_motors(void *ctx, mf_us_t t_us, mf_us_t *next_us)
{
    const struct mf_mock_airframe *a = ctx;
    (void)t_us, (void)next_us;
    return a->motors_result;
}

static int airframe_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_mock_airframe *a = ctx;
    (void)t_us;
    if (a->sample_result == MF_E_OK) {
        *pose = a->pose;
    }
    return a->sample_result;
}

static int airframe_next(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us)
{
    struct mf_mock_airframe *a = ctx;
    a->next_when = when;
    a->next_value = value;
    a->next_count++;
    *at_us = a->next_us[when] < t_us ? t_us : a->next_us[when];
    return a->next_result;
}

static int gnss_read(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    const struct mf_mock_gnss *g = ctx;
    (void)t_us;
    if (g->result == MF_E_OK) {
        *fix = g->fix; /* the same report until the test makes another */
    }
    return g->result;
}

static int gnss_next(void *ctx, mf_us_t t_us, mf_us_t *at_us)
{
    const struct mf_mock_gnss *g = ctx;
    *at_us = g->next_us > t_us ? g->next_us : MF_NEVER;
    return g->next_result;
}

static int power_read(void *ctx, mf_us_t t_us, struct mf_battery *battery)
{
    const struct mf_mock_power *p = ctx;
    (void)t_us;
    if (p->result == MF_E_OK) {
        *battery = p->battery;
        battery->remaining = p->off ? 0.0f : battery->remaining;
    }
    return p->result;
}

static int power_next(void *ctx, mf_us_t t_us, float remaining, mf_us_t *at_us)
{
    const struct mf_mock_power *p = ctx;
    (void)remaining;
    *at_us = p->next_us > t_us ? p->next_us : MF_NEVER;
    return p->next_result;
}

static size_t record_size(enum mf_store_area area)
{
    static const size_t k_size[MF_STORE_AREA_COUNT] = {
#define X(name, size) (size),
        MF_STORE_AREA_LIST(X)
#undef X
    };
    return k_size[area];
}

static int store_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    const struct mf_mock_store *s = ctx;
    if (s->info_result != MF_E_OK) {
        return s->info_result;
    }
    *info = (struct mf_store_info){
        .tag = s->tag[area], .count = s->count[area], .capacity = s->capacity[area]};
    return MF_E_OK;
}

static int store_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    const struct mf_mock_store *s = ctx;
    if (s->get_result != MF_E_OK) {
        return s->get_result;
    }
    if (index >= s->count[area]) {
        return MF_E_RANGE;
    }
    memcpy(record, s->record[area][s->active[area]][index], record_size(area));
    return MF_E_OK;
}

static int store_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    struct mf_mock_store *s = ctx;
    MF_ASSERT(s->capacity[area] <= MF_MOCK_RECORDS);
    if (s->result != MF_E_OK) {
        return s->result;
    }
    if (index >= s->capacity[area]) {
        return MF_E_FULL;
    }
    memcpy(s->record[area][!s->active[area]][index], record, record_size(area));
    return MF_E_OK;
}

static int store_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    struct mf_mock_store *s = ctx;
    MF_ASSERT(count <= s->capacity[area]);
    if (s->result != MF_E_OK) {
        return s->result;
    }
    s->active[area] = !s->active[area];
    s->count[area] = count;
    s->tag[area] = tag;
    s->commits++;
    return MF_E_OK;
}

static void copy_text(char *to, size_t size, const char *from)
{
    const size_t n = strlen(from) < size ? strlen(from) : size - 1;
    memcpy(to, from, n);
    to[n] = '\0';
}

static void log_event(void *ctx, mf_us_t t_us, enum mf_severity severity, const char *topic,
                      const char *text)
{
    struct mf_mock *mock = ctx;
    struct mf_mock_event *e = &mock->event[mock->event_count++ % MF_MOCK_EVENTS];
    e->t_us = t_us;
    e->severity = severity;
    copy_text(e->topic, sizeof e->topic, topic);
    copy_text(e->text, sizeof e->text, text);
}

static int inject_set(void *ctx, mf_us_t t_us, enum mf_fault fault, bool on,
                      const struct mf_fault_values *with)
{
    struct mf_mock *mock = ctx;
    (void)with;
    mock->injection[mock->injection_count++ % MF_MOCK_EVENTS] =
        (struct mf_mock_injection){.t_us = t_us, .fault = fault, .on = on};
    if (fault == MF_FAULT_BATTERY_OFF) {
        mock->power.off = on && mock->inject_result == MF_E_OK;
    }
    return mock->inject_result;
}

static bool inject_active(void *ctx, mf_us_t t_us, enum mf_fault fault,
                          struct mf_fault_values *with)
{
    const struct mf_mock *mock = ctx;
    (void)t_us;
    if (with != NULL) {
        *with = mock->fault_values;
    }
    return (mock->faults >> fault & 1u) != 0;
}

static mf_us_t inject_next(void *ctx, mf_us_t t_us)
{
    (void)ctx, (void)t_us;
    return MF_NEVER;
}

static bool inject_happened(void *ctx, mf_us_t t_us, enum mf_happening what, uint16_t index)
{
    struct mf_mock *mock = ctx;
    (void)t_us, (void)index;
    mock->happened[what]++;
    return false;
}

static int inject_plan(void *ctx, mf_us_t t_us, const struct mf_fault_plan *plan)
{
    (void)ctx, (void)t_us, (void)plan;
    return MF_E_FULL;
}

static void inject_unplan(void *ctx, mf_us_t t_us, enum mf_fault fault)
{
    (void)ctx, (void)t_us, (void)fault;
}

static int inject_unit(void *ctx, mf_us_t t_us, int32_t unit, int32_t type)
{
    struct mf_mock *mock = ctx;
    mock->injection[mock->injection_count++ % MF_MOCK_EVENTS] =
        (struct mf_mock_injection){.t_us = t_us, .unit = unit, .type = type};
    const bool known = (unit == 4 || unit == 100) && type >= 0 && type <= 1; /* GPS, battery */
    return known ? mock->inject_result : (int)MF_E_NOSUPP;
}

static bool inject_planned(void *ctx, mf_us_t t_us, uint32_t index,
                           struct mf_fault_planned *planned)
{
    (void)ctx, (void)t_us, (void)index, (void)planned;
    return false;
}

static uint32_t frame_msgid(const uint8_t *frame)
{
    if (frame[0] == MF_STX_V1) {
        return frame[5];
    }
    return frame[7] | (uint32_t)frame[8] << 8 | (uint32_t)frame[9] << 16;
}

static int serial_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_mock_port *p = ctx;
    if (p->gone) {
        return MF_E_IO;
    }
    if (n > p->room) {
        p->refused++;
        return 0;
    }
    if (p->room != SIZE_MAX) {
        p->room -= n;
    }
    MF_ASSERT(p->sent_len + n <= MF_MOCK_BYTES && p->frame_count < MF_MOCK_FRAMES);
    MF_ASSERT(n >= 8 && (bytes[0] == MF_STX_V1 || (bytes[0] == MF_STX_V2 && n >= 12)));
    p->frame[p->frame_count++] = (struct mf_mock_frame){
        .msgid = frame_msgid(bytes), .at = (uint32_t)p->sent_len, .len = (uint16_t)n};
    memcpy(p->sent + p->sent_len, bytes, n);
    p->sent_len += n;
    return (int)n;
}

static int serial_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct mf_mock_port *p = ctx;
    if (p->gone) {
        return MF_E_IO;
    }
    const size_t left = p->feed_len - p->feed_read;
    const size_t n = left < cap ? left : cap;
    memcpy(bytes, p->feed + p->feed_read, n);
    p->feed_read += n;
    if (p->feed_read == p->feed_len) {
        p->feed_read = p->feed_len = 0;
    }
    return (int)n;
}

static size_t serial_room(void *ctx)
{
    const struct mf_mock_port *p = ctx;
    return p->gone ? 0 : p->room;
}

static int archive_count(void *ctx)
{
    return ((const struct mf_mock_archive *)ctx)->count;
}

static int archive_info(void *ctx, uint16_t index, struct mf_archive_info *info)
{
    const struct mf_mock_archive *a = ctx;
    if (index >= a->count) {
        return MF_E_NOENT;
    }
    *info = a->info[index];
    return MF_E_OK;
}

static int archive_read(void *ctx, uint16_t index, uint32_t offset, uint8_t *bytes, size_t n)
{
    const struct mf_mock_archive *a = ctx;
    if (index >= a->count) {
        return MF_E_NOENT;
    }
    if (a->read_result != MF_E_OK) {
        return a->read_result;
    }
    const uint32_t size = a->info[index].size;
    const size_t left = offset < size ? size - offset : 0;
    const size_t got = n < left ? n : left;
    memcpy(bytes, a->bytes[index] + (got > 0 ? offset : 0), got);
    return (int)got;
}

static int archive_begin(void *ctx, int64_t utc_s)
{
    struct mf_mock_archive *a = ctx;
    a->begun++;
    if (a->begin_result != MF_E_OK) {
        return a->begin_result;
    }
    MF_ASSERT(!a->writing && a->count < MF_MOCK_LOGS);
    if (a->count > 0 && a->info[a->count - 1].utc_s >= utc_s) {
        return MF_E_DENIED;
    }
    a->info[a->count++] = (struct mf_archive_info){.utc_s = utc_s};
    a->writing = true;
    return MF_E_OK;
}

static void archive_append(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_mock_archive *a = ctx;
    MF_ASSERT(a->writing);
    struct mf_archive_info *info = &a->info[a->count - 1];
    MF_ASSERT(info->size + n <= MF_MOCK_LOG_BYTES);
    memcpy(a->bytes[a->count - 1] + info->size, bytes, n);
    info->size += (uint32_t)n;
}

static void archive_end(void *ctx)
{
    struct mf_mock_archive *a = ctx;
    MF_ASSERT(a->writing);
    a->writing = false;
}

static int archive_erase(void *ctx)
{
    struct mf_mock_archive *a = ctx;
    if (a->erase_result == MF_E_OK) {
        a->count = 0;
    }
    return a->erase_result;
}

static int archive_room(void *ctx, struct mf_archive_room *room)
{
    const struct mf_mock_archive *a = ctx;
    *room = a->room;
    return a->room.total > 0 ? MF_E_OK : MF_E_NOSUPP;
}

static const struct mf_archive_ops k_archive = {archive_count, archive_info,   archive_read,
                                                archive_begin, archive_append, archive_end,
                                                archive_erase, archive_room};
static const struct mf_clock_ops k_clock = {.read = clock_read};
static const struct mf_airframe_ops k_airframe = {.arm = airframe_arm,
                                                  .plan = airframe_plan,
                                                  .sample = airframe_sample,
                                                  .next = airframe_next,
                                                  .turn = airframe_turn,
                                                  .motors = airframe_motors};
static const struct mf_gnss_ops k_gnss = {gnss_read, gnss_next};
static int sensors_sample(void *ctx, mf_us_t t_us, struct mf_sensor_values *values)
{
    (void)t_us;
    *values = ((const struct mf_mock *)ctx)->sensors;
    return MF_E_OK;
}

static int sensors_calibrate(void *ctx, mf_us_t t_us, enum mf_calibrates what)
{
    struct mf_mock *mock = ctx;
    mock->calibrates = what;
    mock->calibration_us = t_us;
    return mock->calibration_err;
}

static int sensors_calibration(void *ctx, mf_us_t t_us, struct mf_calibration_state *state)
{
    const struct mf_mock *mock = ctx;
    const mf_us_t sides = (t_us - mock->calibration_us) / MF_MOCK_SIDE_US;
    *state = (struct mf_calibration_state){
        .done = (uint8_t)((sides < MF_SIDE_COUNT ? (1u << sides) - 1u : 0x3Fu) |
                          mock->calibration_bits),
        .failed = mock->calibration_fails,
        .next_us = mock->calibration_us + (sides + 1) * MF_MOCK_SIDE_US,
    };
    return MF_E_OK;
}

static uint32_t sensors_lost(void *ctx, mf_us_t t_us)
{
    (void)t_us;
    return ((const struct mf_mock *)ctx)->sensors_lost;
}

static const struct mf_power_ops k_power = {power_read, power_next};
static const struct mf_sensors_ops k_sensors = {sensors_sample, sensors_calibrate,
                                                sensors_calibration, sensors_lost};
static const struct mf_store_ops k_store = {store_info, store_get, store_put, store_commit};
static const struct mf_log_ops k_log = {log_event};
static const struct mf_inject_ops k_inject = {inject_set,      inject_active, inject_next,
                                              inject_happened, inject_plan,   inject_unplan,
                                              inject_planned,  inject_unit};
static const struct mf_serial_ops k_serial = {serial_write, serial_read, serial_room};

static int earth_undulation(void *ctx, double lat_deg, double lon_deg, double *m)
{
    struct mf_mock_earth *e = ctx;
    (void)lon_deg;
    e->asked++;
    if (e->result != MF_E_OK || lat_deg > e->north_deg) {
        return e->result != MF_E_OK ? e->result : MF_E_RANGE;
    }
    *m = e->undulation_m;
    return MF_E_OK;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the contract's type
static int earth_ground(void *ctx, double lat_deg, double lon_deg, double *amsl_m)
{
    (void)ctx, (void)lat_deg, (void)lon_deg, (void)amsl_m;
    return MF_E_NOSUPP;
}

static struct mf_earth_about earth_about(void *ctx)
{
    return ((const struct mf_mock_earth *)ctx)->about;
}

static const struct mf_earth_ops k_earth = {earth_undulation, earth_ground, earth_about};

struct mf_hal mf_mock_hal(struct mf_mock *mock)
{
    return (struct mf_hal){
        .clock = &k_clock,
        .clock_ctx = mock,
        .airframe = &k_airframe,
        .airframe_ctx = &mock->airframe,
        .gnss = &k_gnss,
        .gnss_ctx = &mock->gnss,
        .power = &k_power,
        .power_ctx = &mock->power,
        .sensors = &k_sensors,
        .sensors_ctx = mock,
        .store = &k_store,
        .store_ctx = &mock->store,
        .log = &k_log,
        .log_ctx = mock,
        .inject = &k_inject,
        .inject_ctx = mock,
        .archive = &k_archive,
        .archive_ctx = &mock->archive,
        .earth = &k_earth,
        .earth_ctx = &mock->earth,
    };
}

struct mf_serial mf_mock_serial(struct mf_mock *mock, int index)
{
    MF_ASSERT(index >= 0 && index < MF_MOCK_PORTS);
    struct mf_mock_port *p = &mock->port[index];
    return (struct mf_serial){.ops = &k_serial, .ctx = p, .datagram = p->datagram};
}

/* All but the bytes behind the counts of ports and logs, which nothing reads: tests begin often. */
static void clear(struct mf_mock *mock)
{
    memset(mock, 0, offsetof(struct mf_mock, archive));
    memset(&mock->archive, 0, offsetof(struct mf_mock_archive, bytes));
    memset(&mock->earth, 0, offsetof(struct mf_mock, port) - offsetof(struct mf_mock, earth));
    for (size_t i = 0; i < MF_MOCK_PORTS; i++) {
        memset(&mock->port[i], 0, offsetof(struct mf_mock_port, frame));
    }
}

void mf_mock_copy(struct mf_mock *to, const struct mf_mock *from)
{
    const size_t behind = offsetof(struct mf_mock, earth);
    memcpy(to, from, offsetof(struct mf_mock, archive));
    memcpy(&to->archive, &from->archive, offsetof(struct mf_mock_archive, bytes));
    memcpy(&to->earth, &from->earth, offsetof(struct mf_mock, port) - behind);
    for (size_t i = 0; i < MF_MOCK_PORTS; i++) {
        const struct mf_mock_port *port = &from->port[i];
        MF_ASSERT(port->sent_len == 0 && port->feed_read == port->feed_len);
        memcpy(&to->port[i], port, offsetof(struct mf_mock_port, frame));
    }
    MF_ASSERT(from->archive.count == 0);
}

void mf_mock_init(struct mf_mock *mock)
{
    clear(mock);
    for (size_t i = 0; i <= MF_WHEN_YAW; i++) {
        mock->airframe.next_us[i] = MF_NEVER;
    }
    mock->airframe.next_us[MF_WHEN_LIFTOFF] = 0; /* at once */
    mock->airframe.pose.ground_amsl_m = GROUND_AMSL_M;
    mock->gnss.next_us = MF_NEVER;
    mock->earth.result = MF_E_NOSUPP;
    mock->earth.north_deg = 90.0;
    mock->archive.begin_result = MF_E_NOSUPP;
    mock->gnss.fix = (struct mf_fix){.type = MF_FIX_3D,
                                     .satellites = 10,
                                     .hdop_x100 = 70,
                                     .vdop_x100 = 110,
                                     .cog_cdeg = 65535,
                                     .h_acc_mm = 900,
                                     .v_acc_mm = 1780,
                                     .vel_acc_mmps = 400};
    mf_mock_place(mock, 47.397742, 8.545594, GROUND_AMSL_M, true);
    mock->sensors.airspeed_us = MF_NOT_THERE;
    mock->power.next_us = MF_NEVER;
    mock->power.battery = (struct mf_battery){.voltage_v = 16.2f,
                                              .current_a = -1.0f,
                                              .remaining = 1.0f,
                                              .consumed_mah = -1.0f,
                                              .cells = 4};
    for (size_t i = 0; i < MF_STORE_AREA_COUNT; i++) {
        mock->store.capacity[i] = MF_MOCK_RECORDS;
    }
    for (size_t i = 0; i < MF_MOCK_PORTS; i++) {
        mock->port[i].room = SIZE_MAX;
        mock->port[i].peer =
            (struct mf_sender){.version = 2, .sysid = PEER_SYSID, .compid = PEER_COMPID};
    }
}

void mf_mock_advance(struct mf_mock *mock, mf_us_t by_us)
{
    MF_ASSERT(by_us >= 0);
    mock->now.vehicle_us += by_us;
    mock->now.transport_us += by_us;
}

static int32_t round_to_int(double x)
{
    return (int32_t)(x < 0.0 ? x - 0.5 : x + 0.5);
}

void mf_mock_mislead(struct mf_mock *mock, double north_m, double east_m, double down_m)
{
    const struct mf_pose *pose = &mock->airframe.pose;
    struct mf_fix *fix = &mock->gnss.fix;
    const struct mf_geo there =
        mf_geo_from_local((struct mf_geo){pose->lat_deg, pose->lon_deg}, north_m, east_m);
    fix->lat_e7 = round_to_int(there.lat_deg * 1e7);
    fix->lon_e7 = round_to_int(there.lon_deg * 1e7);
    fix->alt_amsl_mm = round_to_int((pose->alt_amsl_m - down_m) * 1e3);
    fix->t_us++;
}

void mf_mock_place(struct mf_mock *mock, double lat_deg, double lon_deg, double alt_amsl_m,
                   bool on_ground)
{
    struct mf_pose *pose = &mock->airframe.pose;
    pose->lat_deg = lat_deg;
    pose->lon_deg = lon_deg;
    pose->alt_amsl_m = alt_amsl_m;
    pose->on_ground = on_ground;
    struct mf_fix *fix = &mock->gnss.fix;
    fix->lat_e7 = round_to_int(lat_deg * 1e7);
    fix->lon_e7 = round_to_int(lon_deg * 1e7);
    fix->alt_amsl_mm = round_to_int(alt_amsl_m * 1e3);
    fix->alt_ellipsoid_mm = fix->alt_amsl_mm + UNDULATION_MM;
}

void mf_mock_feed(struct mf_mock *mock, int index, const uint8_t *bytes, size_t n)
{
    MF_ASSERT(index >= 0 && index < MF_MOCK_PORTS);
    struct mf_mock_port *p = &mock->port[index];
    MF_ASSERT(p->feed_len + n <= MF_MOCK_BYTES);
    memcpy(p->feed + p->feed_len, bytes, n);
    p->feed_len += n;
}

void mf_mock_feed_msg(struct mf_mock *mock, int index, uint32_t msgid, const void *msg)
{
    MF_ASSERT(index >= 0 && index < MF_MOCK_PORTS);
    const struct mf_msg_info *info = mf_msg_find(msgid);
    MF_ASSERT(info != NULL);
    uint8_t bytes[MF_FRAME_MAX];
    const size_t n = mf_frame_encode(&mock->port[index].peer, info, msg, bytes);
    MF_ASSERT(n > 0);
    mock->port[index].peer.seq++;
    mf_mock_feed(mock, index, bytes, n);
}

const uint8_t *mf_mock_take_frame(struct mf_mock *mock, int index, uint32_t msgid, size_t *len)
{
    MF_ASSERT(index >= 0 && index < MF_MOCK_PORTS);
    struct mf_mock_port *p = &mock->port[index];
    for (size_t i = 0; i < p->frame_count; i++) {
        struct mf_mock_frame *f = &p->frame[i];
        if (f->msgid == msgid && !f->taken) {
            f->taken = true;
            *len = f->len;
            return p->sent + f->at;
        }
    }
    return NULL;
}

bool mf_mock_take(struct mf_mock *mock, int index, uint32_t msgid, void *msg)
{
    size_t len = 0;
    const uint8_t *bytes = mf_mock_take_frame(mock, index, msgid, &len);
    if (bytes == NULL) {
        return false;
    }
    struct mf_parser parser = {0};
    struct mf_frame frame;
    const bool good = mf_parser_feed(&parser, bytes, len) == len && mf_parser_next(&parser, &frame);
    MF_ASSERT(good && frame.info->id == msgid); /* the firmware wrote a damaged frame */
    if (msg != NULL) {
        mf_msg_unpack(frame.info, frame.payload, frame.len, msg);
    }
    return true;
}

size_t mf_mock_count(const struct mf_mock *mock, int index, uint32_t msgid)
{
    MF_ASSERT(index >= 0 && index < MF_MOCK_PORTS);
    const struct mf_mock_port *p = &mock->port[index];
    size_t n = 0;
    for (size_t i = 0; i < p->frame_count; i++) {
        n += p->frame[i].msgid == msgid && !p->frame[i].taken;
    }
    return n;
}

void mf_mock_clear(struct mf_mock *mock, int index)
{
    MF_ASSERT(index >= 0 && index < MF_MOCK_PORTS);
    mock->port[index].sent_len = 0;
    mock->port[index].frame_count = 0;
}

bool mf_mock_named(struct mf_mock *mock, int index, const char *data)
{
    struct mf_msg_statustext m;
    while (mf_mock_take(mock, index, MF_MSG_STATUSTEXT, &m)) {
        char text[sizeof m.text + 1] = {0};
        memcpy(text, m.text, sizeof m.text);
        if (mf_names(text, data)) {
            return true;
        }
    }
    return false;
}

bool mf_mock_logged(const struct mf_mock *mock, const char *topic, const char *data)
{
    for (size_t i = 0; i < mock->event_count && i < MF_MOCK_EVENTS; i++) {
        const struct mf_mock_event *e = &mock->event[i];
        if ((topic == NULL || strcmp(topic, e->topic) == 0) && mf_names(e->text, data)) {
            return true;
        }
    }
    return false;
}
