#!/usr/bin/env node
// `npm test`: sets up, builds, then runs every suite of tools/suites.mjs in order. The last line is `N passed, N
// failed`; the exit code is 1 if anything failed.
//
//   node tools/test.mjs [--only SUITE,…] [--no-build] [--list] [--verbose]
//
// The output of the suites is in build/test-logs, and shown with --verbose.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPreset, buildSteps } from './build.mjs';
import { main, run, seconds, steps, top, Trouble } from './lib/run.mjs';
import { failures, skipped } from './lib/counts.mjs';
import { chromium, setupSteps } from './setup.mjs';
import { suites } from './suites.mjs';

const option = (name) => process.argv.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3)
  ?? (process.argv.includes(`--${name}`) ? process.argv[process.argv.indexOf(`--${name}`) + 1] ?? '' : undefined);

const verbose = process.argv.includes('--verbose');

/** Runs a command with the time that others leave. */
const kIdle = ['nice', '-n', '19'];

/**
 * Runs one suite and returns { passed, failed, why }: `why` contains the lines about failures. A suite without a count,
 * or with a bad exit code, counts as at least one failure.
 */
async function runSuite(suite, logs) {
  const [command, ...args] = suite.beside ? [...kIdle, ...suite.command] : suite.command;
  const { code, output } = await run(command, args, { check: false, quiet: !verbose || suite.beside, timeout: suite.timeout ?? 900, env: { CHROMIUM: chromium(), ...suite.env } });
  writeFileSync(join(logs, `${suite.name}.log`), output);
  const { passed, failed } = suite.count(output);
  const bad = failed || (code !== 0 || passed === 0 ? 1 : 0);
  const tail = output.trimEnd().split('\n').slice(-40);
  const found = bad ? failures(output) : [];
  return { passed, failed: bad, left: skipped(output), why: bad && found.length === 0 ? tail : found };
}

/**
 * Runs the preparations of these suites in order, with the lowest priority, beside what else runs. Returns { suite name:
 * promise of the end }. A failure is left to the suite, which builds again and shows it.
 */
function prepareAll(chosen) {
  const ends = {};
  let last = Promise.resolve();
  for (const { name, prepare } of chosen) {
    if (prepare) last = ends[name] = last.then(() => run(kIdle[0], [...kIdle.slice(1), ...prepare], { check: false, quiet: true })).catch(() => {});
  }
  return ends;
}

await main(async () => {
  const only = option('only')?.split(',');
  const chosen = suites.filter((s) => !only || only.includes(s.name));
  if (process.argv.includes('--list')) return console.log(suites.map((s) => `${s.name.padEnd(22)} ${s.doc}`).join('\n'));
  if (!process.argv.includes('--no-build')) {
    try {
      const sanitized = { name: 'Build with sanitizers', seconds: 300, body: () => buildPreset('dev') };
      await steps([...setupSteps('test'), sanitized, ...buildSteps()], { log: join(top, 'build', 'test-logs', 'build.log') });
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      console.log(`\n${error.message}\n0 passed, 1 failed`);
      process.exitCode = 1;
      return;
    }
  }

  const logs = join(top, 'build', 'test-logs');
  mkdirSync(logs, { recursive: true });
  const rows = [];
  const prepared = prepareAll(chosen);
  const beside = Object.fromEntries(chosen.filter((suite) => suite.beside).map((suite) => [suite.name, runSuite(suite, logs)]));
  for (const [i, suite] of chosen.entries()) {
    const start = Date.now();
    console.log(`\n== suite ${i + 1}/${chosen.length}: ${suite.name} - ${suite.doc}`);
    await prepared[suite.name];
    const { passed, failed, left, why } = await (beside[suite.name] ?? runSuite(suite, logs));
    rows.push({ name: suite.name, passed, failed, why });
    console.log(`== ${suite.name}: ${passed} passed, ${failed} failed${left ? `, ${left} skipped: see build/test-logs` : ''} (${seconds(start)})`);
  }

  // Repeats the failures at the end, for readers who see only the last lines of a run.
  for (const r of rows) if (r.failed) console.log(`\n== what failed in ${r.name}\n${r.why.join('\n')}`);
  console.log('');
  for (const r of rows) console.log(`${r.failed ? 'FAILED' : 'ok    '}  ${r.name.padEnd(22)} ${r.passed} passed, ${r.failed} failed`);
  const sum = (key) => rows.reduce((n, row) => n + row[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') || !rows.length ? 1 : 0;
});
