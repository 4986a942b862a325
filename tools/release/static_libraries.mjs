// Builds OpenSSL, zlib, SQLite, nghttp2 and mimalloc for a static binary, and links Boost's headers: build/static/ARCH/{include,lib}.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run, top, Trouble } from '../lib/run.mjs';
import { kTargets, toolchain, workFolder } from './zig.mjs';

const sources = join(top, 'build', 'third_party');
const kSources = ['openssl', 'zlib', 'sqlite3', 'nghttp2', 'mimalloc'];
const kFlags = ['-O2', '-g0', '-fPIC', '-ffunction-sections', '-fdata-sections'];

// An HTTPS client needs TLS 1.2 and 1.3 with the suites of Go's clients and servers, and X.509.
const kWithout = [
  'shared', 'tests', 'engine', 'dso', 'module', 'legacy', 'async', 'comp', 'cms', 'ts', 'srp', 'psk', 'ssl3', 'dtls', 'idea',
  'seed', 'camellia', 'aria', 'bf', 'cast', 'md4', 'mdc2', 'rc2', 'rc4', 'rmd160', 'sm2', 'sm3', 'sm4', 'whirlpool', 'scrypt',
  'siphash', 'blake2', 'gost', 'ocsp', 'ct', 'cmp', 'rfc3779', 'sctp', 'ui-console', 'nextprotoneg',
];

/** Builds OpenSSL. Its folder of certificates is that of Debian and Alpine. */
async function openssl(arch, { bin }, build, prefix) {
  const scratch = join(build, 'openssl');
  mkdirSync(scratch, { recursive: true });
  // OpenSSL stores the compiler's command line as a text, so that must not contain a path.
  const env = { CC: 'cc', AR: 'ar', RANLIB: 'ranlib', PATH: `${bin}:${process.env.PATH}`, SOURCE_DATE_EPOCH: '0' };
  const places = ['--prefix=/usr', '--openssldir=/etc/ssl', '--libdir=lib'];
  const options = [kTargets[arch].openssl, ...places, ...kWithout.map((name) => `no-${name}`), ...kFlags];
  await run('perl', [relative(scratch, join(sources, 'openssl', 'Configure')), ...options], { cwd: scratch, env, quiet: true });
  const jobs = `-j${availableParallelism()}`;
  await run('make', ['-s', jobs, 'build_generated'], { cwd: scratch, env, quiet: true });
  await run('make', ['-s', jobs, 'libcrypto.a', 'libssl.a'], { cwd: scratch, env, quiet: true });
  for (const name of ['libcrypto.a', 'libssl.a']) cpSync(join(scratch, name), join(prefix, 'lib', name));
  for (const from of [join(sources, 'openssl'), scratch]) {
    cpSync(join(from, 'include', 'openssl'), join(prefix, 'include', 'openssl'), { recursive: true });
  }
}

/** Compiles C files into lib/libNAME.a. */
async function library(name, { cc, ar }, build, prefix, from, files, flags) {
  const scratch = join(build, name);
  mkdirSync(scratch, { recursive: true });
  const objects = [];
  for (const file of files) {
    objects.push(file.replace(/.*\//, '').replace(/\.c$/, '.o'));
    await run(cc, [...kFlags, '-DNDEBUG', ...flags, '-c', join(from, file), '-o', objects.at(-1)], { cwd: scratch, quiet: true });
  }
  rmSync(join(prefix, 'lib', `lib${name}.a`), { force: true });
  await run(ar, ['qcD', join(prefix, 'lib', `lib${name}.a`), ...objects], { cwd: scratch, quiet: true });
}

async function zlib(programs, build, prefix) {
  const from = join(sources, 'zlib');
  const files = ['adler32', 'compress', 'crc32', 'deflate', 'gzclose', 'gzlib', 'gzread', 'gzwrite', 'infback', 'inffast', 'inflate', 'inftrees', 'trees', 'uncompr', 'zutil'];
  await library('z', programs, build, prefix, from, files.map((file) => `${file}.c`), ['-DHAVE_UNISTD_H']);
  for (const header of ['zlib.h', 'zconf.h']) cpSync(join(from, header), join(prefix, 'include', header));
}

async function sqlite(programs, build, prefix) {
  const from = join(sources, 'sqlite3', 'deps', 'sqlite3');
  await library('sqlite3', programs, build, prefix, from, ['sqlite3.c'], ['-DSQLITE_THREADSAFE=1', '-DSQLITE_OMIT_LOAD_EXTENSION', '-DSQLITE_DQS=0']);
  cpSync(join(from, 'sqlite3.h'), join(prefix, 'include', 'sqlite3.h'));
}

async function nghttp2(programs, build, prefix) {
  const from = join(sources, 'nghttp2', 'lib');
  const headers = join(prefix, 'include', 'nghttp2');
  mkdirSync(headers, { recursive: true });
  cpSync(join(from, 'includes', 'nghttp2', 'nghttp2.h'), join(headers, 'nghttp2.h'));
  const version = JSON.parse(readFileSync(join(top, 'third_party', 'manifest.json'), 'utf8')).sources.find(({ name }) => name === 'nghttp2').version;
  const number = version.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const text = readFileSync(join(from, 'includes', 'nghttp2', 'nghttp2ver.h.in'), 'utf8');
  writeFileSync(join(headers, 'nghttp2ver.h'), text.replace('@PACKAGE_VERSION@', version).replace('@PACKAGE_VERSION_NUM@', `0x${number.toString(16).padStart(6, '0')}`));
  const files = readdirSync(from).filter((file) => file.endsWith('.c')).sort();
  const flags = ['-DNGHTTP2_STATICLIB', '-DHAVE_ARPA_INET_H', '-DHAVE_NETINET_IN_H', '-DHAVE_TIME_H', '-DHAVE_DECL_STRERROR_R=1', '-I', join(prefix, 'include')];
  await library('nghttp2', programs, build, prefix, from, files, flags);
}

/** Builds mimalloc as one object, as its authors suggest for static binaries: it replaces malloc and operator new. */
async function mimalloc(programs, build, prefix) {
  const from = join(sources, 'mimalloc');
  const flags = ['-DMI_MALLOC_OVERRIDE', '-ftls-model=local-exec', '-fvisibility=hidden', '-I', join(from, 'include')];
  await library('mimalloc', programs, build, prefix, from, ['src/static.c'], flags);
}

/** Links the machine's Boost headers, so that the compiler sees nothing else of /usr/include. */
function boost(prefix) {
  const headers = ['/usr/include/boost', '/usr/local/include/boost'].find((path) => existsSync(path));
  if (!headers) throw new Trouble('the headers of Boost are missing: node tools/setup.mjs');
  const link = join(prefix, 'include', 'boost');
  rmSync(link, { force: true });
  symlinkSync(headers, link);
}

/** Builds the libraries unless they exist, and returns { prefix, programs }. */
export async function staticLibraries(arch, { again = false } = {}) {
  const programs = await toolchain(arch, { again });
  await run(process.execPath, ['tools/third_party.mjs', ...kSources], { quiet: true });
  const prefix = join(workFolder(again), 'static', arch);
  const stamp = join(prefix, 'stamp');
  const hash = createHash('sha256');
  for (const file of ['static_libraries.mjs', 'toolchain.json']) hash.update(readFileSync(join(top, 'tools', 'release', file)));
  for (const name of kSources) hash.update(readFileSync(join(sources, `${name}.stamp`)));
  const mark = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === mark) return { prefix, programs };

  const build = `${prefix}.build`;
  for (const folder of [prefix, build]) rmSync(folder, { recursive: true, force: true });
  for (const folder of ['lib', 'include']) mkdirSync(join(prefix, folder), { recursive: true });
  boost(prefix);
  await zlib(programs, build, prefix);
  await sqlite(programs, build, prefix);
  await nghttp2(programs, build, prefix);
  await mimalloc(programs, build, prefix);
  await openssl(arch, programs, build, prefix);
  rmSync(build, { recursive: true });
  writeFileSync(stamp, mark);
  return { prefix, programs };
}
