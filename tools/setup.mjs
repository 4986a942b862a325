#!/usr/bin/env node
// Makes a bare machine ready to build and test: system packages, then the JavaScript tools. What is there already is
// left alone, so a second run only looks. `node tools/setup.mjs [build|test]` (test, the default, needs more).
//
// Tried on Debian 12; package names cover Debian 13 and Ubuntu 24.04.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { osRelease } from './lib/apt.mjs';
import { ask, atLeast, main, run, steps, top, Trouble, which } from './lib/run.mjs';

const version = (program, ...args) => ask(program, ...args)?.match(/\d+(\.\d+)+/)?.[0] ?? '0';
const isDebian = () => osRelease().id === 'debian';

const browsers = join(top, 'build', 'tools', 'browsers');

/** The Chromium to drive: $CHROMIUM, one that the system has, or one that Playwright brought. */
export function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const installed = ['chromium', 'google-chrome', 'google-chrome-stable'].map(which).find(Boolean);
  if (installed) return installed;
  const brought = existsSync(browsers) ? readdirSync(browsers).filter((d) => d.startsWith('chromium-')) : [];
  return brought
    .flatMap((d) => ['chrome-linux', 'chrome-linux64'].map((arch) => join(browsers, d, arch, 'chrome')))
    .find(existsSync);
}

// Ubuntu has Chromium as a snap only, which containers cannot run.
const isUbuntu = () => osRelease().id === 'ubuntu';

async function bringChromium() {
  if (chromium()) return console.log('all there');
  await run(process.execPath, ['node_modules/playwright-core/cli.js', 'install', ...(asRoot() ? ['--with-deps'] : []), 'chromium'], {
    env: { PLAYWRIGHT_BROWSERS_PATH: browsers },
  });
}

function boostVersion() {
  const header = '/usr/include/boost/version.hpp';
  const n = existsSync(header) ? Number(readFileSync(header, 'utf8').match(/define BOOST_VERSION (\d+)/)?.[1]) : 0;
  return `${Math.floor(n / 100000)}.${Math.floor(n / 100) % 1000}`;
}

/** Clang names a file of its compiler-rt by path when it is there, and by its bare name when not. */
function hasCompilerRt() {
  const arch = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return [`libclang_rt.fuzzer-${arch}.a`, 'libclang_rt.fuzzer.a'].some((f) => ask('clang', `--print-file-name=${f}`)?.includes('/'));
}

const hasMimalloc = () =>
  ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib', '/usr/local/lib'].some((dir) => existsSync(join(dir, 'libmimalloc.so')));

// What must be there. `packages`: names in the order of preference, the first one that the system knows is taken.
const kNeeds = [
  { what: 'Clang 14 or newer', have: () => atLeast(version('clang++', '--version'), '14'), packages: ['clang'] },
  { what: 'CMake 3.23 or newer', have: () => atLeast(version('cmake', '--version'), '3.23'), packages: ['cmake'] },
  { what: 'Ninja', have: () => which('ninja'), packages: ['ninja-build'] },
  { what: 'Emscripten', have: () => which('emcc'), packages: ['emscripten'] },
  { what: 'acorn for Emscripten', have: () => !isDebianEmscripten() || existsSync('/usr/share/nodejs/acorn'), packages: ['node-acorn'] },
  { what: 'Boost 1.81 or newer', have: () => atLeast(boostVersion(), '1.81'), packages: ['libboost1.81-dev', 'libboost-dev'] },
  { what: 'zlib', have: () => existsSync('/usr/include/zlib.h'), packages: ['zlib1g-dev'] },
  { what: 'OpenSSL', have: () => existsSync('/usr/include/openssl/ssl.h'), packages: ['libssl-dev'] },
  { what: 'mimalloc', have: hasMimalloc, packages: ['libmimalloc-dev'] },
  { what: 'xz', have: () => which('xz'), packages: ['xz-utils'] },
  { what: 'certificates', have: () => existsSync('/etc/ssl/certs/ca-certificates.crt'), packages: ['ca-certificates'] },
  { what: "Debian's archive keys", have: () => !isDebian() || existsSync('/usr/share/keyrings/debian-archive-trixie-stable.gpg'), packages: ['debian-archive-keyring'] },
  { what: "Clang's sanitizers and libFuzzer", have: hasCompilerRt, packages: ['libclang-rt-dev', 'libclang-rt-18-dev', 'libclang-rt-14-dev'], for: 'test' },
  { what: 'clang-format', have: () => which('clang-format'), packages: ['clang-format'], for: 'test' },
  { what: 'clang-tidy', have: () => which('clang-tidy'), packages: ['clang-tidy'], for: 'test' },
  { what: 'Chromium', have: () => isUbuntu() || chromium(), packages: ['chromium'], for: 'test' },
];

function isDebianEmscripten() {
  return existsSync('/usr/share/emscripten');
}

function checkNode() {
  if (!atLeast(process.versions.node, '20')) throw new Trouble(`Node.js 20 or newer is needed; this is ${process.versions.node}`);
}

/** How to become root: [] for root, ['sudo', '-n'] where sudo asks nothing, undefined otherwise. */
function asRoot() {
  if (process.getuid?.() === 0) return [];
  return which('sudo') && ask('sudo', '-n', 'true') !== undefined ? ['sudo', '-n'] : undefined;
}

const missingOf = (purpose) => kNeeds.filter((need) => (purpose === 'test' || need.for !== 'test') && !need.have());

async function installPackages(purpose) {
  let missing = missingOf(purpose);
  if (missing.length === 0) return console.log('all there');
  const list = () => missing.map((need) => `  ${need.what.padEnd(34)} ${need.packages.join(' or ')}`).join('\n');
  const root = asRoot();
  if (!existsSync('/usr/bin/apt-get') || !root) {
    const why = root ? 'This system has no apt-get' : 'Installing needs root or a sudo that asks for no password';
    throw new Trouble(`${why}.\nPlease install these and run the same command again (names of the packages on Debian and Ubuntu):\n${list()}`);
  }
  console.log(`missing:\n${list()}`);
  const [program, ...before] = [...root, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  const options = ['Acquire::Retries=3', 'DPkg::Lock::Timeout=300', 'Dpkg::Use-Pty=0'].flatMap((o) => ['-o', o]);
  const apt = (...args) => run(program, [...before, ...options, ...args]);
  await apt('update');
  const known = (name) => !/Candidate: \(none\)/.test(ask('apt-cache', 'policy', name) || 'Candidate: (none)');
  const names = missing.map((need) => need.packages.find(known) ?? need.packages[0]);
  await apt('install', '-y', '--no-install-recommends', ...new Set(names));
  missing = missingOf(purpose);
  if (missing.length) throw new Trouble(`Installed, but still missing:\n${list()}`);
}

async function installJavaScript() {
  const lock = createHash('sha256').update(readFileSync(join(top, 'package-lock.json'))).digest('hex');
  const stamp = join(top, 'node_modules', '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return console.log('all there');
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  writeFileSync(stamp, lock);
}

/** The steps that make the machine ready for `purpose`: 'build' or 'test'. */
export function setupSteps(purpose) {
  return [
    ['System packages', () => (checkNode(), installPackages(purpose))],
    ['JavaScript tools', installJavaScript],
    ['Third-party sources', () => run(process.execPath, ['tools/third_party.mjs'])],
    ...(purpose === 'test' && isUbuntu() ? [['Chromium', bringChromium]] : []),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => steps(setupSteps(process.argv[2] === 'build' ? 'build' : 'test')));
}
