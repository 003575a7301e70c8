# SPDX-License-Identifier: Apache-2.0
"""The rules of comments in ci/prose.py, and the ledger of files that break them."""
import unittest

import prose

# One comment for each rule in its order that breaks it alone, and the same thing said by the rules.
PAIRS = [
    ('the link is free: nobody sends', 'the link is free: no client sends'),
    ('What the order means for a step.', 'Convert the order into set-points of a step.'),
    ('It takes no further part.', 'The member takes no further part.'),
    ('Of a body that moves.', 'Velocity of a moving body.'),
    ('... and its end', 'end of the leg'),
    ('the text is no number', 'the text is not a number'),
    ('the answer is waited for', 'the caller waits for the answer'),
    ('all ports but for the first', 'all ports except the first'),
]
C = '''/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sends frames.
 *
 * * of a link
 */
/* ---- sending */
const char *text = "/* no comment */";
int n; /**< [count] */
char quote = '"'; // of bytes
/** @brief Send
 *  it. */
/* clang-format off */
'''


def found(comment):
    return [why for _, why in prose.check_comments(f'/* {comment} */\n')]


class Comments(unittest.TestCase):
    def test_text_of_c(self):
        self.assertEqual(list(prose.comments(C)), [(2, 'Sends frames. * of a link'), (9, '[count]'), (10, 'of bytes'), (11, 'Send it.')])

    def test_each_rule(self):
        self.assertEqual(len(PAIRS), len(prose.COMMENT_RULES))
        for (why, _), (wrong, right) in zip(prose.COMMENT_RULES, PAIRS):
            self.assertEqual([text.startswith(why) for text in found(wrong)], [True], wrong)
            self.assertEqual(found(right), [], right)

    def test_question_is_a_sentence(self):
        self.assertEqual(len(found('Whether it fits')), 1)
        self.assertEqual(found('How many fit?'), [])

    def test_line_of_a_finding(self):
        self.assertEqual([line for line, _ in prose.check_comments(C.replace('Sends', 'Who sends'))], [2])


class Ledger(unittest.TestCase):
    HITS = {'a/x.c': [(3, 'why'), (9, 'why')], 'b/y.c': [(5, 'why')], 'b/z.c': []}

    def test_more_hits_than_allowed_fail(self):
        self.assertEqual(prose.over({'a/x.c': 2, 'b/y.c': 1}, self.HITS), [])
        self.assertEqual(prose.over({'a/x.c': 1, 'b/y.c': 1}, self.HITS), ['a/x.c:3: why', 'a/x.c:9: why'])
        self.assertEqual(prose.over({'a/x.c': 2}, self.HITS), ['b/y.c:5: why'])

    def test_numbers_only_fall(self):
        self.assertEqual(prose.lowered({'a/x.c': 1, 'b/y.c': 7, 'b/z.c': 3}, self.HITS), {'a/x.c': 1, 'b/y.c': 1})

    def test_moved_file_takes_its_number_along(self):
        self.assertEqual(prose.lowered({'old/x.c': 1, 'old/y.c': 4}, self.HITS), {'a/x.c': 1, 'b/y.c': 1})

    def test_file_reads_as_written(self):
        self.assertEqual(prose.read_ledger('# note\n2 a/x.c\n10 b/y.c\n'), {'a/x.c': 2, 'b/y.c': 10})


if __name__ == '__main__':
    unittest.main()
