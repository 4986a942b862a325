#!/usr/bin/env node
// `npm run release`: fills release/ with everything that users install (see CONTRIBUTING.md), from this commit.
//
//   node tools/release.mjs [--arch x64,arm64] [--out FOLDER] [--no-build] [--verify]
//
// --no-build uses dist/ as it is. --verify builds the binaries and all of release/ a second time, in another folder and
// without caches, and compares the bytes.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSteps } from './build.mjs';
import { main, steps, top, Trouble } from './lib/run.mjs';
import { setupSteps } from './setup.mjs';
import { sha256, tarGz } from './release/archive.mjs';
import { version } from './release/commit.mjs';
import { makeDeb } from './release/deb.mjs';
import { placeInstalled } from './release/installed.mjs';
import { buildStatic } from './release/native.mjs';
import { packPackages } from './release/npm_packages.mjs';
import { makeImage } from './release/oci.mjs';
import { billOfMaterials } from './release/sbom.mjs';
import { kTargets, workFolder } from './release/zig.mjs';

async function makeArchive(out, arch, binary, scratch) {
  const name = `tabernetes-${version}-linux-${arch}`;
  const folder = join(scratch, 'archive');
  rmSync(folder, { recursive: true, force: true });
  placeInstalled(join(folder, name), binary);
  await tarGz(join(out, `${name}.tar.gz`), folder);
}

function writeChecksums(out) {
  const lines = readdirSync(out).sort().map((name) => `${sha256(readFileSync(join(out, name)))}  ${name}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
}

/** Packs everything into the empty folder `out`. `binaries` is { x64: path, … }. */
export async function packRelease(out, binaries) {
  const scratch = `${out}.scratch`;
  for (const folder of [out, scratch]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  await packPackages(out, scratch);
  for (const [arch, binary] of Object.entries(binaries)) {
    await makeArchive(out, arch, binary, scratch);
    await makeDeb(out, arch, binary, scratch);
  }
  await makeImage(out, binaries, scratch);
  writeFileSync(join(out, `tabernetes-${version}.cdx.json`), await billOfMaterials());
  writeChecksums(out);
  rmSync(scratch, { recursive: true });
}

/** Returns the names of files that are not the same, byte for byte, in two releases. */
export function differences(one, other) {
  const sums = [one, other].map((folder) => new Set(readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n')));
  return [...sums[0]].filter((line) => !sums[1].has(line)).map((line) => line.split('  ')[1]);
}

/** Starts the binary (under qemu if it is for another processor), sends it a request, and ends it. */
async function tryBinary(binary, arch) {
  const [program, ...before] = [...(arch === process.arch ? [] : [`qemu-${kTargets[arch].triple.split('-')[0]}-static`]), binary];
  const child = spawn(program, [...before, 'serve', '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const url = await Promise.race([ended.then(() => undefined), lineOf(child.stdout, /tabernetes ready (\S+)/)]);
  if (!url) throw new Trouble(`${binary} does not serve`);
  const { status } = await fetch(`${url}/api/v1/namespaces/default`);
  child.kill('SIGTERM');
  const code = await ended;
  if (status !== 200 || code !== 0) throw new Trouble(`${binary} answered ${status} and ended with ${code}`);
  console.log(`${binary} serves`);
}

function lineOf(stream, pattern) {
  let said = '';
  return new Promise((resolve) => {
    stream.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
      const found = said.match(pattern);
      if (found) resolve(found[1]);
    });
  });
}

async function compareWithSecond(out, archs) {
  rmSync(workFolder(true), { recursive: true, force: true });
  const binaries = {};
  for (const arch of archs) binaries[arch] = await buildStatic(arch, { again: true });
  await packRelease(`${out}.again`, binaries);
  const different = differences(out, `${out}.again`);
  if (different.length) throw new Trouble(`not the same bytes twice: ${different.join(', ')}`);
  for (const folder of [`${out}.again`, workFolder(true)]) rmSync(folder, { recursive: true });
  console.log('the same bytes twice');
}

const option = (name) => process.argv.find((arg, i) => process.argv[i - 1] === `--${name}`);
const flag = (name) => process.argv.includes(`--${name}`);

async function release() {
  const out = resolve(top, option('out') ?? 'release');
  const archs = (option('arch') ?? Object.keys(kTargets).join()).split(',');
  for (const arch of archs) if (!kTargets[arch]) throw new Trouble(`--arch knows ${Object.keys(kTargets).join(' and ')}, not ${arch}`);
  const binaries = {};
  const build = async (arch) => (binaries[arch] = await buildStatic(arch));
  const list = [
    ...(flag('no-build') ? [] : [...setupSteps('release'), ...buildSteps()]),
    ...archs.map((arch) => ({ name: `Static binary for ${arch}`, seconds: 240, body: () => build(arch) })),
    { name: 'Packages, archives, image', seconds: 20, body: () => packRelease(out, binaries) },
    { name: 'A request to each binary', seconds: 5, body: async () => { for (const arch of archs) await tryBinary(binaries[arch], arch); } },
    ...(flag('verify') ? [{ name: 'All of it again', seconds: 240 * archs.length, body: () => compareWithSecond(out, archs) }] : []),
  ];
  await steps(list, { log: join(top, 'build', 'logs', 'release.log') });
  for (const name of readdirSync(out).sort()) console.log(`${String(statSync(join(out, name)).size).padStart(10)}  ${name}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(release);
