// The compiler of the static binaries (toolchain.json), downloaded through pip to build/tools, with wrapper programs
// per target that CMake and OpenSSL's Configure can call. Their output contains no path of this machine.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, top, Trouble } from '../lib/run.mjs';

const { package: kPackage, version, files } = JSON.parse(readFileSync(new URL('toolchain.json', import.meta.url), 'utf8'));

/** Build targets, by Node's name of the processor, which npm packages use too. */
export const kTargets = {
  x64: { triple: 'x86_64-linux-musl', openssl: 'linux-x86_64', debian: 'amd64', oci: 'amd64', machine: 62 },
  arm64: { triple: 'aarch64-linux-musl', openssl: 'linux-aarch64', debian: 'arm64', oci: 'arm64', machine: 183 },
};

const tools = join(top, 'build', 'tools');

/** Returns the folder for build files: build/, or build/again for a second build without caches. */
export const workFolder = (again) => join(top, 'build', ...(again ? ['again'] : []));

const home = join(tools, `zig-${version}`);
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Returns the wheel, from the shared downloads or from pip's index. */
async function wheel({ platform, sha256: wanted }) {
  const downloads = process.env.TABERNETES_CACHE ?? join(top, 'build', 'downloads');
  const known = join(downloads, wanted);
  if (existsSync(known) && sha256(readFileSync(known)) === wanted) return known;
  const scratch = join(downloads, `${kPackage}.${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  const only = ['--no-deps', '--only-binary=:all:', '--platform', platform, '--disable-pip-version-check'];
  await run('python3', ['-m', 'pip', 'download', '-q', `${kPackage}==${version}`, ...only, '-d', scratch], { quiet: true });
  const [file] = readdirSync(scratch);
  if (sha256(readFileSync(join(scratch, file))) !== wanted) throw new Trouble(`${file} is not the pinned file`);
  renameSync(join(scratch, file), known);
  rmSync(scratch, { recursive: true });
  return known;
}

function writeProgram(path, command, cache) {
  const quoted = `'${join(home, 'ziglang', 'zig')}'`;
  writeFileSync(path, `#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR='${cache}' ZIG_LOCAL_CACHE_DIR='${cache}'\nexec ${quoted} ${command} "$@"\n`);
  chmodSync(path, 0o755);
}

/** Installs the programs for `arch` and returns { bin, cc, ar }; the folder `bin` contains cc, c++, ar and ranlib. */
export async function toolchain(arch, { again = false } = {}) {
  const { triple } = kTargets[arch];
  const wanted = files[process.arch];
  if (!wanted) throw new Trouble(`no compiler for releases on ${process.arch}`);
  if (!existsSync(join(home, 'ziglang', 'zig'))) {
    const scratch = `${home}.${process.pid}`;
    mkdirSync(scratch, { recursive: true });
    await run('python3', ['-m', 'zipfile', '-e', await wheel(wanted), scratch], { quiet: true });
    chmodSync(join(scratch, 'ziglang', 'zig'), 0o755);
    renameSync(scratch, home);
  }
  const bin = again ? join(workFolder(true), 'bin', triple) : join(home, 'bin', triple);
  const cache = join(again ? workFolder(true) : tools, 'zig-cache');
  const maps = [`'${top}'=.`, ...(again ? [`'${workFolder(true)}'=./build`] : [])];
  mkdirSync(bin, { recursive: true });
  const compile = [`-target ${triple}`, ...maps.map((map) => `-ffile-prefix-map=${map}`)].join(' ');
  const program = { cc: `cc ${compile}`, 'c++': `c++ ${compile}`, ar: 'ar', ranlib: 'ranlib' };
  for (const [name, command] of Object.entries(program)) writeProgram(join(bin, name), command, cache);
  return { bin, cc: join(bin, 'cc'), ar: join(bin, 'ar') };
}
