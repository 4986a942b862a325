// Builds a Debian package. It has no dependencies, since the binary has none.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, top } from '../lib/run.mjs';
import { gzip, settleModes } from './archive.mjs';
import { epoch, packageJson, version } from './commit.mjs';
import { placeInstalled } from './installed.mjs';
import { kTargets } from './zig.mjs';

const kMaintainer = 'The tabernetes authors <tabernetes@users.noreply.github.com>';

/** Debian sorts `~` before everything, so that a pre-release sorts before its release. */
const debianVersion = version.replace('-', '~');

function control(arch, folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
  return `Package: tabernetes
Version: ${debianVersion}
Architecture: ${kTargets[arch].debian}
Maintainer: ${kMaintainer}
Installed-Size: ${Math.ceil(bytes / 1024)}
Section: devel
Priority: optional
Homepage: ${packageJson.homepage}
Description: faithful Kubernetes API server for tests
 tabernetes answers as kube-apiserver does, in one process, without etcd and
 without containers: the same discovery, errors, tables, watches and versions.
 It is a mock for tests, demonstrations and development.
`;
}

// In Debian's format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
const kCopyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tabernetes
Source: ${packageJson.homepage}

Files: *
Copyright: The tabernetes authors
License: Apache-2.0
 On Debian systems, the text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
Comment:
 What the binary contains of other people's work, and on what terms, is in
 /usr/share/doc/tabernetes/THIRD_PARTY.md; that of the page is in
 /usr/share/tabernetes/ui/licenses.txt.
`;

function changelog() {
  const day = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  return `tabernetes (${debianVersion}) stable; urgency=medium\n\n  * Release ${version}; see CHANGELOG.md.\n\n -- ${kMaintainer}  ${day}\n`;
}

/** Writes release/tabernetes_VERSION_ARCH.deb and returns its path. */
export async function makeDeb(out, arch, binary, scratch) {
  const folder = join(scratch, `deb-${arch}`);
  rmSync(folder, { recursive: true, force: true });
  placeInstalled(join(folder, 'usr'), binary);
  const documents = join(folder, 'usr', 'share', 'doc', 'tabernetes');
  rmSync(join(documents, 'LICENSE')); // `copyright` refers to the system's copy
  writeFileSync(join(documents, 'copyright'), kCopyright);
  writeFileSync(join(documents, 'changelog.gz'), gzip(Buffer.from(changelog())));
  const text = control(arch, folder);
  mkdirSync(join(folder, 'DEBIAN'));
  writeFileSync(join(folder, 'DEBIAN', 'control'), text);
  settleModes(folder);
  const file = join(out, `tabernetes_${debianVersion}_${kTargets[arch].debian}.deb`);
  // xz, because Debian 11 cannot read zstd.
  await run('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', folder, file], { cwd: top, quiet: true, env: { SOURCE_DATE_EPOCH: String(epoch) } });
  return file;
}
