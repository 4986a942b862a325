#!/usr/bin/env node
// `npm run stress -- [seconds] [seed]` or `build`: runs the native server under the thread sanitizer with concurrent load
// (tests/stress), by default for a minute with a random seed. npm test runs it briefly with a fixed seed.
import { buildPreset } from './build.mjs';
import { main, run } from './lib/run.mjs';

await main(async () => {
  const [seconds = '60', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
  await buildPreset('tsan', 'tabernetes');
  if (seconds === 'build') return;
  const { code } = await run(process.execPath, ['tests/stress/run.mjs', '--seconds', seconds, '--seed', seed], { check: false });
  process.exitCode = code;
});
