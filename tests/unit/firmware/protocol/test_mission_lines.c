/* SPDX-License-Identifier: Apache-2.0 */
/* PX4's mission protocol line by line: what clients say, and everything that they hear of missions.
 * Nothing else may come. The links of mission_client.h; client 2 is another component on the link
 * of client 0. */
#include "tests/unit/firmware/mission_client.h"

#define STEPS_MAX 18

/* Something that a client says (a: type, b: count, sequence number or result), hears, or that the
 * vehicle has then. */
struct step {
    void (*run)(const struct step *s);
    int client;
    uint8_t a;
    uint16_t b;
    const char *text;
    bool said;
};

static int port_of(const struct step *s)
{
    return s->client == 1 ? 1 : 0;
}

/* ---- said by a client ---- */

static void count(const struct step *s)
{
    say_count(port_of(s), s->a, s->b);
}

static void count_for(const struct step *s) /* system a, component b */
{
    const struct mf_msg_mission_count m = {.target_system = s->a,
                                           .target_component = (uint8_t)s->b};
    say(port_of(s), MF_MSG_MISSION_COUNT, &m);
}

static void item(const struct step *s) /* of the square */
{
    say_item(port_of(s), s->a, s->b, &k_square[s->b]);
}

static void other(const struct step *s) /* another one in its place */
{
    say_item(port_of(s), s->a, s->b, &k_square[2]);
}

static void flagged(const struct step *s) /* with the flag "current" */
{
    struct mf_msg_mission_item_int m = item_int(s->a, s->b, &k_square[s->b]);
    m.current = 1;
    say(port_of(s), MF_MSG_MISSION_ITEM_INT, &m);
}

static void item_float(const struct step *s)
{
    const struct mf_item *from = &k_square[s->b];
    const struct mf_msg_mission_item m = {
        .param4 = from->param[3],
        .x = (float)(from->x / 1e7),
        .y = (float)(from->y / 1e7),
        .z = from->z,
        .seq = s->b,
        .command = from->command,
        .target_system = 1,
        .target_component = 1,
        .frame = 3,
        .autocontinue = 1,
        .mission_type = s->a,
    };
    say(port_of(s), MF_MSG_MISSION_ITEM, &m);
}

static const struct mf_item k_bad[] = {
    {{0}, HOME_LAT_E7, HOME_LON_E7, 0x41200000u, 82, 6, 1}, /* 0: spline waypoint */
    {{0}, HOME_LAT_E7, HOME_LON_E7, 0x41200000u, 16, 1, 1}, /* 1: local frame */
    {{0}, 0, 0, 0, 178, 6, 1},           /* 2: global frame for what has no place */
    {{0x41200000u}, 0, 0, 0, 201, 2, 1}, /* 3: region of interest 10 */
    {{0x40400000u}, HOME_LAT_E7, HOME_LON_E7, 0, 5001, 5, 1}, /* 4: vertex of a fence */
    {{0}, HOME_LAT_E7, HOME_LON_E7, 0, 5100, 5, 1},           /* 5: rally point */
    {{0x40000000u}, HOME_LAT_E7, HOME_LON_E7, 0, 5001, 5, 1}, /* 6: polygon of two vertices */
};
static void bad(const struct step *s) /* b: row of k_bad */
{
    say_item(port_of(s), s->a, 0, &k_bad[s->b]);
}

static void list(const struct step *s)
{
    say_list(port_of(s), s->a);
}

static void request(const struct step *s)
{
    say_request(port_of(s), s->a, s->b);
}

static void request_float(const struct step *s)
{
    say_request_float(port_of(s), s->a, s->b);
}

static void ack(const struct step *s)
{
    say_ack(port_of(s), s->a, (uint8_t)s->b);
}

static void clear(const struct step *s)
{
    say_clear(port_of(s), s->a);
}

static void current(const struct step *s)
{
    say_current(port_of(s), s->b);
}

static void partial(const struct step *s)
{
    const struct mf_msg_mission_request_partial_list ask = {
        .start_index = 0, .end_index = 1, .target_system = 1, .target_component = 1};
    const struct mf_msg_mission_write_partial_list write = {
        .start_index = 0, .end_index = 1, .target_system = 1, .target_component = 1};
    say(port_of(s), MF_MSG_MISSION_REQUEST_PARTIAL_LIST, &ask);
    say(port_of(s), MF_MSG_MISSION_WRITE_PARTIAL_LIST, &write);
}

static void wait(const struct step *s) /* b [ms] */
{
    wait_ms(s->b);
}

static void uploaded(const struct step *s) /* the square is stored */
{
    (void)s;
    upload_square();
}

/* ---- heard by it ---- */

static void h_request(const struct step *s)
{
    expect_request(port_of(s), s->a, s->b);
}

static void h_request_float(const struct step *s)
{
    expect_request_float(port_of(s), s->a, s->b);
}

static void h_ack(const struct step *s)
{
    (void)expect_ack(port_of(s), s->a, (uint8_t)s->b);
}

static void h_ack_tag(const struct step *s)
{
    assert_int_equal(expect_ack(port_of(s), s->a, 0), SQUARE_TAG);
}

static void h_count(const struct step *s)
{
    struct mf_msg_mission_count m;
    assert_true(mf_mock_take(&mock, port_of(s), MF_MSG_MISSION_COUNT, &m));
    assert_int_equal(m.count, s->b);
    assert_int_equal(m.opaque_id, s->b > 0 ? SQUARE_TAG : 0);
}

static void hear_item(const struct step *s, bool flag)
{
    struct mf_msg_mission_item_int m;
    assert_true(mf_mock_take(&mock, port_of(s), MF_MSG_MISSION_ITEM_INT, &m));
    assert_int_equal(m.seq, s->b);
    assert_int_equal(m.x, k_square[s->b].x);
    assert_int_equal(m.current, flag);
}

static void h_item(const struct step *s)
{
    hear_item(s, false);
}

static void h_flagged(const struct step *s)
{
    hear_item(s, true);
}

static void h_item_float(const struct step *s)
{
    struct mf_msg_mission_item m;
    assert_true(mf_mock_take(&mock, port_of(s), MF_MSG_MISSION_ITEM, &m));
    assert_int_equal(m.seq, s->b);
}

static void h_text(const struct step *s) /* on every link */
{
    expect_text(s->text);
}

static void h_current(const struct step *s) /* on every link */
{
    struct mf_msg_mission_current m;
    for (int port = 0; port < 2; port++) {
        assert_true(mf_mock_take(&mock, port, MF_MSG_MISSION_CURRENT, &m));
        assert_int_equal(m.seq, s->b);
    }
}

/* ---- what the vehicle has ---- */

static void has(const struct step *s)
{
    assert_int_equal(v.mission.count, s->b);
}

static void at(const struct step *s)
{
    assert_int_equal(v.mission.current, s->b);
}

/* ---- the lines ---- */

#define SAY(run, client, a, b)        \
    {                                 \
        run, client, a, b, NULL, true \
    }
#define HEAR(run, client, a, b)        \
    {                                  \
        run, client, a, b, NULL, false \
    }
#define TEXT(text)                   \
    {                                \
        h_text, 0, 0, 0, text, false \
    }
#define IN_DOWNLOAD SAY(uploaded, 0, 0, 0), SAY(list, 0, 0, 0), HEAR(h_count, 0, 0, 4)
#define ONE_IN \
    SAY(count, 0, 0, 4), HEAR(h_request, 0, 0, 0), SAY(item, 0, 0, 0), HEAR(h_request, 0, 0, 1)
#define BAD(type, row, result)                                                   \
    SAY(uploaded, 0, 0, 0), SAY(count, 0, type, 2), HEAR(h_request, 0, type, 0), \
        SAY(bad, 0, type, row), HEAR(h_ack, 0, type, result),                    \
        TEXT("IGN MISSION_ITEM: Invalid item"), HEAR(has, 0, 0, 4), SAY(wait, 0, 0, 1000)

static const struct {
    const char *line;
    struct step step[STEPS_MAX];
} k_line[] = {
    {"component 1, 190 and 0 of the own system are meant",
     {SAY(count_for, 0, 1, 1), HEAR(h_ack, 0, 0, 0), SAY(count_for, 0, 1, 190),
      HEAR(h_ack, 0, 0, 0), SAY(count_for, 0, 1, 0), HEAR(h_ack, 0, 0, 0)}},
    {"other targets are not",
     {SAY(count_for, 0, 2, 1), SAY(count_for, 0, 1, 2), SAY(count_for, 0, 0, 1),
      SAY(wait, 0, 0, 6000)}},
    {"more than fit: NO_SPACE",
     {SAY(uploaded, 0, 0, 0), SAY(count, 0, 0, 257), HEAR(h_ack, 0, 0, 4), HEAR(has, 0, 0, 4)}},
    {"a count of 0 clears",
     {SAY(uploaded, 0, 0, 0), SAY(count, 0, 0, 0), HEAR(h_ack, 0, 0, 0), HEAR(h_current, 0, 0, 0),
      HEAR(has, 0, 0, 0)}},
    {"an unknown type of mission: INVALID",
     {SAY(count, 0, 3, 4), HEAR(h_ack, 0, 3, 5), SAY(list, 0, 77, 0), HEAR(h_ack, 0, 77, 5)}},
    {"one transfer over all links: ERROR to the other sender",
     {ONE_IN, SAY(count, 1, 0, 4), HEAR(h_ack, 1, 0, 1), SAY(item, 0, 0, 1),
      HEAR(h_request, 0, 0, 2)}},
    {"... to another component on the same link, too",
     {ONE_IN, SAY(count, 2, 1, 4), HEAR(h_ack, 2, 1, 1), SAY(item, 0, 0, 1),
      HEAR(h_request, 0, 0, 2)}},
    {"COUNT again before the first item: it is asked for again",
     {SAY(count, 0, 0, 4), HEAR(h_request, 0, 0, 0), SAY(count, 0, 0, 4), HEAR(h_request, 0, 0, 0),
      SAY(item, 0, 0, 0), HEAR(h_request, 0, 0, 1)}},
    {"COUNT again after an item: busy",
     {ONE_IN, SAY(count, 0, 0, 4), TEXT("WPM: REJ. CMD: Busy"), HEAR(h_ack, 0, 0, 1),
      SAY(item, 0, 0, 1), HEAR(h_request, 0, 0, 2)}},
    {"a client that knows floats only answers UNSUPPORTED",
     {SAY(count, 0, 0, 4), HEAR(h_request, 0, 0, 0), SAY(ack, 0, 0, 3),
      HEAR(h_request_float, 0, 0, 0), SAY(item_float, 0, 0, 0), HEAR(h_request_float, 0, 0, 1),
      SAY(ack, 0, 0, 3), HEAR(h_request, 0, 0, 1)}},
    {"... or nothing",
     {SAY(count, 0, 0, 4), HEAR(h_request, 0, 0, 0), SAY(wait, 0, 0, 250), HEAR(h_request, 0, 0, 0),
      SAY(wait, 0, 0, 250), HEAR(h_request, 0, 0, 0), SAY(wait, 0, 0, 250),
      HEAR(h_request_float, 0, 0, 0), SAY(item_float, 0, 0, 0), HEAR(h_request_float, 0, 0, 1)}},
    {"a request is repeated every 250 ms",
     {ONE_IN, SAY(wait, 0, 0, 249), SAY(wait, 0, 0, 1), HEAR(h_request, 0, 0, 1),
      SAY(wait, 0, 0, 249), SAY(wait, 0, 0, 1), HEAR(h_request, 0, 0, 1), SAY(item, 0, 0, 1),
      HEAR(h_request, 0, 0, 2)}},
    {"an item that was not asked for is ignored",
     {ONE_IN, SAY(item, 0, 0, 0), SAY(item, 0, 0, 2), SAY(item, 0, 0, 1),
      HEAR(h_request, 0, 0, 2)}},
    {"an item of another type: ERROR, and the transfer goes on",
     {ONE_IN, SAY(item, 0, 1, 1), HEAR(h_ack, 0, 0, 1), SAY(item, 0, 0, 1),
      HEAR(h_request, 0, 0, 2)}},
    {"an item from another client",
     {ONE_IN, SAY(item, 2, 0, 1), TEXT("REJ. MIS ITEM: partner id mismatch"), SAY(item, 0, 0, 1),
      HEAR(h_request, 0, 0, 2)}},
    {"the last item again: acknowledged again, with the opaque id",
     {SAY(uploaded, 0, 0, 0), SAY(item, 0, 0, 3), HEAR(h_ack_tag, 0, 0, 0)}},
    {"any other item outside of a transfer",
     {SAY(uploaded, 0, 0, 0), SAY(item, 0, 0, 2), TEXT("IGN MISSION_ITEM: No transfer"),
      HEAR(h_ack, 0, 0, 1)}},
    {"a command that is not supported: UNSUPPORTED, the old mission stays", {BAD(0, 0, 3)}},
    {"a frame that is not supported: UNSUPPORTED_FRAME", {BAD(0, 1, 2)}},
    {"a global frame for a command without a place: UNSUPPORTED", {BAD(0, 2, 3)}},
    {"a region of interest of an unknown kind: INVALID_PARAM1", {BAD(0, 3, 6)}},
    {"a vertex of a fence in a mission: ERROR", {BAD(0, 4, 1)}},
    {"a rally point in a mission: ERROR", {BAD(0, 5, 1)}},
    {"a polygon of two vertices: ERROR", {BAD(1, 6, 1)}},
    {"the mission is another one with the last item, and not before",
     {SAY(uploaded, 0, 0, 0), SAY(count, 0, 0, 2), HEAR(h_request, 0, 0, 0), SAY(item, 0, 0, 0),
      HEAR(h_request, 0, 0, 1), HEAR(has, 0, 0, 4), SAY(other, 0, 0, 1), HEAR(h_ack, 0, 0, 0),
      HEAR(h_current, 0, 0, 0), HEAR(has, 0, 0, 2)}},
    {"the same mission again: nothing is loaded, progress stays",
     {SAY(uploaded, 0, 0, 0), SAY(current, 0, 0, 2), HEAR(h_current, 0, 0, 2),
      SAY(uploaded, 0, 0, 0), HEAR(at, 0, 0, 2)}},
    {"the mission begins at the last item that is flagged",
     {SAY(count, 0, 0, 4), HEAR(h_request, 0, 0, 0), SAY(flagged, 0, 0, 0),
      HEAR(h_request, 0, 0, 1), SAY(flagged, 0, 0, 1), HEAR(h_request, 0, 0, 2),
      SAY(flagged, 0, 0, 2), HEAR(h_request, 0, 0, 3), SAY(item, 0, 0, 3), HEAR(h_ack_tag, 0, 0, 0),
      HEAR(h_current, 0, 0, 2), HEAR(at, 0, 0, 2)}},
    {"download: the count carries the opaque id", {IN_DOWNLOAD}},
    {"download: the next item, or the last one again",
     {IN_DOWNLOAD, SAY(request, 0, 0, 0), HEAR(h_flagged, 0, 0, 0), SAY(request, 0, 0, 0),
      HEAR(h_flagged, 0, 0, 0), SAY(request, 0, 0, 1), HEAR(h_item, 0, 0, 1)}},
    {"download: any other item ends it",
     {IN_DOWNLOAD, SAY(request, 0, 0, 2), TEXT("WPM: REJ. CMD: Req. WP was unexpected"),
      HEAR(h_ack, 0, 0, 1), SAY(request, 0, 0, 0)}},
    {"download: items come in the kind of the request",
     {IN_DOWNLOAD, SAY(request_float, 0, 0, 0), HEAR(h_item_float, 0, 0, 0), SAY(request, 0, 0, 1),
      HEAR(h_item, 0, 0, 1)}},
    {"download: the client's acknowledgement ends it",
     {IN_DOWNLOAD, SAY(request, 0, 0, 0), HEAR(h_flagged, 0, 0, 0), SAY(ack, 0, 0, 0),
      SAY(request, 0, 0, 1)}},
    {"download: a request outside of it is ignored",
     {SAY(uploaded, 0, 0, 0), SAY(request, 0, 0, 0)}},
    {"download: a new list begins anew",
     {IN_DOWNLOAD, SAY(request, 0, 0, 0), HEAR(h_flagged, 0, 0, 0), SAY(list, 0, 0, 0),
      HEAR(h_count, 0, 0, 4), SAY(request, 0, 0, 0), HEAR(h_flagged, 0, 0, 0)}},
    {"download: but not for others",
     {IN_DOWNLOAD, SAY(list, 1, 0, 0), TEXT("Mission download request ignored, already active"),
      SAY(request, 0, 0, 0), HEAR(h_flagged, 0, 0, 0)}},
    {"download: of nothing is a count of 0",
     {SAY(list, 0, 0, 0), HEAR(h_count, 0, 0, 0), SAY(ack, 0, 0, 0), SAY(wait, 0, 0, 6000)}},
    {"download: the flag is on the current item",
     {SAY(uploaded, 0, 0, 0), SAY(current, 0, 0, 1), HEAR(h_current, 0, 0, 1), SAY(list, 0, 0, 0),
      HEAR(h_count, 0, 0, 4), SAY(request, 0, 0, 0), HEAR(h_item, 0, 0, 0), SAY(request, 0, 0, 1),
      HEAR(h_flagged, 0, 0, 1)}},
    {"download: given up after 5 s",
     {IN_DOWNLOAD, SAY(wait, 0, 0, 4999), SAY(wait, 0, 0, 1), TEXT("Operation timeout"),
      SAY(request, 0, 0, 0)}},
    {"cancelled by the client: the old mission stays",
     {SAY(uploaded, 0, 0, 0), SAY(count, 0, 0, 2), HEAR(h_request, 0, 0, 0), SAY(ack, 0, 0, 15),
      SAY(wait, 0, 0, 6000), HEAR(has, 0, 0, 4)}},
    {"... by another type's cancellation it is not",
     {ONE_IN, SAY(ack, 0, 1, 15), SAY(item, 0, 0, 1), HEAR(h_request, 0, 0, 2)}},
    {"a download is cancelled in the same way",
     {IN_DOWNLOAD, SAY(ack, 0, 0, 15), SAY(request, 0, 0, 0), SAY(wait, 0, 0, 6000)}},
    {"CLEAR_ALL: each type, and all",
     {SAY(uploaded, 0, 0, 0), SAY(clear, 0, 1, 0), HEAR(h_ack, 0, 1, 0), HEAR(h_current, 0, 0, 0),
      SAY(clear, 0, 2, 0), HEAR(h_ack, 0, 2, 0), HEAR(h_current, 0, 0, 0), HEAR(has, 0, 0, 4),
      SAY(clear, 0, 255, 0), HEAR(h_ack, 0, 255, 0), HEAR(h_current, 0, 0, 0), HEAR(has, 0, 0, 0)}},
    {"CLEAR_ALL: an unknown type is acknowledged all the same",
     {SAY(uploaded, 0, 0, 0), SAY(clear, 0, 9, 0), HEAR(h_ack, 0, 9, 0), HEAR(has, 0, 0, 4)}},
    {"CLEAR_ALL: ignored during a transfer",
     {ONE_IN, SAY(clear, 1, 0, 0), TEXT("WPM: IGN CLEAR CMD: Busy"), SAY(item, 0, 0, 1),
      HEAR(h_request, 0, 0, 2)}},
    {"SET_CURRENT: MISSION_CURRENT at once",
     {SAY(uploaded, 0, 0, 0), SAY(current, 1, 0, 3), HEAR(h_current, 0, 0, 3),
      SAY(current, 1, 0, 3), HEAR(h_current, 0, 0, 3)}},
    {"SET_CURRENT: beyond the end",
     {SAY(uploaded, 0, 0, 0), SAY(current, 0, 0, 4), TEXT("WPM: WP CURR CMD: Not in list"),
      HEAR(at, 0, 0, 0)}},
    {"SET_CURRENT: ignored during a transfer",
     {SAY(uploaded, 0, 0, 0), ONE_IN, SAY(current, 1, 0, 2), TEXT("WPM: IGN WP CURR CMD: Busy"),
      HEAR(at, 0, 0, 0)}},
    {"partial lists are ignored",
     {SAY(uploaded, 0, 0, 0), SAY(partial, 0, 0, 0), SAY(wait, 0, 0, 6000), HEAR(has, 0, 0, 4)}},
};

static void test_sim031_line(void **state)
{
    const struct step *const *script = *state;
    const struct step *s = *script;
    for (size_t i = 0; i < STEPS_MAX && s[i].run != NULL; i++) {
        mock.port[0].peer.compid = s[i].client == 2 ? 191 : 190;
        if (s[i].said) {
            expect_quiet(); /* all that was heard is expected */
        }
        s[i].run(&s[i]);
    }
    expect_quiet();
}

static int begin(void **state)
{
    void *nothing = NULL;
    (void)state;
    return setup(&nothing);
}

int main(void)
{
    static struct CMUnitTest tests[COUNT_OF(k_line)];
    static const struct step *script[COUNT_OF(k_line)];
    for (size_t i = 0; i < COUNT_OF(k_line); i++) {
        script[i] = k_line[i].step;
        tests[i] = (struct CMUnitTest){.name = k_line[i].line,
                                       .test_func = test_sim031_line,
                                       .setup_func = begin,
                                       .initial_state = &script[i]};
    }
    return cmocka_run_group_tests_name("mission protocol", tests, NULL, NULL);
}
