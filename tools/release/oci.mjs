// Builds an image as an OCI archive (image-spec 1.1), from files alone: one layer, one non-root user.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzip, sha256, tar } from './archive.mjs';
import { packageJson, revision, time, version } from './commit.mjs';
import { placeInstalled } from './installed.mjs';
import { kTargets } from './zig.mjs';

const kUser = '65532:65532';
const kType = (kind) => `application/vnd.oci.image.${kind}`;
const kPort = 8001;

const labels = {
  'org.opencontainers.image.title': 'tabernetes',
  'org.opencontainers.image.description': packageJson.description,
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.revision': revision,
  'org.opencontainers.image.created': time,
  'org.opencontainers.image.licenses': packageJson.license,
  'org.opencontainers.image.source': packageJson.homepage,
};

/** The container's default command: everything on one port, on all addresses of the container. */
const runtime = {
  User: kUser,
  Env: ['PATH=/usr/bin'],
  Entrypoint: ['/usr/bin/tabernetes'],
  Cmd: ['serve', '--listen', `0.0.0.0:${kPort}`],
  WorkingDir: '/',
  ExposedPorts: { [`${kPort}/tcp`]: {} },
  Labels: labels,
  StopSignal: 'SIGTERM',
};

/** Adds `bytes` to the blobs of `layout` and returns their descriptor. */
function blob(layout, mediaType, bytes, more = {}) {
  const digest = sha256(bytes);
  writeFileSync(join(layout, 'blobs', 'sha256', digest), bytes);
  return { mediaType, digest: `sha256:${digest}`, size: bytes.length, ...more };
}

const json = (value) => Buffer.from(JSON.stringify(value));

async function image(layout, arch, binary, scratch) {
  const root = join(scratch, `image-${arch}`);
  rmSync(root, { recursive: true, force: true });
  placeInstalled(join(root, 'usr'), binary);
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc', 'passwd'), 'root:x:0:0:root:/:/sbin/nologin\ntabernetes:x:65532:65532::/:/sbin/nologin\n');
  writeFileSync(join(root, 'etc', 'group'), 'root:x:0:\ntabernetes:x:65532:\n');
  const file = join(scratch, `image-${arch}.tar`);
  await tar(file, root);
  const plain = readFileSync(file);
  const architecture = kTargets[arch].oci;
  const platform = { architecture, os: 'linux' };
  const layer = blob(layout, kType('layer.v1.tar+gzip'), gzip(plain));
  const history = [{ created: time, created_by: 'npm run release' }];
  const rootfs = { type: 'layers', diff_ids: [`sha256:${sha256(plain)}`] };
  const config = blob(layout, kType('config.v1+json'), json({ created: time, ...platform, config: runtime, rootfs, history }));
  const manifest = { schemaVersion: 2, mediaType: kType('manifest.v1+json'), config, layers: [layer] };
  return blob(layout, manifest.mediaType, json(manifest), { platform });
}

/** Writes release/tabernetes-VERSION-image.tar with an image for each of `binaries` ({ x64: path, … }). */
export async function makeImage(out, binaries, scratch) {
  const layout = join(scratch, 'layout');
  rmSync(layout, { recursive: true, force: true });
  mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true });
  const manifests = [];
  for (const [arch, binary] of Object.entries(binaries)) manifests.push(await image(layout, arch, binary, scratch));
  const index = { schemaVersion: 2, mediaType: kType('index.v1+json'), manifests };
  const annotations = { 'org.opencontainers.image.ref.name': version };
  const top = blob(layout, index.mediaType, json(index), { annotations });
  writeFileSync(join(layout, 'index.json'), json({ schemaVersion: 2, mediaType: index.mediaType, manifests: [top] }));
  writeFileSync(join(layout, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
  const file = join(out, `tabernetes-${version}-image.tar`);
  await tar(file, layout);
  return { file, size: statSync(file).size };
}
