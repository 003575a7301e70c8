# SPDX-License-Identifier: Apache-2.0
"""How many cases a test takes of those that are random or many; tests/unit/support/cases.h says the same for C."""
import os


def cases(sample, all_of_them):
    """sample, or with MF_LONG=1 in the environment all_of_them."""
    return all_of_them if os.environ.get('MF_LONG') else sample
