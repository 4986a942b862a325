// Compiled against the installed package by install.test.mjs: the types must fit all of this.
import { createCluster, LoadError, type Cluster, type ClusterOptions, type RawRequest, type RawResponse } from 'tabernetes';

const options: ClusterOptions = {
  load: ['apiVersion: v1', { kind: 'Namespace' }],
  seed: 1n,
  now: new Date(0),
  controllers: 'none',
  nodes: 2,
  featureGates: { WatchList: false },
  wasm: new URL('https://example.com/tabernetes.wasm'),
};
const cluster: Cluster = await createCluster(options);
const transport: typeof globalThis.fetch = cluster.fetch;
const response: Response = await transport('/api/v1/pods', { signal: new AbortController().signal });
const request: RawRequest = { method: 'GET', target: '/version', headers: { accept: 'application/json' }, body: null };
const raw: RawResponse = await cluster.request(request);
const [name, value]: [string, string] = raw.headers[0]!;
const stream: ReadableStream<Uint8Array> | undefined = raw.stream;
await cluster.load({ kind: 'Namespace' }).catch((error: unknown) => {
  if (error instanceof LoadError) error.faults.map(({ document, message }) => `${document.toFixed()}${message.trim()}`);
});
cluster.advance(1);
const now: Date = cluster.now;
cluster.dispose();

// @ts-expect-error there is no such option
await createCluster({ sed: 1 });
// @ts-expect-error it is read only
cluster.fetch = transport;

export { name, now, response, stream, value };
