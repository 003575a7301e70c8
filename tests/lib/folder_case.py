# SPDX-License-Identifier: Apache-2.0
"""Tests with an empty folder each, and its files."""
import os
import tempfile
import unittest


class FolderCase(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        """Text or bytes, into a file here or at an absolute path. @return its path"""
        with open(self.path(name), 'wb') as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return file.name

    def bytes(self, *names):
        with open(self.path(*names), 'rb') as file:
            return file.read()

    def text(self, *names):
        return self.bytes(*names).decode()
