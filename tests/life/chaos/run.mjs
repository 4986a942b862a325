#!/usr/bin/env node
// Random histories of a cluster, with what must hold at every moment and at rest (invariants.mjs). A failure prints the seed
// and the steps. With two hosts, the same seed must end in the same bytes on both.
//
//   node tests/life/chaos/run.mjs [--seed N] [--runs N] [--steps N] [--host native|wasm-node[,…]] [--verbose]

import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Api } from '../player/api.mjs';
import { startServer } from '../player/server.mjs';
import { Chaos } from './chaos.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '5' },
    steps: { type: 'string', default: '40' },
    host: { type: 'string', default: 'native' },
    verbose: { type: 'boolean', default: false },
  },
});

async function bytesOf(api) {
  const { json } = await api.get('/-/tabernetes/snapshot');
  return createHash('sha256').update(JSON.stringify(json)).digest('hex');
}

/** Runs a history on a server of its own. Returns { faults, steps, bytes }, the bytes as their hash. */
async function runOn(host, seed) {
  const server = await startServer(host, ['--clock', '2026-01-01T00:00:00Z', '--seed', String(seed), '--nodes', '3']);
  const api = new Api(server.url);
  const chaos = new Chaos(api, seed);
  try {
    const faults = await chaos.run(Number(values.steps)).catch((error) => [error.message]);
    return { faults, steps: chaos.steps, bytes: faults.length ? undefined : await bytesOf(api) };
  } finally {
    api.close();
    await server.stop();
  }
}

let passed = 0;
let failed = 0;
function conclude(name, faults, steps = []) {
  if (faults.length === 0) passed++;
  else failed++;
  if (faults.length) console.log([`FAILED: ${name}`, ...steps.map((step) => `    ${step}`), ...faults.slice(0, 5).map((fault) => `  ${fault}`)].join('\n'));
  else if (values.verbose) console.log(`ok: ${name}`);
}

const hosts = values.host.split(',');
for (let run = 0; run < Number(values.runs); run++) {
  const seed = Number(values.seed) + run;
  const ends = [];
  for (const host of hosts) {
    const { faults, steps, bytes } = await runOn(host, seed);
    conclude(`seed ${seed} on ${host}`, faults, steps);
    ends.push(bytes);
  }
  if (hosts.length > 1) conclude(`seed ${seed} ends in the same bytes on ${hosts.join(' and ')}`, new Set(ends).size === 1 ? [] : [`the ends are ${ends.join(', ')}`]);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
