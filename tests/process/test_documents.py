# SPDX-License-Identifier: Apache-2.0
"""Questions, asked as their readers ask them: from docs/README.md two clicks lead to the answer.

The first click goes to a link of the row that has most words of the question; the second, if one is needed, to a link of the section
that was reached. The answer is a command or a term that stands in that section.
"""
import os
import re
import unittest

import doc_links
from paths import TOP

INDEX = 'docs/README.md'
QUESTIONS = [
    ('How do I make GPS fail after 30 s in CI?', 'gps_off@30s'),
    ('What does a port to an STM32 supply?', 'SysTick'),
    ('How do I fly faster than real time without missing events?', '--clock event'),
    ('How do I connect MAVSDK?', 'tcpout://127.0.0.1:5760'),
    ('How do I load an airspace with drones that come and go?', 'per_minute'),
    ('How do I run hundreds of drones on Kubernetes?', 'kubectl apply -k deploy'),
    ('How do I lose 5 % of the packets?', 'loss=5'),
    ('Is the altitude that I see above the ellipsoid?', 'alt_ellipsoid'),
    ('How do I replay a failed flight?', 'build/replay flight.mfr'),
    ('How much memory does one drone need in a container?', '--memory 256m'),
    ('What happens when the drone loses its battery?', 'BAT_CRIT_THR'),
    ('How do I fly ten thousand drones on one machine?', 'build/mayfly-swarm examples'),
    ('How does my script follow the clock of the drone, without waiting?', 'exec --virtual'),
    ('Does my client depend on physics?', 'mayfly-audit run --'),
    ('How do my figures compare with published simulators?', 'make papers'),
]
DULL = set('a an and are do does from how i in is it its my of on one or see that the this to what when where which with me the'.split())


def words(text):
    """The words that a reader looks for: without their ends, which differ (loses, lose; drones, drone)."""
    return {re.sub(r'(e?s|ing|ed|e)$', '', word) for word in re.findall(r'[a-z0-9]+', text.lower())} - DULL


def rows():
    """(text, addresses) of each row of the index' tables"""
    with open(os.path.join(TOP, INDEX), encoding='utf-8') as f:
        for line in f:
            if line.startswith('|') and '](' in line:
                yield re.sub(r'\]\([^)]*\)', ']', line), re.findall(r'\]\(([^)]*)\)', line)


def section(page, anchor):
    """The text of a page, or of one of its sections with those below it."""
    with open(os.path.join(TOP, page), encoding='utf-8') as f:
        text = f.read()
    if not anchor:
        return text
    names, found, level = doc_links.Anchors(), [], 0
    fenced = False
    for line in text.split('\n'):
        fenced ^= line.startswith('```')
        heading = None if fenced else re.match(r'(#+) +(.+?)\s*$', line)
        if heading:
            if level and len(heading[1]) <= level:
                break
            if names.of(heading[2]) == anchor:
                level = len(heading[1])
        if level:
            found.append(line)
    return '\n'.join(found)


def follow(page, address):
    """(page, anchor) that an address on a page leads to; None if that is no page of ours"""
    path, _, anchor = address.partition('#')
    to = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    return (to, anchor) if to.endswith('.md') and not re.match(r'[a-z]+:', address) else None


class TwoClicks(unittest.TestCase):
    def reached(self, question):
        """Each (page, anchor) within two clicks, the nearer ones first"""
        asked = words(question)
        _, addresses = max(rows(), key=lambda row: len(asked & words(row[0])) / (3 + len(words(row[0]))))
        first = [to for to in (follow(INDEX, address) for address in addresses) if to]
        second = [to for page, anchor in first for address in re.findall(r'\]\(([^)\s]*)\)', section(page, anchor))
                  for to in [follow(page, address)] if to]
        return first + second

    def test_questions(self):
        for question, answer in QUESTIONS:
            with self.subTest(question):
                reached = self.reached(question)
                places = [f'{page}#{anchor}' for page, anchor in reached if answer in section(page, anchor)]
                self.assertTrue(places, f'{answer} is not in any of {reached}')

    def test_a_section_ends_where_the_next_begins(self):
        self.assertIn('Barriers', section('docs/time.md', 'barriers').split('\n')[0])
        self.assertLess(len(section('docs/time.md', 'barriers')), len(section('docs/time.md', '')) / 2)
        self.assertEqual(section('docs/time.md', 'there-is-none'), '')
