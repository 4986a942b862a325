// Times are processor time: of the server's process, or of this one, which does nothing else meanwhile.
import { existsSync, readFileSync } from 'node:fs';
import { importPackage } from './lib/cluster.mjs';
import { largeDefinition, largeObject } from './lib/definition.mjs';
import { binary, cpuSeconds, serve } from './lib/native.mjs';

export const doc = 'large definitions of custom resources: installing them, their objects, and the memory they take';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

const kDefinitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const kObjects = 200;
const kMany = 100;

/** Starts a host. Returns functions that send a request, read the processor time (ms) and the memory (MiB). */
async function nativeHost() {
  const server = await serve();
  return {
    ask: (path, body) => fetch(server.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    wait: () => new Promise((resolve) => setTimeout(resolve, 200)),
    used: () => cpuSeconds(server.pid) * 1000,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024,
    stop: () => server.stop(),
  };
}

async function packageHost() {
  const { createCluster } = await importPackage();
  const cluster = await createCluster({ now: '2026-01-01T00:00:00Z' });
  return {
    ask: (path, body) => cluster.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    wait: () => cluster.advance(1000),
    used: () => Object.values(process.cpuUsage()).reduce((a, b) => a + b) / 1000,
    memory: () => process.memoryUsage().rss / 2 ** 20,
    stop: () => cluster.dispose(),
  };
}

/** Returns the milliseconds of processor time of one of `bodies` on average. */
async function timed(host, path, bodies) {
  const before = host.used();
  for (const body of bodies) {
    const answer = await host.ask(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  await host.wait();
  return (host.used() - before) / bodies.length;
}

const definitions = (prefix, count, bytes) =>
  Array.from({ length: count }, (_, i) => JSON.stringify(largeDefinition(`${prefix}${i}x`, bytes)));

async function measure(name, start, budget) {
  const host = await start();
  try {
    await timed(host, kDefinitions, definitions('warm', 3, 100_000));
    const rows = [];
    const add = (measure, value, unit, limit) => rows.push({ measure: `${name}: ${measure}`, value, unit, budget: limit });
    add('installing 1 MB', await timed(host, kDefinitions, definitions('one', 9, 1_000_000)), 'ms', budget);
    add('installing 1.4 MB', await timed(host, kDefinitions, definitions('more', 9, 1_400_000)), 'ms');
    const objects = Array.from({ length: kObjects }, (_, i) => JSON.stringify(largeObject('one0x', `o${i}`)));
    const path = '/apis/bench.example.com/v1/namespaces/default/one0x';
    await timed(host, path, [JSON.stringify(largeObject('one0x', 'first'))]);
    add(`creating an object of ${Math.round(objects[0].length / 1000)} kB`, await timed(host, path, objects), 'ms');
    const before = host.memory();
    await timed(host, kDefinitions, definitions('many', kMany, 1_000_000));
    add(`memory of a definition of 1 MB, of ${kMany}`, (host.memory() - before) / kMany, 'MiB');
    return rows;
  } finally {
    await host.stop();
  }
}

export async function run() {
  const rows = await measure('native', nativeHost, 50);
  if (await importPackage()) rows.push(...(await measure('package', packageHost, 150)));
  return rows;
}
