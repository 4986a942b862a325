#!/usr/bin/env node
// `npm run fuzz -- TARGET [seconds]`: runs one optimised fuzz target, for a minute by default. `--all SECONDS` (part of
// npm test): runs every target of the sanitizer build for SECONDS each.
//
// The targets wire-… send damaged bytes to the native server (tests/fuzz/wire); the others are libFuzzer's.
//
// Inputs that crash are kept in build/fuzz-found/PRESET/TARGET. Add a file to tests/fuzz/corpus/TARGET once the crash
// is understood.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildPreset } from './build.mjs';
import { main, run, top, Trouble } from './lib/run.mjs';

/** The targets in tests/CMakeLists.txt. */
const targets = [...readFileSync(join(top, 'tests', 'CMakeLists.txt'), 'utf8').matchAll(/^tab_fuzz\((\w+)/gm)].map((m) => m[1]);

const kWire = 'wire-';
const wireTargets = ['http1', 'http2', 'websocket', 'tls'].map((name) => kWire + name);

async function fuzz(preset, target, time) {
  if (target.startsWith(kWire)) {
    const { code } = await run(process.execPath, ['tests/fuzz/wire/run.mjs', target.slice(kWire.length), String(time)], { check: false });
    return code === 0;
  }
  const found = join(top, 'build', 'fuzz-found', preset, target);
  if (preset === 'dev') rmSync(found, { recursive: true, force: true }); // short runs start from the corpus alone
  mkdirSync(found, { recursive: true });
  const corpus = join(top, 'tests', 'fuzz', 'corpus', target);
  const { code } = await run(
    join(top, 'build', preset, 'bin', `fuzz_${target}`),
    [found, ...(existsSync(corpus) ? [corpus] : []), `-max_total_time=${time}`, '-timeout=10', '-rss_limit_mb=4096',
      `-artifact_prefix=${found}-crash-`, '-print_final_stats=1', '-verbosity=0'],
    { check: false },
  );
  return code === 0;
}

await main(async () => {
  const [target, time] = process.argv.slice(2);
  if (target === '--all') {
    const results = [];
    const left = [...targets, ...wireTargets];
    const worker = async () => {
      for (let name = left.shift(); name; name = left.shift()) {
        console.log(`-- fuzz_${name}`);
        const good = await fuzz('dev', name, time ?? 8);
        console.log(`-- fuzz_${name}: ${good ? 'good' : 'FAILED'}`);
        results.push(good);
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, worker));
    const passed = results.filter(Boolean).length;
    console.log(`${passed} passed, ${results.length - passed} failed`);
    process.exitCode = passed === results.length ? 0 : 1;
    return;
  }
  if (![...targets, ...wireTargets].includes(target)) throw new Trouble(`usage: npm run fuzz -- TARGET [seconds]\ntargets: ${[...targets, ...wireTargets].join(' ')}`);
  await (target.startsWith(kWire) ? buildPreset('dev', 'tabernetes') : buildPreset('fuzz', `fuzz_${target}`));
  process.exitCode = (await fuzz('fuzz', target, time ?? 60)) ? 0 : 1;
});
