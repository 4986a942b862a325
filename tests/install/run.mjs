// Installs the release build into a folder of its own, builds the project beside this file against it, and runs it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { main, run, top } from '../../tools/lib/run.mjs';

await main(async () => {
  const dir = join(top, 'build', 'install-test');
  const prefix = join(dir, 'prefix');
  rmSync(dir, { recursive: true, force: true });
  const commands = [
    ['cmake', '--install', join(top, 'build', 'release'), '--prefix', prefix],
    ['cmake', '-S', join(top, 'tests', 'install'), '-B', join(dir, 'build'), '-G', 'Ninja',
      `-DCMAKE_PREFIX_PATH=${prefix}`, '-DCMAKE_CXX_COMPILER=clang++', '-DCMAKE_BUILD_TYPE=Release'],
    ['cmake', '--build', join(dir, 'build')],
    [join(dir, 'build', 'consumer')],
  ];
  let passed = 0;
  for (const [program, ...args] of commands) {
    if ((await run(program, args, { check: false })).code !== 0) break;
    passed++;
  }
  const good = passed === commands.length;
  console.log(good ? '1 passed, 0 failed' : '0 passed, 1 failed');
  process.exitCode = good ? 0 : 1;
});
