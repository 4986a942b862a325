/**
 * A cluster in a Worker or SharedWorker, so that its work does not hold up the page.
 *
 * ```ts
 * // cluster-worker.js
 * import { createCluster } from 'tabernetes';
 * import { serve } from 'tabernetes/worker';
 * serve(createCluster({ load: manifests }));
 *
 * // the page
 * import { connect } from 'tabernetes/worker';
 * const cluster = await connect(new Worker(new URL('./cluster-worker.js', import.meta.url), { type: 'module' }));
 * ```
 *
 * @module tabernetes/worker
 */
import type { Cluster } from '../cluster.js';
import type { KeptCluster } from '../options.js';
import { expose, type RemoteCluster, remoteCluster } from './remote.js';

export type { RemoteCluster } from './remote.js';

/** What messages are sent to: a Worker, a SharedWorker's port, a MessagePort, a ServiceWorker. */
interface Endpoint {
  postMessage(message: unknown, transfer: any[]): void;
}

/** What can be served: a cluster of this worker, also one that the browser keeps, or another one. */
type ServedCluster = Cluster | KeptCluster | RemoteCluster;

/** Where messages arrive: the global object of a worker, or `parentPort` in Node.js. */
interface Scope {
  addEventListener(type: any, listener: (event: any) => void): void;
}

/**
 * Serves a cluster to all who connect to this worker: a Worker, SharedWorker or ServiceWorker; in Node.js pass
 * `parentPort`. Call it before the worker waits for anything, so that no message is missed.
 *
 * ```ts
 * serve(createCluster({ load: manifests }));
 * ```
 */
export function serve(cluster: ServedCluster | Promise<ServedCluster>, scope: Scope = globalThis as unknown as Scope): void {
  const take = ({ data }: MessageEvent<{ [kConnect]?: MessagePort } | null>) => {
    const port = data?.[kConnect];
    if (!port) return;
    Promise.resolve(cluster).then(
      (made) => {
        expose(made, port);
        port.postMessage({ id: kReady, type: 'value', value: undefined });
      },
      (error: unknown) => port.postMessage({ id: kReady, type: 'error', error: { name: 'Error', message: (error as Error).message } }),
    );
  };
  scope.addEventListener('message', take);
  (scope as { start?(): void }).start?.();
  // Each page that opens a SharedWorker has a port of its own.
  scope.addEventListener('connect', ({ ports: [port] }: { ports: MessagePort[] }) => {
    port!.addEventListener('message', take);
    port!.start();
  });
}

const kConnect = 'tabernetes-connect';
/** No request has this id. */
const kReady = -1;

/**
 * Connects to the cluster of a worker. Rejects with the worker's error if there is no cluster.
 *
 * ```ts
 * const cluster = await connect(new SharedWorker(new URL('./cluster-worker.js', import.meta.url), { type: 'module' }));
 * const pods = await (await cluster.fetch('/api/v1/pods')).json();
 * ```
 */
export async function connect(worker: Endpoint | { port: Endpoint }): Promise<RemoteCluster> {
  const { port1, port2 } = new MessageChannel();
  const endpoint = 'port' in worker ? worker.port : worker;
  (endpoint as { start?(): void }).start?.();
  await new Promise<void>((resolve, reject) => {
    port1.onmessage = ({ data }: MessageEvent<{ error?: { message: string } }>) => (data.error ? reject(new Error(data.error.message)) : resolve());
    endpoint.postMessage({ [kConnect]: port2 }, [port2]);
  });
  return remoteCluster(port1);
}
