#!/usr/bin/env node
// `npm run bench [-- names] [--json FILE]`: builds what the benchmarks need, then runs them (bench/run.mjs).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildPreset, buildSteps } from './build.mjs';
import { main, steps, top } from './lib/run.mjs';
import { setupSteps } from './setup.mjs';

await main(async () => {
  await steps([
    ...setupSteps('build'),
    ...buildSteps(),
    { name: 'Load generator and micro-benchmarks', seconds: 60, body: () => buildPreset('release', 'benchmarks') },
  ]);
  const { status } = spawnSync(process.execPath, [join(top, 'bench', 'run.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
});
