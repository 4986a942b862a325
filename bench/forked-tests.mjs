// Fifty tests at once, each with a fork of one filled cluster, under Node's test runner and under Vitest: from the start of the
// process to its end. Each test is the little suite of tests/entries: create, list, apply, two watches, delete.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from './lib/native.mjs';

const kTests = 50;
const kRuns = 7;
const dist = new URL('../dist/index.js', import.meta.url);
const suite = new URL('../tests/entries/little_suite.mjs', import.meta.url);

export const doc = `${kTests} tests at once, each with a fork, from the start of the process to its end`;
export const missing = () => (existsSync(dist) ? undefined : 'dist/ is not built');

const filled = `Array.from({ length: 100 }, (_, i) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'filled-' + i, namespace: 'kube-public' } }))`;

const nodeTests = `
  import { describe, test } from 'node:test';
  import { createCluster } from ${JSON.stringify(dist)};
  import { littleSuite } from ${JSON.stringify(suite)};
  const cluster = await createCluster({ load: ${filled} });
  describe('forks', { concurrency: true }, () => {
    for (let i = 0; i < ${kTests}; i++) test('test ' + i, async () => {
      const fork = cluster.fork();
      await littleSuite(fork.fetch, '');
      fork.dispose();
    });
  });`;

const vitestTests = `
  import { test as base } from 'vitest';
  import { fixtures } from 'tabernetes/vitest';
  import { littleSuite } from './little_suite.mjs';
  const test = base.extend(fixtures({ load: ${filled} }));
  for (let i = 0; i < ${kTests}; i++) test.concurrent('test ' + i, async ({ cluster }) => {
    await littleSuite(cluster.fetch, '');
  });`;

/** Returns the seconds that each of some runs takes; each must say that all tests pass. */
async function times(start, passed) {
  const seconds = [];
  for (let i = 0; i < kRuns; i++) {
    const before = performance.now();
    const { stdout } = await start();
    seconds.push((performance.now() - before) / 1000);
    if (!passed.test(stdout)) throw new Error(`not all tests pass: ${stdout}`);
  }
  return seconds;
}

const row = (measure, seconds) => ({ measure, value: median(seconds), unit: 's', budget: 5 });

export async function run() {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const byNode = () => promisify(execFile)(process.execPath, ['--test-reporter=tap', '--input-type=module', '--eval', nodeTests], { cwd: folder });
  const rows = [row(`node:test, ${kTests} forks`, await times(byNode, new RegExp(`^# pass ${kTests}$`, 'm')))];
  try {
    const { projectWith } = await import('../tests/tools/project.mjs');
    const { tools } = await import('../tests/tools/versions.mjs');
    const project = await projectWith(tools.vitest.test);
    project.write('forked.test.js', vitestTests);
    const byVitest = () => project.run(process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--pool=forks', 'forked.test.js');
    rows.push(row(`Vitest, ${kTests} forks`, await times(byVitest, new RegExp(`Tests\\s+${kTests} passed`))));
  } catch (error) {
    console.error(`forked-tests: without Vitest, which cannot be installed or run: ${error.message.split('\n')[0]}`);
  }
  return rows;
}
