#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an image contains, as SPDX 2.3 in JSON. Debian's packages tell versions, licences and copyrights.

    sbom.py --program FILE    a static program: what FILE.map says was linked. Packages of another processor, or sources of libraries
                              that were compiled for it, are in ../sysroot.debs
    sbom.py --root FOLDER     the root of an image: the packages of its files, which this machine has at the same paths
    sbom.py --licenses FILE   the SPDX expression of all licences that such a document names

SOURCE_DATE_EPOCH is the time that the document bears, so that the same content gives the same document.
"""
import collections
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import time


TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRID = os.environ.get('EGM96') or '/usr/share/proj/egm96_15.gtx'
# {source package: its licence}, of what a static program takes. Those of others are the text that Debian has: LicenseRef-SOURCE.
LICENSES = {
    'glibc': 'LGPL-2.1-or-later', 'gcc-12': 'GPL-3.0-or-later WITH GCC-exception-3.1',
    'gcc-12-cross': 'GPL-3.0-or-later WITH GCC-exception-3.1', 'libyaml': 'MIT', 'http-parser': 'MIT', 'jansson': 'MIT',
    'gcc-12-cross-ports': 'GPL-3.0-or-later WITH GCC-exception-3.1', 'cross-toolchain-base-ports': 'LGPL-2.1-or-later',
}
# {file that a package makes when it is installed: one that the package has}
MADE = {'/etc/ssl/certs/ca-certificates.crt': '/usr/sbin/update-ca-certificates'}
Package = collections.namedtuple('Package', 'name version architecture source source_version copyright')


def ask(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def read(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


def digest(path):
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).hexdigest()


def package_of(lines, docs):
    """A package, from its fields; Source may be missing, or name a version of its own."""
    found = dict(line.split(': ', 1) for line in lines.splitlines() if ': ' in line)
    source, _, version = found.get('Source', found['Package']).partition(' ')
    return Package(found['Package'], found['Version'], found['Architecture'], source, version.strip('()') or found['Version'],
                   read(os.path.join(docs, 'usr/share/doc', found['Package'], 'copyright')))


def installed(paths):
    """The packages that have these files, as each package named them before /lib became /usr/lib."""
    names = {name for path in paths for name in (path, path.removeprefix('/usr'))}
    owners = [line.rsplit(': ', 1) for line in
              subprocess.run(['dpkg', '-S', *sorted(names)], capture_output=True, text=True, check=False).stdout.splitlines()]
    orphans = set(paths) - {form for _, name in owners for form in (name, '/usr' + name)}
    if orphans:
        raise SystemExit(f'sbom: no package has {" ".join(sorted(orphans))}')
    return {package_of(ask('dpkg-query', '-s', owner), '/') for owner in {owner for owner, _ in owners}}


def unpacked(paths, debs, root):
    """The same of packages in a folder, which were unpacked into root."""
    wanted = {path[len(root):] for path in paths}
    for deb in glob.glob(os.path.join(debs, '*.deb')):
        files = {line.split(maxsplit=5)[5].lstrip('.') for line in ask('dpkg-deb', '--contents', deb).splitlines()}
        if files & wanted:
            yield package_of(ask('dpkg-deb', '--field', deb), root)
            wanted -= files
    if wanted:
        raise SystemExit(f'sbom: no package of {debs} has {" ".join(sorted(wanted))}')


def compiled(paths, root):
    """The source packages of what ci/sources.sh compiled: it names folders after them."""
    for source in {os.path.relpath(path, root).split(os.sep)[0] for path in paths}:
        release, text = (read(os.path.join(root, source, name)).rstrip('\n') for name in ('version', 'copyright'))
        yield Package(source, release, 'source', source, release, text)


def packages(paths, debs=None):
    """The packages of files: of those in a folder FOLDER.debs, which ci/sysroot.sh unpacked or ci/sources.sh compiled into FOLDER, or of
    this machine."""
    paths = {os.path.realpath(path) for path in paths}
    root = os.path.realpath(debs.removesuffix('.debs')) if debs else None
    foreign = {path for path in paths if root and path.startswith(root + os.sep)}
    found = installed(paths - foreign)
    if foreign:
        found |= set(compiled(foreign, root) if glob.glob(os.path.join(debs, '*.dsc')) else unpacked(foreign, debs, root))
    return sorted(found)


def members(path):
    """{archive or object: [members taken from it]} as the linker included them."""
    taken = collections.defaultdict(set)
    with open(path, encoding='utf-8', errors='replace') as f:
        for line in f:
            archive = re.match(r'^(\S+\.a)\(([^)]+)\)', line)
            loaded = re.match(r'^LOAD (\S+)$', line)  # 'linker stubs' are no file
            if archive:
                taken[archive[1]].add(archive[2])
            elif loaded and not loaded[1].endswith('.a'):
                taken[loaded[1]].add('')
    return taken


def linked_files(map_path):
    """What the linker took that is not of this tree: libraries, and the objects that start a program."""
    return [path for path in members(map_path) if not re.search(r'(^|/)obj/|/(host|other|libmayfly)\.a$', path)]


def version():
    text = read(os.path.join(TOP, 'firmware/state/version.h'))
    return '.'.join(re.search(rf'MF_VERSION_{part} (\d+)', text)[1] for part in ('MAJOR', 'MINOR', 'PATCH'))


def license_of(package):
    return LICENSES.get(package.source) or 'LicenseRef-' + package.source.replace('+', '-')


def purl(package):
    """The name by which scanners look a package up, with the source that security notices are about."""
    system = dict(line.split('=', 1) for line in read('/etc/os-release').splitlines() if '=' in line)
    vendor, release = system['ID'].strip('"'), system.get('VERSION_ID', '').strip('"')
    escape = {'+': '%2B', ':': '%3A'}
    text = (f'pkg:deb/{vendor}/{package.name}@{package.version}?arch={package.architecture}&distro={vendor}-{release}'
            f'&upstream={package.source}@{package.source_version}')
    return 'pkg:' + ''.join(escape.get(c, c) for c in text[4:])


def texts_of(found):
    """{LicenseRef: licence} of those that have no identifier of SPDX"""
    return {license_of(p): p.copyright for p in found if p.source not in LICENSES}


def element(identifier, name, release, declared, **more):
    return {'SPDXID': f'SPDXRef-{identifier}', 'name': name, 'versionInfo': release, 'downloadLocation': 'NOASSERTION',
            'filesAnalyzed': False, 'licenseConcluded': 'NOASSERTION', 'licenseDeclared': declared,
            'copyrightText': 'NOASSERTION', **more}


def element_of(package):
    extra = {'attributionTexts': [package.copyright]} if package.source in LICENSES else {}
    return element('deb-' + package.name.replace('+', '-'), package.name, package.version, license_of(package),
                   supplier='Organization: Debian', primaryPackagePurpose='LIBRARY',
                   externalRefs=[{'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl',
                                  'referenceLocator': purl(package)}], **extra)


def element_of_grid(package):
    return element('egm96', 'EGM96 geoid grid', package.version, 'LicenseRef-EGM96', primaryPackagePurpose='FILE',
                   supplier='Organization: Debian', packageFileName=os.path.basename(GRID),
                   checksums=[{'algorithm': 'SHA256', 'checksumValue': digest(GRID)}],
                   externalRefs=element_of(package)['externalRefs'],
                   comment='The undulations of EGM96, out of this file of the package, as constants of the program.')


def element_of_program(path):
    name = os.path.basename(path)
    return element(name, name, version(), 'Apache-2.0', primaryPackagePurpose='APPLICATION', packageFileName=name,
                   checksums=[{'algorithm': 'SHA256', 'checksumValue': digest(path)}])


def document(whole, parts, texts):
    """whole: the element it is about; parts: [(element, how it takes part in the whole)]; texts: {LicenseRef: licence}"""
    elements = [whole] + [part for part, _ in parts]
    relations = [('SPDXRef-DOCUMENT', 'DESCRIBES', whole['SPDXID'])]
    for part, kind in parts:
        ends = (whole['SPDXID'], kind, part['SPDXID'])
        relations.append(ends[::-1] if kind == 'DATA_FILE_OF' else ends)
    content = hashlib.sha256(json.dumps(elements).encode()).hexdigest()
    created = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(int(os.environ.get('SOURCE_DATE_EPOCH', 0))))
    return {'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT', 'name': whole['name'],
            'documentNamespace': f'https://spdx.org/spdxdocs/{whole["name"]}-{version()}-{content[:32]}',
            'creationInfo': {'created': created, 'creators': ['Tool: mayfly-sbom']}, 'packages': elements,
            'relationships': [{'spdxElementId': a, 'relationshipType': kind, 'relatedSpdxElement': b} for a, kind, b in relations],
            'hasExtractedLicensingInfos': [{'licenseId': i, 'extractedText': t} for i, t in sorted(texts.items())]}


def of_program(path):
    debs = os.path.join(os.path.dirname(path), '..', 'sysroot.debs')
    found = packages(linked_files(path + '.map'), debs if os.path.isdir(debs) else None)
    parts, texts = [(element_of(p), 'STATIC_LINK') for p in found], texts_of(found)
    if any('egm96.o' in names for names in members(path + '.map').values()):
        grid, = packages([GRID])
        parts.append((element_of_grid(grid), 'DATA_FILE_OF'))
        texts['LicenseRef-EGM96'] = grid.copyright
    return document(element_of_program(path), parts, texts)


def of_root(root):
    files = sorted(os.path.join(folder, name)[len(root):] for folder, _, names in os.walk(root) for name in names)
    own = [name for name in files if name.startswith(('/usr/bin/', '/usr/lib/mayfly/'))]
    found = packages(MADE.get(name, name) for name in files if name not in own)
    parts = [element_of_program(root + name) for name in own] + [element_of(p) for p in found]
    whole = element('image', 'mayfly-tools', version(), 'NOASSERTION', primaryPackagePurpose='CONTAINER')
    return document(whole, [(part, 'CONTAINS') for part in parts], texts_of(found))


def licenses(path):
    declared = dict.fromkeys(p['licenseDeclared'] for p in json.loads(read(path))['packages'])
    return ' AND '.join(declared)


def main():
    command, path = sys.argv[1:]
    if command == '--licenses':
        print(licenses(path))
    else:
        json.dump({'--program': of_program, '--root': of_root}[command](path), sys.stdout, indent=1)
        print()


if __name__ == '__main__':
    main()
