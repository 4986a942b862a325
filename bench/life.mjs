import { existsSync } from 'node:fs';
import { binary, cpuSeconds, serve } from './lib/native.mjs';

export const doc = 'Deployments from nothing to ready pods and back, and running pods at rest, in processor time of the native server';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

const kNodes = 100;
const kPods = 10_000;
const kRest = 600; // seconds of the cluster's time

async function send(server, method, path, body, type = 'application/json') {
  const response = await fetch(server.url + path, { method, headers: { 'content-type': type }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

const kDeployments = '/apis/apps/v1/namespaces/default/deployments';

const deployment = (name, replicas) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'app', image: 'nginx:1.27' }] } },
  },
});

/** Returns the processor time that the server takes to move its time on. */
async function timeOf(server, command) {
  const before = cpuSeconds(server.pid);
  const answer = await send(server, 'POST', '/-/tabernetes/clock', command);
  if (answer.settled === false) throw new Error('the cluster does not settle');
  return cpuSeconds(server.pid) - before;
}

/** Runs Deployments with kPods in all. Returns the processor times until they are ready, at rest, and until they are gone. */
async function live(count) {
  const server = await serve('--clock', '2026-01-01T00:00:00Z', '--seed', '1', '--nodes', String(kNodes));
  try {
    await timeOf(server, { settle: true });
    const names = Array.from({ length: count }, (_, number) => `web-${number}`);
    for (const name of names) await send(server, 'POST', kDeployments, deployment(name, kPods / count));
    const up = await timeOf(server, { settle: true });
    const rest = await timeOf(server, { advance: `${kRest}s` });
    for (const name of names) await send(server, 'PATCH', `${kDeployments}/${name}`, { spec: { replicas: 0 } }, 'application/merge-patch+json');
    const down = await timeOf(server, { settle: true });
    return { up, rest, down };
  } finally {
    await server.stop();
  }
}

export async function run() {
  const one = await live(1);
  const many = await live(100);
  return [
    { measure: `a Deployment of ${kPods} pods, from nothing to ready`, value: one.up, unit: 's', budget: 2 },
    { measure: '100 Deployments with as many', value: many.up, unit: 's' },
    { measure: "a pod's whole life, from its creation until it is gone", value: ((one.up + one.down) / kPods) * 1e6, unit: 'µs', budget: 400 },
    { measure: 'at rest, 1000 such nodes with 100,000 pods', value: ((one.rest * 1000) / kNodes / kRest) * 100, unit: '% of a core', budget: 2 },
  ];
}
