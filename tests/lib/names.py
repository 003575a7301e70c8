# SPDX-License-Identifier: Apache-2.0
"""Compare the data of a text for users, and leave its sentence to tests/texts.txt; tests/unit/support/names.h does the same for C.

    assert_names(error, '--sysid 0 1 254')                 # flag, offending value, limits
    assert_names(error, f'{one(path)}:3 batery battery')   # file and line, unknown key, suggested key
"""
import re

BLANK = '\0'


def one(value):
    """@return a value that may have blanks, such as a path, as one word of the data"""
    return str(value).replace(' ', BLANK)


def names(text, data):
    """@return whether all words of data stand in text, in this order, each whole: "5" is not in "15", "-5", "0.5" or "a-5"."""
    at = 0
    for word in (w.replace(BLANK, ' ') for w in data.split()):
        before = r'(?<!\w)(?<![-./])' if re.match(r'\w', word) else ''
        behind = r'(?!\w|[-./]\w)' if re.search(r'\w$', word) else ''
        found = re.compile(before + re.escape(word) + behind).search(text, at)
        if found is None:
            return False
        at = found.end()
    return True


def assert_names(text, data):
    assert data.strip() and names(text, data), f'the text {text!r} lacks one of {data!r}'
