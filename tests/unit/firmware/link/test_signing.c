/* SPDX-License-Identifier: Apache-2.0 */
/* Signed links: who must sign, what is refused, and what a restart remembers. */
#include "tests/unit/firmware/flight_fixture.h"

/* 2026-01-01T00:00:00Z, and the same in units of signatures: 11 years of which 3 are leap years
 * (4018 days) after 2015-01-01. */
#define BOOT_UTC_US INT64_C(1767225600000000)
#define BOOT_TIME   UINT64_C(34715520000000)
#define ONE_S       100000u
#define ONE_DAY     UINT64_C(8640000000)

static const struct mf_options k_default;
static uint8_t g_key[MF_SIGN_KEY_BYTES];
static uint8_t g_last[MF_FRAME_MAX]; /* the frame fed last */
static size_t g_last_len;

static struct mf_link_stats *stats(void)
{
    return &fx.links[0].stats;
}

static void start_at(int64_t utc_us)
{
    struct mf_setup setup = {.hal = mf_mock_hal(&fx.mock),
                             .links = fx.links,
                             .link_count = 2,
                             .signing = &fx.signing,
                             .sysid = 1,
                             .compid = 1,
                             .utc_us = utc_us};
    fx.mock.now = (struct mf_now){0, 0};
    assert_int_equal(mf_vehicle_init(&fx.v, &setup), MF_E_OK);
    fx_connect(0);
}

static void start(void)
{
    start_at(BOOT_UTC_US);
}

static void boot(int mode)
{
    (void)fx_boot(k_default);
    for (size_t i = 0; i < sizeof g_key; i++) {
        g_key[i] = (uint8_t)(i + 1u);
    }
    start();
    assert_int_equal(mf_param_override(&fx.v, "MAV_SIGN_CFG", (double)mode), MF_E_OK);
}

static void restart(int mode)
{
    start();
    assert_int_equal(mf_param_override(&fx.v, "MAV_SIGN_CFG", (double)mode), MF_E_OK);
}

static void feed_signed(uint32_t msgid, const void *msg, uint64_t time)
{
    const struct mf_msg_info *info = mf_msg_find(msgid);
    const size_t n = mf_frame_encode(&fx.mock.port[0].peer, info, msg, g_last);
    g_last_len = mf_frame_sign(g_last, n, info, g_key, (struct mf_signature){5, time});
    fx.mock.port[0].peer.seq++;
    mf_mock_feed(&fx.mock, 0, g_last, g_last_len);
    (void)mf_vehicle_step(&fx.v);
}

static const struct mf_msg_command_long k_check = {
    .command = MAV_CMD_RUN_PREARM_CHECKS, .target_system = 1, .target_component = 1};

/* The time of the next frame that the vehicle signs. */
static uint64_t own_time(void)
{
    struct mf_parser parser = {0};
    struct mf_frame frame;
    size_t len = 0;
    mf_mock_clear(&fx.mock, 0);
    mf_say(&fx.v, MF_INFO, "time");
    const uint8_t *bytes = mf_mock_take_frame(&fx.mock, 0, MF_MSG_STATUSTEXT, &len);
    assert_int_equal(mf_parser_feed(&parser, bytes, len), len);
    assert_true(mf_parser_next(&parser, &frame));
    return mf_frame_signature(&frame).time;
}

/* Was the command that was just fed answered? */
static bool answered(void)
{
    (void)mf_vehicle_step(&fx.v);
    return mf_mock_take(&fx.mock, 0, MF_MSG_COMMAND_ACK, NULL);
}

static bool ask(void)
{
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COMMAND_LONG, &k_check);
    return answered();
}

static bool ask_signed(uint64_t time)
{
    feed_signed(MF_MSG_COMMAND_LONG, &k_check, time);
    return answered();
}

static struct mf_msg_setup_signing setup_message(const uint8_t *key, uint64_t time)
{
    struct mf_msg_setup_signing m = {
        .initial_timestamp = time, .target_system = 1, .target_component = 1};
    memcpy(m.secret_key, key, sizeof m.secret_key);
    return m;
}

static void set_key(void)
{
    const struct mf_msg_setup_signing m = setup_message(g_key, BOOT_TIME);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SETUP_SIGNING, &m);
    (void)mf_vehicle_step(&fx.v);
    assert_true(fx.signing.has_key);
    assert_true(fx_named("signing on"));
}

static void test_frames_leave_signed_once_there_is_a_key(void **state)
{
    size_t len = 0;
    struct mf_frame frame;
    struct mf_parser parser = {0};
    uint64_t last = BOOT_TIME + 2 * ONE_S;
    (void)state;
    boot(MF_SIGN_OPTIONAL);
    mf_say(&fx.v, MF_INFO, "plain");
    assert_int_equal(mf_mock_take_frame(&fx.mock, 0, MF_MSG_STATUSTEXT, &len)[2], 0);
    set_key();
    mf_mock_clear(&fx.mock, 0);
    (void)fx_step_at(2 * S);
    mf_mock_clear(&fx.mock, 0);
    for (int i = 0; i < 3; i++) {
        mf_say(&fx.v, MF_INFO, "signed");
        const uint8_t *bytes = mf_mock_take_frame(&fx.mock, 0, MF_MSG_STATUSTEXT, &len);
        assert_int_equal(mf_parser_feed(&parser, bytes, len), len);
        assert_true(mf_parser_next(&parser, &frame));
        assert_true(mf_frame_signed_with(&frame, g_key));
        assert_true(mf_frame_signature(&frame).time > last - (i == 0));
        assert_true(mf_frame_signature(&frame).time < last + 10);
        last = mf_frame_signature(&frame).time;
    }
}

static void test_optional_takes_unsigned_but_nothing_wrongly_signed(void **state)
{
    (void)state;
    boot(MF_SIGN_OPTIONAL);
    assert_true(ask_signed(1)); /* there is no key to check it with */
    set_key();
    assert_true(ask());
    assert_true(ask_signed(BOOT_TIME + 1));
    g_key[0] ^= 1u;
    assert_false(ask_signed(BOOT_TIME + 2));
    assert_int_equal(stats()->rx_bad_signature, 1);
}

static void test_always_takes_only_signed(void **state)
{
    (void)state;
    boot(MF_SIGN_ALWAYS);
    assert_false(ask()); /* without a key nobody can sign */
    assert_int_equal(stats()->rx_unsigned, 1);
    set_key();
    assert_false(ask());
    assert_int_equal(stats()->rx_unsigned, 2);
    assert_true(ask_signed(BOOT_TIME + 1));
}

static void test_usb_need_not_sign_where_it_says_so(void **state)
{
    static const struct {
        int mode;
        bool usb, taken;
    } k_case[] = {{MF_SIGN_NON_USB, false, false},
                  {MF_SIGN_NON_USB, true, true},
                  {MF_SIGN_ALWAYS, true, false}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        boot(k_case[i].mode);
        set_key();
        fx.links[0].serial.usb = k_case[i].usb;
        assert_int_equal(ask(), k_case[i].taken);
    }
    boot(MF_SIGN_ALWAYS);
    fx.links[0].serial.usb = true;
    assert_true(ask()); /* no key yet: a cable may do everything */
}

static void test_some_messages_are_never_asked_to_be_signed(void **state)
{
    (void)state;
    boot(MF_SIGN_ALWAYS);
    set_key();
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_HEARTBEAT,
                     &(struct mf_msg_heartbeat){.type = MAV_TYPE_GCS});
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_RADIO_STATUS, &(struct mf_msg_radio_status){.rssi = 1});
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_ADSB_VEHICLE, &(struct mf_msg_adsb_vehicle){.flags = 1});
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COLLISION, &(struct mf_msg_collision){.id = 1});
    (void)mf_vehicle_step(&fx.v);
    assert_int_equal(stats()->rx_unsigned, 0);
    assert_int_equal(fx.links[0].gcs_us, 0);
}

static void test_replayed_frames_are_refused(void **state)
{
    (void)state;
    boot(MF_SIGN_ALWAYS);
    set_key();
    assert_true(ask_signed(BOOT_TIME + 100));
    mf_mock_feed(&fx.mock, 0, g_last, g_last_len);
    assert_false(answered());
    assert_int_equal(stats()->rx_replayed, 1);
    assert_false(ask_signed(BOOT_TIME + 99));
    assert_true(ask_signed(BOOT_TIME + 101));
    fx_connect(1); /* on another link, too */
    mf_mock_feed(&fx.mock, 1, g_last, g_last_len);
    (void)mf_vehicle_step(&fx.v);
    assert_int_equal(fx.links[1].stats.rx_replayed, 1);
}

/* A sender that appears may be a minute behind, not more. */
static void test_new_senders_must_be_recent(void **state)
{
    (void)state;
    boot(MF_SIGN_ALWAYS);
    set_key();
    (void)fx_step_at(120 * S);
    fx.mock.port[0].peer.compid = 10;
    assert_false(ask_signed(BOOT_TIME + 60 * ONE_S - 100));
    assert_int_equal(stats()->rx_replayed, 1);
    assert_true(ask_signed(BOOT_TIME + 60 * ONE_S + 100));
}

static void test_forgotten_senders_cannot_be_replayed(void **state)
{
    (void)state;
    boot(MF_SIGN_ALWAYS);
    set_key();
    uint8_t first[MF_FRAME_MAX];
    assert_true(ask_signed(BOOT_TIME + 1));
    memcpy(first, g_last, g_last_len);
    const size_t first_len = g_last_len;
    for (uint8_t i = 0; i < MF_SIGN_SENDERS_MAX; i++) {
        fx.mock.port[0].peer.compid = (uint8_t)(10 + i);
        assert_true(ask_signed(BOOT_TIME + 2 + i));
    }
    assert_int_equal(fx.signing.count, MF_SIGN_SENDERS_MAX);
    mf_mock_feed(&fx.mock, 0, first, first_len);
    assert_false(answered());
    fx.mock.port[0].peer.compid = 190;
    assert_true(ask_signed(BOOT_TIME + 100));
    fx.mock.port[0].peer.compid =
        60; /* later than the two that went, earlier than all who stayed */
    assert_true(ask_signed(BOOT_TIME + 3));
    size_t said = 0; /* two senders were forgotten by now; the log has it once */
    for (size_t i = 0; i < fx.mock.event_count && i < MF_MOCK_EVENTS; i++) {
        said += mf_names(fx.mock.event[i].text, "senders");
    }
    assert_int_equal(said, 1);
}

static void test_setup_is_taken_disarmed_and_signed_with_the_present_key(void **state)
{
    static const uint8_t k_none[MF_SIGN_KEY_BYTES];
    uint8_t other[MF_SIGN_KEY_BYTES];
    (void)state;
    boot(MF_SIGN_OPTIONAL);
    memset(other, 0x55, sizeof other);
    struct mf_msg_setup_signing m = setup_message(g_key, BOOT_TIME);
    m.target_system = 2;
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SETUP_SIGNING, &m);
    (void)mf_vehicle_step(&fx.v);
    assert_false(fx.signing.has_key); /* for another */
    set_key();
    m = setup_message(other, BOOT_TIME);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SETUP_SIGNING, &m);
    (void)mf_vehicle_step(&fx.v);
    assert_true(fx_named("key not signed"));
    assert_int_equal(stats()->rx_unsigned, 1);
    feed_signed(MF_MSG_SETUP_SIGNING, &m, BOOT_TIME + 1);
    assert_memory_equal(fx.signing.key, other, sizeof other);
    memcpy(g_key, other, sizeof other);
    assert_int_equal(fx_command(400, ARM), 0);
    m = setup_message(k_none, 0);
    feed_signed(MF_MSG_SETUP_SIGNING, &m, BOOT_TIME + 2);
    assert_true(fx_named("key armed"));
    assert_true(fx.signing.has_key);
    assert_int_equal(fx_command(400, NO_PARAMS), 0);
    feed_signed(MF_MSG_SETUP_SIGNING, &m, BOOT_TIME + 3);
    assert_true(fx_named("signing off"));
    assert_false(fx.signing.has_key);
    restart(MF_SIGN_OPTIONAL);
    assert_false(fx.signing.has_key);
}

/* The old key's frames are void, and those of a key that comes back too. */
static void test_a_change_of_key_forgets_nothing(void **state)
{
    uint8_t other[MF_SIGN_KEY_BYTES], frame[MF_FRAME_MAX];
    (void)state;
    boot(MF_SIGN_ALWAYS);
    memset(other, 0x55, sizeof other);
    set_key();
    assert_true(ask_signed(BOOT_TIME + 50));
    memcpy(frame, g_last, g_last_len);
    const size_t n = g_last_len;
    struct mf_msg_setup_signing m = setup_message(other, BOOT_TIME);
    feed_signed(MF_MSG_SETUP_SIGNING, &m, BOOT_TIME + 51);
    m = setup_message(g_key, BOOT_TIME);
    memcpy(g_key, other, sizeof other);
    feed_signed(MF_MSG_SETUP_SIGNING, &m, BOOT_TIME + 52);
    memcpy(g_key, m.secret_key, sizeof g_key);
    assert_memory_equal(fx.signing.key, g_key, sizeof g_key);
    mf_mock_feed(&fx.mock, 0, frame, n);
    assert_false(answered());
    assert_true(ask_signed(BOOT_TIME + 53));
}

static void test_a_restart_keeps_the_key_and_refuses_what_was_before(void **state)
{
    (void)state;
    for (int orderly = 0; orderly < 2; orderly++) {
        boot(MF_SIGN_ALWAYS);
        set_key();
        assert_true(ask_signed(BOOT_TIME + 500));
        if (orderly == 1) {
            mf_signing_save(&fx.signing);
            const size_t commits = fx.mock.store.commits;
            mf_signing_save(&fx.signing); /* nothing is new: nothing is written */
            assert_int_equal(fx.mock.store.commits, commits);
        }
        restart(MF_SIGN_ALWAYS);
        assert_true(fx.signing.has_key);
        assert_true(mf_mock_logged(&fx.mock, "signing", "on: stored"));
        mf_mock_feed(&fx.mock, 0, g_last, g_last_len);
        assert_false(answered());
        assert_int_equal(stats()->rx_replayed, 1);
        assert_int_equal(ask_signed(BOOT_TIME + 501), orderly); /* else within the ten seconds */
        assert_true(ask_signed(BOOT_TIME + 500 + 10 * ONE_S + 1));
    }
}

static void test_a_store_that_fails_is_noted_and_signing_goes_on(void **state)
{
    (void)state;
    boot(MF_SIGN_ALWAYS);
    fx.mock.store.result = MF_E_IO;
    set_key();
    assert_true(mf_mock_logged(&fx.mock, "signing", "not stored"));
    assert_true(ask_signed(BOOT_TIME + 1));
}

static void test_a_key_can_be_provisioned(void **state)
{
    (void)state;
    boot(MF_SIGN_ALWAYS);
    const struct mf_hal hal = mf_mock_hal(&fx.mock);
    assert_int_equal(mf_signing_provision(&hal, g_key), MF_E_OK);
    restart(MF_SIGN_ALWAYS);
    assert_true(ask_signed(BOOT_TIME + 7));
    assert_int_equal(mf_signing_provision(&hal, g_key), MF_E_OK); /* is there: nothing changes */
    restart(MF_SIGN_ALWAYS);
    assert_false(ask_signed(BOOT_TIME + 7));
}

/* A store that does not answer, and records that are no key: it starts without one. */
static void test_what_is_stored_must_be_a_key(void **state)
{
    enum { KEY = 0, TIME = 1, NEVER, HALF, SILENT, COUNTLESS, CASES };
    static const uint8_t k_zero[32];
    (void)state;
    for (int i = KEY; i < CASES; i++) {
        boot(MF_SIGN_OPTIONAL);
        const struct mf_hal hal = mf_mock_hal(&fx.mock);
        struct mf_mock_store *store = &fx.mock.store;
        assert_int_equal(mf_signing_provision(&hal, g_key), MF_E_OK);
        uint8_t(*record)[32] = store->record[MF_STORE_SIGNING][store->active[MF_STORE_SIGNING]];
        if (i == KEY) {
            memcpy(record[KEY], k_zero, sizeof k_zero);
        } else if (i == TIME) {
            memset(record[TIME], 0xFF, sizeof record[TIME]); /* later than 48 bits */
        } else if (i == HALF) {
            store->count[MF_STORE_SIGNING] = 1;
        } else if (i == SILENT) {
            store->get_result = MF_E_IO;
        } else if (i == COUNTLESS) {
            store->info_result = MF_E_IO;
        }
        restart(MF_SIGN_OPTIONAL);
        assert_int_equal(fx.signing.has_key, i == NEVER);
    }
}

/* One frame with the latest time that there is: nobody else is late for it, not after a restart. */
static void test_a_frame_from_the_future_locks_nobody_out(void **state)
{
    (void)state;
    for (int orderly = 0; orderly < 2; orderly++) {
        boot(MF_SIGN_ALWAYS);
        set_key();
        assert_true(ask_signed(BOOT_TIME + 1));
        fx.mock.port[0].peer.compid = 66;
        assert_false(ask_signed(MF_SIGN_TIME_MAX));
        assert_true(fx_named("Signed clock"));
        assert_false(ask_signed(MF_SIGN_TIME_MAX));
        assert_false(fx_named("Signed clock")); /* once is enough */
        assert_int_equal(stats()->rx_ahead, 2);
        assert_in_range(own_time(), BOOT_TIME, BOOT_TIME + 100);
        fx.mock.port[0].peer.compid = 77;
        assert_true(ask_signed(BOOT_TIME + 2));
        if (orderly == 1) {
            mf_signing_save(&fx.signing);
        }
        restart(MF_SIGN_ALWAYS);
        (void)fx_step_at(11 * S);
        assert_true(ask_signed(BOOT_TIME + 11 * ONE_S));
    }
}

/* The bound itself. A client whose clock is a day ahead is no hindrance to one whose clock is
 * right; after a restart that one takes over the vehicle's time, or waits for the day to pass. */
static void test_two_clients_with_clocks_that_differ(void **state)
{
    (void)state;
    boot(MF_SIGN_ALWAYS);
    set_key();
    assert_false(ask_signed(BOOT_TIME + ONE_DAY + 1));
    assert_true(ask_signed(BOOT_TIME + ONE_DAY));
    fx.mock.port[0].peer.compid = 77;
    assert_true(ask_signed(BOOT_TIME + 2));
    mf_signing_save(&fx.signing);
    restart(MF_SIGN_ALWAYS);
    assert_false(mf_mock_logged(&fx.mock, "signing", "dropped"));
    (void)fx_step_at(S);
    assert_false(ask_signed(BOOT_TIME + ONE_S));
    assert_true(ask_signed(own_time() + 1));
    fx.mock.port[0].peer.compid = 78;
    (void)fx_step_at((mf_us_t)24 * 3600 * S + 2 * S);
    assert_true(ask_signed(BOOT_TIME + ONE_DAY + 2 * ONE_S));
}

static void store_time(uint64_t time)
{
    struct mf_mock_store *store = &fx.mock.store;
    uint8_t *record = store->record[MF_STORE_SIGNING][store->active[MF_STORE_SIGNING]][1];
    for (size_t i = 0; i < 8; i++) {
        record[i] = (uint8_t)(time >> 8 * i);
    }
}

/* What no clock can have brought is dropped, and the key stays. */
static void test_a_stored_time_from_the_future_is_dropped(void **state)
{
    static const struct {
        int64_t utc_us;
        uint64_t time;
        bool dropped;
    } k_case[] = {{BOOT_UTC_US, MF_SIGN_TIME_MAX, true},
                  {BOOT_UTC_US, BOOT_TIME + ONE_DAY + 10 * ONE_S + 1, true},
                  {BOOT_UTC_US, BOOT_TIME + ONE_DAY + 10 * ONE_S, false},
                  {0, MF_SIGN_TIME_MAX, true},
                  {0, (UINT64_C(1) << 47) + 10 * ONE_S + 1, true},
                  {0, (UINT64_C(1) << 47) + 10 * ONE_S, false}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        boot(MF_SIGN_OPTIONAL);
        set_key();
        store_time(k_case[i].time);
        start_at(k_case[i].utc_us);
        assert_true(fx.signing.has_key);
        assert_int_equal(mf_mock_logged(&fx.mock, "signing", "dropped"), k_case[i].dropped);
        assert_int_equal(ask_signed(BOOT_TIME + 1), k_case[i].dropped);
    }
}

/* Without a clock the first frame says what time it is, and any later one: up to half the range. */
static void test_without_a_clock_half_the_range_is_believed(void **state)
{
    (void)state;
    boot(MF_SIGN_OPTIONAL);
    set_key();
    start_at(0);
    assert_true(ask_signed(BOOT_TIME + 1));
    assert_in_range(own_time(), BOOT_TIME + 2, BOOT_TIME + 100);
    fx.mock.port[0].peer.compid = 66;
    assert_false(ask_signed((UINT64_C(1) << 47) + 1));
    assert_int_equal(stats()->rx_ahead, 1);
    assert_true(ask_signed(UINT64_C(1) << 47));
    fx.mock.port[0].peer.compid = 77;
    assert_false(ask_signed(BOOT_TIME + 3)); /* late, until it has heard the vehicle */
    assert_true(own_time() > UINT64_C(1) << 47);
}

/* SETUP_SIGNING sets no time that a frame could not have, and none that the vehicle
 * would refuse. */
static void test_the_time_that_comes_with_a_key(void **state)
{
    uint8_t other[MF_SIGN_KEY_BYTES];
    (void)state;
    boot(MF_SIGN_ALWAYS);
    memset(other, 0x55, sizeof other);
    struct mf_msg_setup_signing m = setup_message(g_key, MF_SIGN_TIME_MAX);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SETUP_SIGNING, &m);
    (void)mf_vehicle_step(&fx.v);
    assert_in_range(own_time(), BOOT_TIME, BOOT_TIME + 100);
    assert_true(ask_signed(BOOT_TIME + 3600 * ONE_S));
    m = setup_message(other, BOOT_TIME);
    feed_signed(MF_MSG_SETUP_SIGNING, &m, BOOT_TIME + 3600 * ONE_S + 1);
    memcpy(g_key, other, sizeof g_key);
    const uint64_t time = own_time();
    assert_true(time > BOOT_TIME + 3600 * ONE_S + 1);
    assert_true(ask_signed(time + 1));
}

/* Refused frames leave no trace: no route, no answer, nothing passed on. */
static void test_refused_frames_are_not_passed_on(void **state)
{
    (void)state;
    boot(MF_SIGN_ALWAYS);
    set_key();
    fx_connect(1);
    fx.mock.port[1].peer.compid = 7;
    mf_mock_feed_msg(&fx.mock, 1, MF_MSG_HEARTBEAT, &(struct mf_msg_heartbeat){.type = 6});
    (void)mf_vehicle_step(&fx.v);
    const struct mf_msg_command_long m = {
        .command = 1, .target_system = 245, .target_component = 7};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COMMAND_LONG, &m);
    (void)mf_vehicle_step(&fx.v);
    assert_int_equal(mf_mock_count(&fx.mock, 1, MF_MSG_COMMAND_LONG), 0);
    feed_signed(MF_MSG_COMMAND_LONG, &m, BOOT_TIME + 9);
    assert_int_equal(mf_mock_count(&fx.mock, 1, MF_MSG_COMMAND_LONG), 1);
}

/* A board may leave signing out: no key is taken, signed frames are as without one. */
static void test_a_vehicle_without_signing(void **state)
{
    size_t len = 0;
    (void)state;
    boot(MF_SIGN_OPTIONAL);
    fx.v.signing = NULL;
    const struct mf_msg_setup_signing m = setup_message(g_key, BOOT_TIME);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SETUP_SIGNING, &m);
    (void)mf_vehicle_step(&fx.v);
    assert_true(fx_named("key cannot sign"));
    assert_int_equal(stats()->rx_rejected, 1);
    assert_true(ask_signed(1));
    assert_true(ask());
    mf_mock_clear(&fx.mock, 0);
    mf_say(&fx.v, MF_INFO, "plain");
    assert_int_equal(mf_mock_take_frame(&fx.mock, 0, MF_MSG_STATUSTEXT, &len)[2], 0);
    mf_signing_save(NULL);
    assert_int_equal(mf_param_override(&fx.v, "MAV_SIGN_CFG", MF_SIGN_ALWAYS), MF_E_OK);
    assert_false(ask_signed(2)); /* a signature that nobody can check admits nothing */
    assert_int_equal(stats()->rx_unsigned, 1);
}

/* The module alone, with a store that fails: the key holds until the restart, and the log
 * says so. */
static void test_a_key_that_cannot_be_stored_holds(void **state)
{
    static struct mf_mock s_mock;
    struct mf_signing signing;
    struct mf_now now = {.vehicle_us = 7 * S, .transport_us = 2 * S};
    (void)state;
    mf_mock_init(&s_mock);
    const struct mf_hal hal = mf_mock_hal(&s_mock);
    mf_signing_init(&signing, &hal, &now, BOOT_UTC_US);
    assert_false(mf_signing_on(&signing));
    const struct mf_msg_setup_signing m = setup_message(g_key, 0);
    s_mock.store.result = MF_E_IO;
    mf_signing_take_key(&signing, &m);
    assert_true(mf_signing_on(&signing) && mf_signing_has(&signing, g_key));
    assert_true(mf_mock_logged(&s_mock, "signing", "not stored"));
    mf_signing_init(&signing, &hal, &now, BOOT_UTC_US);
    assert_false(mf_signing_on(&signing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_leave_signed_once_there_is_a_key),
        cmocka_unit_test(test_optional_takes_unsigned_but_nothing_wrongly_signed),
        cmocka_unit_test(test_always_takes_only_signed),
        cmocka_unit_test(test_usb_need_not_sign_where_it_says_so),
        cmocka_unit_test(test_some_messages_are_never_asked_to_be_signed),
        cmocka_unit_test(test_replayed_frames_are_refused),
        cmocka_unit_test(test_new_senders_must_be_recent),
        cmocka_unit_test(test_forgotten_senders_cannot_be_replayed),
        cmocka_unit_test(test_setup_is_taken_disarmed_and_signed_with_the_present_key),
        cmocka_unit_test(test_a_change_of_key_forgets_nothing),
        cmocka_unit_test(test_a_restart_keeps_the_key_and_refuses_what_was_before),
        cmocka_unit_test(test_a_store_that_fails_is_noted_and_signing_goes_on),
        cmocka_unit_test(test_a_key_can_be_provisioned),
        cmocka_unit_test(test_what_is_stored_must_be_a_key),
        cmocka_unit_test(test_a_frame_from_the_future_locks_nobody_out),
        cmocka_unit_test(test_two_clients_with_clocks_that_differ),
        cmocka_unit_test(test_a_stored_time_from_the_future_is_dropped),
        cmocka_unit_test(test_without_a_clock_half_the_range_is_believed),
        cmocka_unit_test(test_the_time_that_comes_with_a_key),
        cmocka_unit_test(test_refused_frames_are_not_passed_on),
        cmocka_unit_test(test_a_vehicle_without_signing),
        cmocka_unit_test(test_a_key_that_cannot_be_stored_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
