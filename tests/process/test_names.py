# SPDX-License-Identifier: Apache-2.0
"""The search for data in a text for users, as tests/unit/support/test_names.c has it for C."""
import pytest

from names import names, one


@pytest.mark.parametrize('text, data, found', [
    ('--sysid: 0 is not in 1 .. 254', '--sysid 0 1 254', True),
    ('--sysid: 0 is not in 1 .. 254', '1 0', False),    # their order
    ('5 (5) 5.', '5 5 5', True),
    *((text, '5', False) for text in ('15', '-5', '0.5', 'a-5', '5.5', '5/b')),
    ('key.part', 'key', False),
    ("'key'", 'key', True),
    ('/a b/c.yaml:3: key', one('/a b/c.yaml') + ':3 key', True),
    ('/a b/c.yaml:3: key', one('/a c/c.yaml') + ':3', False),
])
def test_data_of_a_text(text, data, found):
    assert names(text, data) == found
