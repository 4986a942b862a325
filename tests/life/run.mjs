#!/usr/bin/env node
// Replays recordings of a real control plane and compares what the control loops write. See README.md.
//
//   node tests/life/run.mjs [NAME…] [--host native|wasm-node[,…]] [--mode kubelets|nodes[,…]] [--verbose] [--limit N]
//        [--save DIR]
//   node tests/life/run.mjs [NAME…] --url BASE [--token T] [--mode MODE] [--keep]      on any server, in real time
// With two hosts, the histories must be the same, to the byte.
//   UPDATE=1 rewrites not-yet-green.json from the (first) host's result; new entries say which check failed first.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';
import { Api } from './player/api.mjs';
import { RealClock, ServerClock } from './player/clock.mjs';
import { compare } from './player/compare.mjs';
import { digestOf } from './player/digest.mjs';
import { LiveFeed, OrderedFeed } from './player/feeds.mjs';
import { historyOf } from './player/history.mjs';
import { replay } from './player/replay.mjs';
import { countOf, describe } from './player/report.mjs';
import { clearScene } from './player/scene.mjs';
import { kHosts, startServer } from './player/server.mjs';
import { short } from './player/text.mjs';
import { explained } from './player/traits.mjs';
import { readNotYetGreen, readRecording, recordingNames, writeNotYetGreen } from './recordings.mjs';

const kModes = ['kubelets', 'nodes'];

/** How long before the recorded start the server's clock begins: the nodes get ready meanwhile. */
const kLead = 20_000;

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      host: { type: 'string', default: 'native' },
      mode: { type: 'string', default: 'kubelets' },
      url: { type: 'string' },
      token: { type: 'string' },
      keep: { type: 'boolean', default: false },
      save: { type: 'string' },
      limit: { type: 'string', default: '12' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const known = recordingNames();
  const names = positionals.length ? positionals : known;
  const hosts = values.url ? ['url'] : values.host.split(',');
  const modes = values.mode.split(',');
  const wrong = [
    names.find((name) => !known.includes(name)),
    modes.find((mode) => !kModes.includes(mode)),
    values.url ? undefined : hosts.find((host) => !kHosts.includes(host)),
  ].find(Boolean);
  if (wrong) throw new Error(`there is no ${wrong}: recordings are in recordings/, hosts ${kHosts.join(', ')}, modes ${kModes.join(', ')}`);
  return { ...values, names, hosts, modes, limit: values.verbose ? Infinity : Number(values.limit) };
}

const tellAction = ({ t, do: what, status, rc, ok, last }, { method, path, args, kind, name, seconds }) => {
  const words = [method, path, args?.join(' '), kind, name, seconds].filter((word) => word !== undefined);
  console.log(`  ${t.toFixed(2)} ${what} ${short(words.join(' '), 120)} ${status ?? rc ?? ok ?? ''} ${last ?? ''}`);
};

function playerOptions(mode, { token, verbose }) {
  return { playsKubelets: mode === 'kubelets', kubectl: findKubectl(), token, tell: verbose ? tellAction : undefined };
}

/** Replays on a server of its own, in the server's time. */
async function replayOnHost(recording, host, mode, chosen) {
  const time = new Date(Date.parse(recording.start) - kLead).toISOString();
  // Without simulated kubelets there is no metrics.k8s.io either, as where it was recorded.
  const loops = mode === 'kubelets' ? ['--controllers', '*,-kubelet'] : [];
  const server = await startServer(host, ['--clock', time, '--seed', '1', '--nodes', '0', ...loops]);
  const api = new Api(server.url);
  try {
    const feed = new OrderedFeed(api);
    return await replay(recording, api, new ServerClock(api, time, feed), feed, playerOptions(mode, chosen));
  } finally {
    api.close();
    await server.stop();
  }
}

/** Replays on a server that is there, in real time. */
async function replayOnUrl(recording, mode, chosen) {
  const api = new Api(chosen.url, chosen.token);
  const clock = new RealClock();
  const settings = playerOptions(mode, chosen);
  try {
    await clearScene(api, clock, recording, settings);
    const history = await replay(recording, api, clock, new LiveFeed(api), settings);
    if (!chosen.keep) await clearScene(api, clock, recording, settings);
    return history;
  } finally {
    api.close();
  }
}

function save(dir, host, mode, history) {
  const folder = join(dir, `${host}-${mode}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${history.name}.json`), JSON.stringify(history));
}

const digestOfBytes = ({ events }) => createHash('sha256').update(JSON.stringify(events)).digest('hex');

/**
 * Replays a recording, and prints the differences if they fail it and that is not expected.
 * @returns {Promise<{differences: object[], bytes?: string}>} `bytes`: a hash of what happened
 */
async function run(name, host, mode, chosen, expected) {
  const recording = readRecording(name);
  const began = Date.now();
  let differences;
  let bytes;
  let extra = '';
  try {
    const history = host === 'url' ? await replayOnUrl(recording, mode, chosen) : await replayOnHost(recording, host, mode, chosen);
    if (chosen.save) save(chosen.save, host, mode, history);
    bytes = digestOfBytes(history);
    differences = explained(compare(digestOf(historyOf(recording)), digestOf(historyOf(history))), recording, mode);
    extra = ` [${((Date.now() - began) / 1000).toFixed(1)} s for ${history.duration.toFixed(0)} s, ${history.events.length} of ${recording.events.length} events]`;
  } catch (error) {
    differences = [{ check: 'a', hard: true, text: `the player failed: ${error.stack}` }];
  }
  const isRed = countOf(differences)[0] > 0;
  const brief = isRed && expected ? 0 : chosen.verbose || isRed ? chosen.limit : 0;
  console.log(brief ? describe(name, differences, extra, brief) : describe(name, differences, extra, 0).split('\n')[0]);
  return { differences, bytes };
}

/** Runs all recordings on a host in a mode. Returns the counts, why each red one is red, and the hashes of the histories. */
async function runAll(host, mode, chosen, list) {
  console.log(`${host}, ${mode}:`);
  const red = {};
  const all = {};
  let passed = 0;
  let failed = 0;
  for (const name of chosen.names) {
    const { differences, bytes } = await run(name, host, mode, chosen, name in list);
    all[name] = bytes;
    const first = differences.find(({ hard }) => hard);
    if (first) red[name] = list[name] ?? short(first.text, 160);
    if (!first && name in list) console.log(`FAILED: ${name} is green now: remove it from not-yet-green.json (${mode})`);
    if (!first === !(name in list)) passed++;
    else failed++;
  }
  const expected = Object.keys(red).filter((name) => name in list).length;
  console.log(`${host}, ${mode}: ${passed} passed (${expected} of them expected to be red), ${failed} failed`);
  return { passed, failed, red, all };
}

/** Compares the histories of two hosts. Returns [same, different]. */
function concludeParity(mode, [first, ...others]) {
  const isSame = (name) => others.every(({ all }) => all[name] === first.all[name]);
  const different = Object.keys(first.all).filter((name) => !isSame(name));
  for (const name of different) console.log(`FAILED: ${name} is another history on another host (${mode})`);
  return [Object.keys(first.all).length - different.length, different.length];
}

const chosen = options();
const list = chosen.url ? {} : readNotYetGreen();
const counts = [];
for (const mode of chosen.modes) {
  const results = [];
  for (const host of chosen.hosts) results.push(await runAll(host, mode, chosen, list[mode] ?? {}));
  counts.push(...results.map(({ passed, failed }) => [passed, failed]));
  if (results.length > 1) counts.push(concludeParity(mode, results));
  if (process.env.UPDATE !== '1') continue;
  const others = Object.entries(list[mode] ?? {}).filter(([name]) => !chosen.names.includes(name));
  list[mode] = Object.fromEntries([...others, ...Object.entries(results[0].red)].sort(([a], [b]) => (a < b ? -1 : 1)));
}
if (process.env.UPDATE === '1') writeNotYetGreen(list);
const [passed, failed] = counts.reduce((sum, [ok, bad]) => [sum[0] + ok, sum[1] + bad], [0, 0]);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
