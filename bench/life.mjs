import { existsSync } from 'node:fs';
import { binary, cpuSeconds, serve } from './lib/native.mjs';

export const doc = 'Deployments from nothing to ready pods, and running pods at rest, in processor time of the native server';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

const kNodes = 100;
const kPods = 10_000;
const kRest = 600; // seconds of the cluster's time

async function post(server, path, body) {
  const response = await fetch(server.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

const deployment = (number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `web-${number}`, namespace: 'default' },
  spec: {
    replicas: kPods / kNodes,
    selector: { matchLabels: { app: `web-${number}` } },
    template: {
      metadata: { labels: { app: `web-${number}` } },
      spec: { nodeName: `node-${number}`, containers: [{ name: 'app', image: 'nginx:1.27' }] },
    },
  },
});

/** Returns the processor time that the server takes to move its time on. */
async function timeOf(server, command) {
  const before = cpuSeconds(server.pid);
  const answer = await post(server, '/-/tabernetes/clock', command);
  if (answer.settled === false) throw new Error('the cluster does not settle');
  return cpuSeconds(server.pid) - before;
}

export async function run() {
  const server = await serve('--clock', '2026-01-01T00:00:00Z', '--seed', '1', '--nodes', String(kNodes));
  try {
    for (let number = 1; number <= kNodes; number++) await post(server, '/apis/apps/v1/namespaces/default/deployments', deployment(number));
    const lives = await timeOf(server, { settle: true });
    const rest = await timeOf(server, { advance: `${kRest}s` });
    return [
      { measure: `${kPods} pods of ${kNodes} Deployments on as many nodes, from nothing to ready`, value: lives, unit: 's', budget: 4 },
      { measure: 'one of these pods', value: (lives / kPods) * 1e6, unit: 'µs', budget: 400 },
      { measure: 'at rest, 1000 such nodes', value: ((rest * 1000) / kNodes / kRest) * 100, unit: '% of a core', budget: 2 },
    ];
  } finally {
    await server.stop();
  }
}
