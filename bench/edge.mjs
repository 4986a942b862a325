// Ten thousand clusters in one worker, each with an object of its own: serve() of tabernetes/edge, called as a runtime does.
import { existsSync } from 'node:fs';
import { median } from './lib/native.mjs';

const entry = new URL('../dist/edge.js', import.meta.url);
const kClusters = 10_000;

export const doc = `${kClusters.toLocaleString('en-US')} clusters in one worker, addressed by path`;
export const missing = () => (existsSync(entry) ? undefined : 'dist/ is not built');

const configMap = JSON.stringify({ metadata: { name: 'settings' }, data: { theme: 'dark' } });
const post = (name) => new Request(`https://edge.example/${name}/api/v1/namespaces/default/configmaps`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: configMap });

export async function run() {
  const { serve } = await import(entry);
  const handler = serve({ clusters: 'path', controllers: 'none', scheduler: false });
  await (await handler.fetch(post('first'))).arrayBuffer();
  const before = process.memoryUsage().rss;
  const times = [];
  for (let i = 0; i < kClusters - 1; i++) {
    const start = performance.now();
    const answer = await handler.fetch(post(`cluster-${i}`));
    await answer.arrayBuffer();
    times.push(performance.now() - start);
    if (answer.status !== 201) throw new Error(`the create in cluster-${i} is answered ${answer.status}`);
  }
  return [
    { measure: 'the first request to a cluster, a create', value: median(times), unit: 'ms' },
    { measure: 'memory of a cluster with one object of its own', value: (process.memoryUsage().rss - before) / kClusters / 1024, unit: 'KiB' },
  ];
}
