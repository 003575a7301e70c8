/* SPDX-License-Identifier: Apache-2.0 */
/* Connections of the elevation service that give way: each is a pair of sockets, one end
 * is here. */
#include "tools/web/places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <sys/socket.h>
#include <unistd.h>

/* More than this, and one goes for each that comes. */
#define PLACES 128u
#define MOST   120u

static struct web_places s_places;
static struct web_place *s_place[PLACES];
static int s_end[PLACES][2];

static void come(unsigned i)
{
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s_end[i]), 0);
    s_place[i] = web_places_come(&s_places, s_end[i][0]);
    assert_non_null(s_place[i]);
}

static void go(unsigned i)
{
    web_places_go(&s_places, s_place[i]);
    (void)close(s_end[i][0]);
    (void)close(s_end[i][1]);
    s_end[i][0] = s_end[i][1] = -1;
}

static bool is_ended(unsigned i)
{
    char byte;
    return recv(s_end[i][1], &byte, 1, MSG_DONTWAIT) == 0;
}

static unsigned ended(unsigned count)
{
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        n += is_ended(i) ? 1u : 0u;
    }
    return n;
}

static void test_the_longest_idle_give_way(void **state)
{
    (void)state;
    assert_true(web_places_init(&s_places, PLACES));
    for (unsigned i = 0; i < MOST; i++) {
        come(i);
    }
    assert_int_equal(ended(MOST), 0);
    web_places_ask(&s_places, s_place[0], true); /* it is getting its answer */
    web_places_ask(&s_places, s_place[1], true); /* it has got one just now */
    web_places_ask(&s_places, s_place[1], false);
    come(MOST);
    come(MOST + 1);
    assert_int_equal(ended(MOST + 2), 2);
    assert_true(is_ended(2) && is_ended(3));
    go(2); /* as their threads notice */
    go(3);
    come(2);
    assert_int_equal(ended(MOST + 2), 1);
    assert_true(is_ended(4));
    web_places_free(&s_places);
}

static void test_all_are_taken(void **state)
{
    (void)state;
    assert_true(web_places_init(&s_places, PLACES));
    for (unsigned i = 0; i < PLACES; i++) {
        come(i);
        web_places_ask(&s_places, s_place[i], true);
    }
    assert_null(web_places_come(&s_places, -1));
    assert_int_equal(ended(PLACES), 0);
    web_places_ask(&s_places, NULL, true); /* what has no place */
    web_places_go(&s_places, NULL);
    web_places_ask(&s_places, s_place[7], false);
    assert_null(web_places_come(&s_places, -1));
    assert_true(is_ended(7));
    go(7);
    come(7);
    web_places_free(&s_places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_longest_idle_give_way),
        cmocka_unit_test(test_all_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
