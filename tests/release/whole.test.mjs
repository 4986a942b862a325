// Tests the release as a whole: its files, their checksums, reproducible bytes, the bill of materials.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { rm } from 'node:fs/promises';
import { differences, packRelease } from '../../tools/release.mjs';
import { kTargets } from '../../tools/release/zig.mjs';
import { execute, file, files, release, version } from './support.mjs';

test('what there is', () => {
  const { debian } = kTargets[process.arch];
  assert.deepEqual(files(), [
    'SHA256SUMS',
    `tabernetes-${version}-image.tar`,
    `tabernetes-${version}-linux-${process.arch}.tar.gz`,
    `tabernetes-${version}.cdx.json`,
    `tabernetes-${version}.tgz`,
    `tabernetes-embedded-${version}.tgz`,
    `tabernetes-playground-${version}.tgz`,
    `tabernetes_${version}_${debian}.deb`,
  ]);
});

test('the checksums, as sha256sum reads them', async () => {
  const { stdout } = await execute('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release });
  assert.deepEqual(stdout.trim().split('\n'), files().filter((name) => name !== 'SHA256SUMS').map((name) => `${name}: OK`));
});

test('packed again, the bytes are the same', async () => {
  const again = `${release}.again`;
  after(() => rm(again, { recursive: true }));
  await packRelease(again, { [process.arch]: process.env.TABERNETES_STATIC });
  assert.deepEqual(differences(release, again), []);
});

test('the bill of materials names version, licence and source of each library', () => {
  const bom = JSON.parse(readFileSync(file(`tabernetes-${version}.cdx.json`), 'utf8'));
  assert.deepEqual([bom.bomFormat, bom.metadata.component.name, bom.metadata.component.version], ['CycloneDX', 'tabernetes', version]);
  const bare = bom.components.filter(({ licenses, purl, version: known }) => !licenses?.length || !purl || !known).map(({ name }) => name);
  assert.deepEqual(bare, []);
  const openssl = bom.components.find(({ name }) => name === 'OpenSSL');
  assert.deepEqual([openssl.version, openssl.licenses[0].license.id, openssl.purl], ['3.0.20', 'Apache-2.0', 'pkg:generic/openssl@3.0.20']);
});
