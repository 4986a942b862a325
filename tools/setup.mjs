#!/usr/bin/env node
// Prepares a bare machine for building and testing: system packages, then the JavaScript tools. Leaves alone what
// exists, so a second run only checks. `node tools/setup.mjs [native|build|test]` (each needs more; default: test).
//
// Tried on Debian 12; package names cover Debian 13 and Ubuntu 24.04.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { osRelease } from './lib/apt.mjs';
import { ask, atLeast, main, note, run, steps, top, Trouble, which } from './lib/run.mjs';

const version = (program, ...args) => ask(program, ...args)?.match(/\d+(\.\d+)+/)?.[0] ?? '0';
const isDebian = () => osRelease().id === 'debian';

const browsers = join(top, 'build', 'tools', 'browsers');

/** Returns the path of Chromium: $CHROMIUM, one of the system, or one that Playwright installed. */
export function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const installed = ['chromium', 'google-chrome', 'google-chrome-stable'].map(which).find(Boolean);
  if (installed) return installed;
  const brought = existsSync(browsers) ? readdirSync(browsers).filter((d) => d.startsWith('chromium-')) : [];
  return brought
    .flatMap((d) => ['chrome-linux', 'chrome-linux64'].map((arch) => join(browsers, d, arch, 'chrome')))
    .find(existsSync);
}

// Ubuntu has Chromium only as a snap, which containers cannot run.
const isUbuntu = () => osRelease().id === 'ubuntu';

async function bringChromium() {
  if (chromium()) return note('all there');
  await run(process.execPath, ['node_modules/playwright-core/cli.js', 'install', ...(asRoot() ? ['--with-deps'] : []), 'chromium'], {
    env: { PLAYWRIGHT_BROWSERS_PATH: browsers },
  });
}

function sqliteVersion() {
  const header = '/usr/include/sqlite3.h';
  const text = existsSync(header) ? readFileSync(header, 'utf8') : '';
  return text.match(/#define SQLITE_VERSION\s+"([\d.]+)"/)?.[1] ?? '0';
}

function boostVersion() {
  const header = '/usr/include/boost/version.hpp';
  const n = existsSync(header) ? Number(readFileSync(header, 'utf8').match(/define BOOST_VERSION (\d+)/)?.[1]) : 0;
  return `${Math.floor(n / 100000)}.${Math.floor(n / 100) % 1000}`;
}

/** Returns true if Clang's compiler-rt exists: Clang prints its full path if so, otherwise the bare name. */
function hasCompilerRt() {
  const arch = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return [`libclang_rt.fuzzer-${arch}.a`, 'libclang_rt.fuzzer.a'].some((f) => ask('clang', `--print-file-name=${f}`)?.includes('/'));
}

const hasMimalloc = () =>
  ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib', '/usr/local/lib'].some((dir) => existsSync(join(dir, 'libmimalloc.so')));

// The requirements. `packages`: names in order of preference; the first that the system knows is installed. `for`:
// 'page', 'release', 'other processor' or 'test'; the native server if left out.
const kNeeds = [
  { what: 'Clang 14 or newer', have: () => atLeast(version('clang++', '--version'), '14'), packages: ['clang'] },
  { what: 'CMake 3.23 or newer', have: () => atLeast(version('cmake', '--version'), '3.23'), packages: ['cmake'] },
  { what: 'Ninja', have: () => which('ninja'), packages: ['ninja-build'] },
  { what: 'Emscripten', have: () => which('emcc'), packages: ['emscripten'], for: 'page' },
  { what: 'acorn for Emscripten', have: () => !isDebianEmscripten() || existsSync('/usr/share/nodejs/acorn'), packages: ['node-acorn'], for: 'page' },
  { what: 'Boost 1.81 or newer', have: () => atLeast(boostVersion(), '1.81'), packages: ['libboost1.81-dev', 'libboost-dev'] },
  { what: 'zlib', have: () => existsSync('/usr/include/zlib.h'), packages: ['zlib1g-dev'] },
  { what: 'OpenSSL', have: () => existsSync('/usr/include/openssl/ssl.h'), packages: ['libssl-dev'] },
  { what: 'SQLite 3.40 or newer', have: () => atLeast(sqliteVersion(), '3.40'), packages: ['libsqlite3-dev'] },
  { what: 'nghttp2', have: () => existsSync('/usr/include/nghttp2/nghttp2.h'), packages: ['libnghttp2-dev'] },
  { what: 'mimalloc', have: hasMimalloc, packages: ['libmimalloc-dev'] },
  { what: 'xz', have: () => which('xz'), packages: ['xz-utils'] },
  { what: 'bzip2', have: () => which('bzip2'), packages: ['bzip2'] },
  { what: 'certificates', have: () => existsSync('/etc/ssl/certs/ca-certificates.crt'), packages: ['ca-certificates'] },
  { what: "Debian's archive keys", have: () => !isDebian() || existsSync('/usr/share/keyrings/debian-archive-trixie-stable.gpg'), packages: ['debian-archive-keyring'] },
  { what: 'pip', have: () => ask('python3', '-m', 'pip', '--version'), packages: ['python3-pip'], for: 'release' },
  { what: 'make', have: () => which('make'), packages: ['make'], for: 'release' },
  { what: 'Perl', have: () => ask('perl', '-MFile::Compare', '-MIPC::Cmd', '-e', '1') !== undefined, packages: ['perl'], for: 'release' },
  { what: 'qemu', have: () => which('qemu-aarch64-static'), packages: ['qemu-user-static'], for: 'other processor' },
  { what: "Clang's sanitizers and libFuzzer", have: hasCompilerRt, packages: ['libclang-rt-dev', 'libclang-rt-18-dev', 'libclang-rt-14-dev'], for: 'test' },
  { what: 'clang-format', have: () => which('clang-format'), packages: ['clang-format'], for: 'test' },
  { what: 'clang-tidy', have: () => which('clang-tidy'), packages: ['clang-tidy'], for: 'test' },
  { what: 'etcd', have: () => which('etcd'), packages: ['etcd-server'], for: 'test' },
  { what: 'RE2', have: () => existsSync('/usr/include/re2/re2.h'), packages: ['libre2-dev'], for: 'test' },
  { what: 'unzip', have: () => which('unzip'), packages: ['unzip'], for: 'test' },
  { what: 'Xvfb, for Cypress', have: () => which('Xvfb'), packages: ['xvfb'], for: 'test' },
  { what: 'GTK 3, for Cypress', have: () => existsSync('/usr/lib/x86_64-linux-gnu/libgtk-3.so.0') || process.arch !== 'x64', packages: ['libgtk-3-0', 'libgtk-3-0t64'], for: 'test' },
  { what: 'Chromium', have: () => isUbuntu() || chromium(), packages: ['chromium'], for: 'test' },
];

function isDebianEmscripten() {
  return existsSync('/usr/share/emscripten');
}

function checkNode() {
  if (!atLeast(process.versions.node, '20')) throw new Trouble(`Node.js 20 or newer is needed; this is ${process.versions.node}`);
}

/** Returns the command prefix for root: [] as root, ['sudo', '-n'] if sudo needs no password, otherwise undefined. */
function asRoot() {
  if (process.getuid?.() === 0) return [];
  return which('sudo') && ask('sudo', '-n', 'true') !== undefined ? ['sudo', '-n'] : undefined;
}

// The `for` values that each purpose installs.
const kPurposes = {
  native: ['native'],
  build: ['native', 'page'],
  release: ['native', 'page', 'release', 'other processor'],
  test: ['native', 'page', 'release', 'test'],
};

const missingOf = (purpose) => kNeeds.filter((need) => kPurposes[purpose].includes(need.for ?? 'native') && !need.have());

async function installPackages(purpose) {
  let missing = missingOf(purpose);
  if (missing.length === 0) return note('all there');
  const list = () => missing.map((need) => `  ${need.what.padEnd(34)} ${need.packages.join(' or ')}`).join('\n');
  const root = asRoot();
  if (!existsSync('/usr/bin/apt-get') || !root) {
    const why = root ? 'This system has no apt-get' : 'Installing needs root or a sudo that asks for no password';
    throw new Trouble(`${why}.\nPlease install these and run the same command again (names of the packages on Debian and Ubuntu):\n${list()}`);
  }
  note(`missing:\n${list()}`);
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
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return note('all there');
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  writeFileSync(stamp, lock);
}

const packages = (purpose, seconds) => ({ name: 'System packages', seconds, body: () => (checkNode(), installPackages(purpose)) });
const javaScript = { name: 'JavaScript tools', seconds: 15, body: installJavaScript };
const sources = { name: 'Third-party sources', seconds: 15, body: () => run(process.execPath, ['tools/third_party.mjs']) };

/**
 * Returns the steps that prepare the machine for `purpose`: 'native' (the server alone), 'build', 'release' or 'test'.
 */
export function setupSteps(purpose) {
  if (purpose === 'native') return [packages(purpose, 40), sources];
  return [
    packages(purpose, purpose === 'test' ? 120 : 60),
    javaScript,
    sources,
    ...(purpose === 'test' && isUbuntu() ? [{ name: 'Chromium', seconds: 30, body: bringChromium }] : []),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const purpose = process.argv[2] in kPurposes ? process.argv[2] : 'test';
  await main(() => steps(setupSteps(purpose)));
}
