// Tests the archive, the Debian package and the image, each in a file system that has nothing else.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from '../../tools/release/archive.mjs';
import { epoch, time } from '../../tools/release/commit.mjs';
import { kTargets } from '../../tools/release/zig.mjs';
import { execute, file, insideRoot, newFolder, start, version } from './support.mjs';

const { debian, oci } = kTargets[process.arch];
const kNobody = [65534, 65534];

/** Creates a namespace, reads it, opens the page, and ends the server. */
async function tryServer(program, args, { page = true } = {}) {
  const server = await start(program, args);
  const created = await fetch(`${server.url}/api/v1/namespaces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"metadata":{"name":"shop"}}',
  });
  assert.equal(created.status, 201);
  const read = await (await fetch(`${server.url}/api/v1/namespaces/shop`)).json();
  assert.deepEqual([read.kind, read.status.phase], ['Namespace', 'Active']);
  const ui = await fetch(`${server.url}/ui/`);
  assert.equal(ui.status, page ? 200 : 404);
  if (page) assert.match(await ui.text(), /<title>tabernetes/);
  assert.equal(await server.stop(), 0);
}

async function unpackedArchive() {
  const root = newFolder();
  const name = `tabernetes-${version}-linux-${process.arch}`;
  await execute('tar', ['-xzf', file(`${name}.tar.gz`), '-C', root]);
  return { root, name };
}

test('the archive: a program, a page, documents', async () => {
  const { root, name } = await unpackedArchive();
  const folder = join(root, name);
  assert.deepEqual(readdirSync(folder), ['bin', 'share']);
  assert.deepEqual(readdirSync(join(folder, 'share/doc/tabernetes')), ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'THIRD_PARTY.md']);
  assert.equal(statSync(join(folder, 'bin/tabernetes')).mode & 0o777, 0o755);
  assert.equal(statSync(join(folder, 'bin/tabernetes')).mtimeMs, epoch * 1000);
});

test('the archive in an empty file system: no libc, no shell, no other file', async () => {
  const { root, name } = await unpackedArchive();
  const program = `/${name}/bin/tabernetes`;
  const { stdout } = await execute(...insideRoot(root, kNobody, [program, 'version']));
  assert.equal(stdout, `tabernetes ${version} (Kubernetes 1.36)\n`);
  await tryServer(...insideRoot(root, kNobody, [program, 'serve', '--listen', '127.0.0.1:0']));
});

test('the Debian package: installed by dpkg into an empty root, run there, removed', async () => {
  const root = newFolder();
  const admin = join(root, 'var/lib/dpkg');
  for (const folder of ['info', 'updates', 'triggers']) mkdirSync(join(admin, folder), { recursive: true });
  for (const name of ['status', 'available']) writeFileSync(join(admin, name), '');
  const dpkg = (...args) => execute('dpkg', [`--root=${root}`, '--force-not-root', '--force-bad-path', '--log=/dev/null', ...args]);
  await dpkg('--install', file(`tabernetes_${version}_${debian}.deb`));
  const status = await execute('dpkg-query', [`--admindir=${admin}`, '-W', '-f=${db:Status-Abbrev}${Architecture} [${Depends}]', 'tabernetes']);
  assert.equal(status.stdout, `ii ${debian} []`);
  assert.deepEqual(readdirSync(join(root, 'usr/share/doc/tabernetes')), ['CHANGELOG.md', 'README.md', 'SECURITY.md', 'THIRD_PARTY.md', 'changelog.gz', 'copyright']);
  await tryServer(...insideRoot(root, kNobody, ['/usr/bin/tabernetes', 'serve', '--listen', '127.0.0.1:0']));
  await dpkg('--purge', 'tabernetes');
  assert.throws(() => statSync(join(root, 'usr/bin/tabernetes')), /ENOENT/);
});

/** Returns a function that reads the blob of a descriptor, after a check of its size and digest. */
function blobReader(layout) {
  return ({ digest, size }) => {
    const bytes = readFileSync(join(layout, 'blobs', ...digest.split(':')));
    assert.deepEqual([bytes.length, `sha256:${sha256(bytes)}`], [size, digest]);
    return bytes;
  };
}

test('the image: its file system, started as its configuration says', async () => {
  const layout = newFolder();
  await execute('tar', ['-xf', file(`tabernetes-${version}-image.tar`), '-C', layout]);
  const read = blobReader(layout);
  const json = (descriptor) => JSON.parse(read(descriptor));
  assert.deepEqual(JSON.parse(readFileSync(join(layout, 'oci-layout'), 'utf8')), { imageLayoutVersion: '1.0.0' });
  const [top] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests;
  assert.deepEqual(top.annotations, { 'org.opencontainers.image.ref.name': version });
  const [image, ...others] = json(top).manifests;
  assert.deepEqual([image.platform, others], [{ architecture: oci, os: 'linux' }, []]);
  const manifest = json(image);
  const { architecture, os, created, config, rootfs } = json(manifest.config);
  assert.deepEqual([architecture, os, created], [oci, 'linux', time]);
  assert.deepEqual(
    [config.User, config.Entrypoint, config.Cmd, config.WorkingDir, config.ExposedPorts],
    ['65532:65532', ['/usr/bin/tabernetes'], ['serve', '--listen', '0.0.0.0:8001'], '/', { '8001/tcp': {} }],
  );
  assert.ok(statSync(file(`tabernetes-${version}-image.tar`)).size < 9_000_000);

  const root = newFolder();
  const layer = join(layout, 'layer.tar');
  const [descriptor, ...more] = manifest.layers;
  assert.deepEqual(more, []);
  writeFileSync(`${layer}.gz`, read(descriptor));
  await execute('gzip', ['-d', `${layer}.gz`]);
  assert.deepEqual(rootfs, { type: 'layers', diff_ids: [`sha256:${sha256(readFileSync(layer))}`] });
  await execute('tar', ['-xf', layer, '-C', root, '--no-same-owner']);
  // The configured port may be in use on this machine; a container has one of its own.
  const command = [...config.Entrypoint, ...config.Cmd.map((word) => word.replace(':8001', ':0'))];
  await tryServer(...insideRoot(root, config.User.split(':'), command));
});
