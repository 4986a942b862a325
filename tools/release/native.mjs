// Builds the static binaries build/release-ARCH/bin/tabernetes, for every Linux kernel of the last ten years.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, top, Trouble } from '../lib/run.mjs';
import { staticLibraries } from './static_libraries.mjs';
import { kTargets, workFolder } from './zig.mjs';

// musl gives threads the stack size in the program's header, and 128 KiB if there is none.
const kStack = 8 << 20;

/** Throws unless `file` is a static executable for that processor: no loader, no other file. */
function checkStatic(file, arch) {
  const elf = readFileSync(file);
  if (elf.readUInt32BE(0) !== 0x7f454c46) throw new Trouble(`${file} is no ELF file`);
  if (elf.readUInt16LE(18) !== kTargets[arch].machine) throw new Trouble(`${file} is for another machine`);
  const [at, size, count] = [Number(elf.readBigUInt64LE(32)), elf.readUInt16LE(54), elf.readUInt16LE(56)];
  const kinds = Array.from({ length: count }, (_, i) => elf.readUInt32LE(at + i * size));
  if (kinds.includes(3)) throw new Trouble(`${file} asks for a loader`);
  if (elf.includes(top)) throw new Trouble(`${file} names ${top}`);
}

/** Builds the binary for `arch` and returns its path. `again` builds it in a second folder. */
export async function buildStatic(arch, { again = false } = {}) {
  const { prefix, programs } = await staticLibraries(arch, { again });
  const build = join(workFolder(again), `release-${arch}`);
  mkdirSync(build, { recursive: true });
  const settings = {
    CMAKE_TOOLCHAIN_FILE: join(top, 'cmake', 'zig.cmake'),
    TAB_ZIG_BIN: programs.bin,
    TAB_STATIC: prefix,
    TAB_PROCESSOR: kTargets[arch].triple.split('-')[0],
    CMAKE_BUILD_TYPE: 'Release',
    CMAKE_C_FLAGS_RELEASE: '-O2 -g0 -DNDEBUG -ffunction-sections -fdata-sections',
    CMAKE_CXX_FLAGS_RELEASE: '-O2 -g0 -DNDEBUG -ffunction-sections -fdata-sections',
    CMAKE_EXE_LINKER_FLAGS: `-static -s -Wl,--gc-sections -Wl,-z,stack-size=${kStack}`,
    TABERNETES_DEVELOPER_MODE: 'OFF',
    TABERNETES_TESTS: 'OFF',
    // A compiler cache may write paths in its own way, and the bytes must not depend on it.
    CMAKE_C_COMPILER_LAUNCHER: '',
    CMAKE_CXX_COMPILER_LAUNCHER: '',
  };
  const flags = Object.entries(settings).map(([key, value]) => `-D${key}=${value}`);
  await run('cmake', ['-S', top, '-B', build, '-G', 'Ninja', ...flags], { quiet: true });
  await run('cmake', ['--build', build, '--target', 'tabernetes'], { quiet: true });
  const binary = join(build, 'bin', 'tabernetes');
  checkStatic(binary, arch);
  return binary;
}
