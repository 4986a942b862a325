#!/usr/bin/env node
// Runs the conformance suite on one or more hosts and, with more than one, compares their answers byte for byte. See
// README.md.
//
//   node tests/conformance/run.mjs --host native|wasm-node|chromium|replay[,…]
//        [--only topic/name]… [--verbose] [--list-new-green]
//   UPDATE=1 rewrites not-yet-green.json from the (first) host's result.

import { parseArgs } from 'node:util';
import { loadNotYetGreen, loadScenarios, saveNotYetGreen } from './runner/files.mjs';
import { guessIssue } from './runner/issues.mjs';
import { matchesAny } from './runner/names.mjs';
import { compareHosts, describeDisagreement } from './runner/parity.mjs';
import { describeResult } from './runner/report.mjs';
import { judge } from './runner/suite.mjs';

const kHosts = ['native', 'wasm-node', 'chromium', 'replay'];

function options() {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: 'native' },
      only: { type: 'string', multiple: true, default: [] },
      verbose: { type: 'boolean', default: false },
      'list-new-green': { type: 'boolean', default: false },
    },
  });
  const hosts = values.host.split(',');
  const unknown = hosts.find((host) => !kHosts.includes(host));
  if (unknown !== undefined) throw new Error(`no host ${unknown}: there are ${kHosts.join(', ')}`);
  return { ...values, hosts };
}

async function runHost(host, { only, verbose }) {
  const started = Date.now();
  const { run } = await import(`./runner/hosts/${host}.mjs`);
  const report = (result) => verbose && console.log(`${result.failures.length ? 'red  ' : 'green'} ${result.name}`);
  const { results, port, crashes = [] } = await run({ only, report });
  console.log(`${host}: ${results.length} scenarios in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return { host, results, port, crashes };
}

// Reports the faults of one host. Returns [passed, failed].
function conclude({ host, results, crashes }, list, { verbose, 'list-new-green': listNewGreen }) {
  const { passed, failed, waiting, nowGreen } = judge(results, host === 'replay' ? {} : list);
  for (const result of failed) console.log(`\nFAILED on ${host}: ${describeResult(result)}`);
  if (verbose) for (const result of waiting) console.log(`\nnot yet green (${list[result.name].issue}): ${describeResult(result)}`);
  for (const result of nowGreen) console.log(listNewGreen ? result.name : `FAILED on ${host}: ${result.name}: now green: remove it from not-yet-green.json`);
  for (const crash of crashes) console.log(`FAILED on ${host}: ${crash}`);
  console.log(`${host}: ${passed.length} passed, ${failed.length} failed, ${waiting.length} not yet green, ${nowGreen.length} newly green`);
  return [passed.length, failed.length + nowGreen.length + crashes.length];
}

function concludeParity(runs, list) {
  const { agreed, disagreements } = compareHosts(runs, list);
  for (const disagreement of disagreements) console.log(`\nFAILED: ${describeDisagreement(disagreement)}`);
  console.log(`parity of ${runs.map(({ host }) => host).join(', ')}: ${agreed} agree, ${disagreements.length} differ`);
  return [agreed, disagreements.length];
}

function stale(list, names, only) {
  const known = new Set(names);
  return Object.keys(list).filter((name) => matchesAny(name, only) && !known.has(name));
}

function updateList(list, { results }, only) {
  const red = results.filter((result) => result.failures.length).map(({ name }) => name);
  const untouched = only.length ? Object.entries(list).filter(([name]) => !matchesAny(name, only)) : [];
  const entries = [...untouched, ...red.map((name) => [name, list[name] ?? guessIssue(name)])];
  saveNotYetGreen(Object.fromEntries(entries));
  console.log(`not-yet-green.json: ${entries.length} scenarios`);
}

const chosen = options();
const list = loadNotYetGreen();
const runs = [];
for (const host of chosen.hosts) runs.push(await runHost(host, chosen));

if (process.env.UPDATE === '1') updateList(list, runs[0], chosen.only);
const current = process.env.UPDATE === '1' ? loadNotYetGreen() : list;

const counts = runs.map((run) => conclude(run, current, chosen));
if (runs.length > 1) counts.push(concludeParity(runs, current));
const gone = stale(current, loadScenarios(chosen.only).map(({ name }) => name), chosen.only);
for (const name of gone) console.log(`FAILED: not-yet-green.json names ${name}, which is no scenario`);

const [passed, failed] = counts.reduce((sum, [ok, bad]) => [sum[0] + ok, sum[1] + bad], [0, gone.length]);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
