/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-posix/door.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#define CLIENTS (3u * MF_DOOR_PENDING_MAX)

/* A first word is a byte with the length of the whole word; 0 is wrong. */
static size_t length(const uint8_t *bytes, size_t n)
{
    return bytes[0] > 0 ? bytes[0] : n;
}

static struct mf_door s_door;
static struct sockaddr_un s_at;
static int s_entered[CLIENTS], s_client[CLIENTS];
static unsigned s_count, s_said;
static char s_text[300];
static enum mf_door_verdict s_verdict;

static enum mf_door_verdict enter(void *ctx, int fd)
{
    assert_ptr_equal(ctx, &s_at);
    if (s_verdict == MF_DOOR_TAKEN) {
        s_entered[s_count++] = fd;
    }
    return s_verdict;
}

static void say(void *ctx, const char *text)
{
    (void)ctx;
    s_said++;
    (void)snprintf(s_text, sizeof s_text, "%s", text);
}

static const struct mf_door_ops k_ops = {length, enter, say};

/* A listener with an abstract name, which the system finds. */
static int open_door(void **state)
{
    socklen_t n = sizeof s_at.sun_family;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    (void)state;
    s_at = (struct sockaddr_un){.sun_family = AF_UNIX};
    s_count = s_said = 0;
    s_verdict = MF_DOOR_TAKEN;
    for (unsigned i = 0; i < CLIENTS; i++) {
        s_client[i] = s_entered[i] = -1;
    }
    if (fd < 0 || bind(fd, (struct sockaddr *)&s_at, n) != 0 || listen(fd, 1000) != 0) {
        return -1;
    }
    mf_door_open(&s_door, fd, &k_ops, &s_at);
    return 0;
}

static int shut_door(void **state)
{
    const int listener = s_door.listener;
    (void)state;
    mf_door_close(&s_door);
    for (unsigned i = 0; i < CLIENTS; i++) {
        (void)(s_client[i] >= 0 && close(s_client[i]));
        (void)(s_entered[i] >= 0 && close(s_entered[i]));
    }
    return close(listener);
}

static void come(unsigned i, const char *word, size_t n)
{
    socklen_t size = sizeof s_at;
    if (s_client[i] < 0) {
        s_client[i] = socket(AF_UNIX, SOCK_STREAM, 0);
        assert_int_equal(getsockname(s_door.listener, (struct sockaddr *)&s_at, &size), 0);
        assert_int_equal(connect(s_client[i], (struct sockaddr *)&s_at, size), 0);
    }
    assert_int_equal(send(s_client[i], word, n, MSG_NOSIGNAL), n);
}

static bool is_closed(unsigned i)
{
    char c;
    errno = 0;
    return recv(s_client[i], &c, 1, MSG_DONTWAIT) <= 0 && errno != EAGAIN;
}

static void test_a_word_lets_in_when_it_is_whole_and_is_unread(void **state)
{
    char word[4];
    (void)state;
    come(0, "", 0);
    mf_door_look(&s_door);
    assert_int_equal(s_door.count, 1);
    come(0, "\3a", 2);
    assert_true(mf_door_stirs(&s_door));
    mf_door_look(&s_door);
    assert_int_equal(s_count, 0);
    come(0, "b", 1);
    mf_door_look(&s_door);
    assert_int_equal(s_count, 1);
    assert_int_equal(s_door.count, 0);
    assert_int_equal(recv(s_entered[0], word, sizeof word, MSG_DONTWAIT), 3);
    assert_false(mf_door_stirs(&s_door));
    come(1, "\0", 1); /* of which there will be no word: it is refused at once */
    mf_door_look(&s_door);
    assert_int_equal(s_count, 2);
}

static void test_who_says_something_gets_in_past_those_who_do_not(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CLIENTS - 1u; i++) {
        come(i, "", 0);
    }
    come(1, "\1", 1); /* it has said its word when others need its place */
    come(CLIENTS - 1u, "\1", 1);
    mf_door_look(&s_door);
    assert_int_equal(s_count, 2);
    assert_true(is_closed(0));
    assert_false(is_closed(1));
    assert_false(is_closed(CLIENTS - 2u));
    assert_true(s_door.count < MF_DOOR_PENDING_MAX);
    assert_int_equal(s_door.gone, CLIENTS - 2u - s_door.count);
    assert_int_equal(s_said, 1);
}

static void test_silence_and_half_a_word_end_after_2_s(void **state)
{
    (void)state;
    come(0, "", 0);
    come(1, "\3a", 2);
    mf_door_look(&s_door);
    assert_int_equal(s_door.count, 2);
    s_door.pending[0].since_us -= MF_DOOR_WORD_US;
    s_door.pending[1].since_us -= MF_DOOR_WORD_US;
    assert_int_equal(mf_door_wait_ms(&s_door, -1), 0);
    mf_door_look(&s_door);
    assert_true(is_closed(0) && is_closed(1));
    assert_int_equal(s_said, 1);
    assert_int_equal(mf_door_wait_ms(&s_door, -1), -1);
    assert_int_equal(mf_door_wait_ms(&s_door, 100), 100); /* never more than the caller may wait */
}

static void test_who_hangs_up_leaves_its_place(void **state)
{
    (void)state;
    come(0, "", 0);
    come(1, "\3a", 2);
    mf_door_look(&s_door);
    for (unsigned i = 0; i < 2; i++) {
        (void)close(s_client[i]);
        s_client[i] = -1;
    }
    mf_door_look(&s_door);
    assert_int_equal(s_door.count, 0);
    assert_int_equal(s_door.gone, 2);
    assert_int_equal(s_said, 0);
}

static void test_who_must_wait_stays_and_does_not_wake(void **state)
{
    struct pollfd all[MF_DOOR_POLL_MAX];
    (void)state;
    s_verdict = MF_DOOR_LATER;
    come(0, "\1", 1);
    mf_door_look(&s_door);
    assert_int_equal(mf_door_poll(&s_door, all), 1); /* the listener */
    assert_false(mf_door_stirs(&s_door));
    s_door.pending[0].since_us -= MF_DOOR_WORD_US;
    mf_door_look(&s_door);
    assert_int_equal(s_door.count, 1);
    s_verdict = MF_DOOR_TAKEN;
    mf_door_look(&s_door);
    assert_int_equal(s_count, 1);
}

static void test_a_closed_door_leaves_nobody_waiting(void **state)
{
    const int listener = s_door.listener;
    (void)state;
    come(0, "", 0);
    come(1, "\3a", 2);
    mf_door_look(&s_door);
    assert_int_equal(s_door.count, 2);
    mf_door_close(&s_door);
    assert_int_equal(s_door.listener, -1);
    assert_int_equal(s_door.count, 0);
    assert_true(is_closed(0) && is_closed(1));
    assert_int_equal(s_said, 0);
    s_door.listener = listener;
}

static void test_lines_within_a_second_are_counted(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        mf_door_print(&s_door, "x");
    }
    assert_int_equal(s_said, 1);
    s_door.printed_us -= MF_SECOND_US;
    mf_door_print(&s_door, "y");
    assert_int_equal(s_said, 2);
    assert_true(s_text[0] == 'y' && strstr(s_text, "4") != NULL);
    mf_door_print(&s_door, "z");
    const int listener = s_door.listener;
    mf_door_close(&s_door);
    s_door.listener = listener;
    assert_int_equal(s_door.unprinted, 0);
    assert_int_equal(s_said, 3);
    assert_int_equal(s_text[0], '1');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_word_lets_in_when_it_is_whole_and_is_unread,
                                        open_door, shut_door),
        cmocka_unit_test_setup_teardown(test_who_says_something_gets_in_past_those_who_do_not,
                                        open_door, shut_door),
        cmocka_unit_test_setup_teardown(test_silence_and_half_a_word_end_after_2_s, open_door,
                                        shut_door),
        cmocka_unit_test_setup_teardown(test_who_hangs_up_leaves_its_place, open_door, shut_door),
        cmocka_unit_test_setup_teardown(test_who_must_wait_stays_and_does_not_wake, open_door,
                                        shut_door),
        cmocka_unit_test_setup_teardown(test_a_closed_door_leaves_nobody_waiting, open_door,
                                        shut_door),
        cmocka_unit_test_setup_teardown(test_lines_within_a_second_are_counted, open_door,
                                        shut_door),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
