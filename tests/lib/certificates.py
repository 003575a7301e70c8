# SPDX-License-Identifier: Apache-2.0
"""Certificates by openssl, for a day."""
import os
import subprocess

NEW = ('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes')


def openssl(folder, *words):
    subprocess.run(['openssl', *words], cwd=folder, check=True, capture_output=True, timeout=30)


def authority(folder, name='factory'):
    """NAME.crt and NAME.key of a CA. @return their paths"""
    openssl(folder, *NEW, '-x509', '-days', '1', '-subj', '/CN=' + name, '-keyout', name + '.key', '-out', name + '.crt')
    return os.path.join(folder, name + '.crt'), os.path.join(folder, name + '.key')


def certificate(folder, ca, name, alternative='DNS:nobody.example'):
    """NAME.crt and NAME.key, signed by a CA of authority()."""
    with open(os.path.join(folder, name + '.ext'), 'w', encoding='ascii') as file:
        file.write(f'subjectAltName={alternative}\n')
    openssl(folder, *NEW, '-subj', '/CN=' + name, '-keyout', name + '.key', '-out', name + '.csr')
    openssl(folder, 'x509', '-req', '-in', name + '.csr', '-CA', ca + '.crt', '-CAkey', ca + '.key', '-days', '1',
            '-extfile', name + '.ext', '-out', name + '.crt')
