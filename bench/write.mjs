import { kApiAlone, load, missingNative, pod, request, serve } from './lib/native.mjs';

export const doc = 'POST of a new pod of 2 KiB over keep-alive connections, the API server alone on one core';
export const missing = missingNative;

export async function run() {
  const server = await serve(...kApiAlone);
  try {
    // The load generator replaces the name in each request.
    const create = request('POST', '/api/v1/namespaces/default/pods', pod('pod-########'));
    const created = await load(server.port, create, { pid: server.pid });
    return [
      { measure: 'create, per second of one core', value: created.perCpuSecond, unit: '/s', budget: 20_000, higher: true },
      { measure: 'create, as the machine is now', value: created.perSecond, unit: '/s' },
    ];
  } finally {
    await server.stop();
  }
}
