# SPDX-License-Identifier: Apache-2.0
"""What in a client depends on physics: the differential run, the static scan, and the ledger. See README.md."""
__version__ = "0.2.0"
