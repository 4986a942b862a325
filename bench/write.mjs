import { load, missingNative, pod, request, serve } from './lib/native.mjs';

export const doc = 'POST of a new pod of 2 KiB over keep-alive connections, the server on one core';
export const missing = missingNative;

export async function run() {
  const server = await serve();
  try {
    // The load generator makes the name new for each request.
    const created = await load(server.port, request('POST', '/api/v1/namespaces/default/pods', pod('pod-########')));
    return [{ measure: 'create', value: created.perSecond, unit: '/s', budget: 20_000, higher: true }];
  } finally {
    await server.stop();
  }
}
