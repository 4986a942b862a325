import { load, missingNative, pod, request, serve } from './lib/native.mjs';

export const doc = 'GET of one pod of 2 KiB over keep-alive connections';
export const missing = missingNative;

export async function run() {
  const server = await serve();
  try {
    const created = await fetch(`${server.url}/api/v1/namespaces/default/pods`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: pod('one') });
    if (created.status !== 201) throw new Error(`create: ${created.status} ${await created.text()}`);
    const size = (await (await fetch(`${server.url}/api/v1/namespaces/default/pods/one`)).arrayBuffer()).byteLength;
    const got = await load(server.port, request('GET', '/api/v1/namespaces/default/pods/one'), { pid: server.pid });
    const health = await load(server.port, request('GET', '/livez'), { pid: server.pid });
    return [
      { measure: `GET, ${size} bytes, per second of one core`, value: got.perCpuSecond, unit: '/s' },
      { measure: 'peer: GET /livez, the cost of HTTP', value: health.perCpuSecond, unit: '/s' },
    ];
  } finally {
    await server.stop();
  }
}
