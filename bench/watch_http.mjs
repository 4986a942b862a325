import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuSeconds, missingNative, request, serve } from './lib/native.mjs';

export const doc = 'watches of one collection over HTTP while it is written to as fast as it goes';

const watchLoad = join(dirname(dirname(fileURLToPath(import.meta.url))), 'build', 'release', 'bin', 'watch_load');
export const missing = () => missingNative() ?? (existsSync(watchLoad) ? undefined : `${watchLoad} is not built`);

const kTarget = '/api/v1/namespaces/default/configmaps';
const configMap = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cm-########', labels: { app: 'shop' } }, data: { color: 'blue' } });

/** Returns the totals of one run, with the server's seconds of processor time. */
async function measure(watches, writers, seconds) {
  const server = await serve();
  try {
    const child = spawn(watchLoad, [String(server.port), String(watches), String(seconds), String(writers), `${kTarget}?watch=true`], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(request('POST', kTarget, configMap));
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`watch_load ended with ${code}`);
    return { ...JSON.parse(output), cpu: cpuSeconds(server.pid) };
  } finally {
    await server.stop();
  }
}

// The client needs as much of the machine as the server. The figure for two cores is therefore twice what the server
// delivers per second of processor time, including the opening of the watches.
export async function run() {
  const rows = [];
  for (const [watches, writers] of [[1, 16], [100, 16], [10_000, 64]]) {
    const { seconds, writes, events, reads, cpu } = await measure(watches, writers, 5);
    const of = `${watches} watches`;
    rows.push(
      { measure: `${of}: deliveries per second of two cores`, value: (2 * events) / cpu, unit: '/s', ...(watches > 1 && { budget: 1_000_000, higher: true }) },
      { measure: `${of}: deliveries, as the machine is now`, value: events / seconds, unit: '/s' },
      { measure: `${of}: writes meanwhile`, value: writes / seconds, unit: '/s' },
      { measure: `${of}: events in a read`, value: events / reads, unit: '' },
    );
  }
  return rows;
}
