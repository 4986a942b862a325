#!/usr/bin/env node
// Builds the release for this machine's processor in build/release-test, then tests each part as a user gets it. (`npm
// run release -- --verify` builds the other processor's, and runs it under qemu.) With `build` it builds the binary only.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { main, run, seconds, top } from '../../tools/lib/run.mjs';
import { packRelease } from '../../tools/release.mjs';
import { buildStatic } from '../../tools/release/native.mjs';

const kFolder = 'tests/release';

await main(async () => {
  const out = join(top, 'build', 'release-test');
  let start = Date.now();
  const binary = await buildStatic(process.arch);
  console.log(`static binary: ${seconds(start)}`);
  if (process.argv[2] === 'build') return;
  start = Date.now();
  await packRelease(out, { [process.arch]: binary });
  console.log(`packages, archives, image: ${seconds(start)}`);
  const tests = readdirSync(join(top, kFolder)).filter((name) => name.endsWith('.test.mjs')).map((name) => join(kFolder, name));
  const { code } = await run(process.execPath, ['--test', ...tests], { check: false, env: { TABERNETES_RELEASE: out, TABERNETES_STATIC: binary } });
  process.exitCode = code;
});
