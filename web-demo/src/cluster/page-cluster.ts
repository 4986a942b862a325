// Clusters inside this page: one that this browser keeps, and forks in memory. Importing this file loads the WebAssembly.
import { type ClusterOptions, createCluster, type RawRequest, type RawResponse } from 'tabernetes';
import { sampleSnapshot } from '../sample/sample';

/** What the page uses of a cluster. */
export interface InPage {
  request(request: RawRequest): Promise<RawResponse>;
  now(): Promise<Date>;
  dispose(): void;
}

/** The IndexedDB database of the kept cluster. */
export const kKeptName = 'tabernetes-page';

/** Nodes are simulated by their annotation. Roles decide for personas, and CBOR is served to those who ask for it. */
export const kOptions = { nodes: 0, authorizationMode: 'RBAC', featureGates: { CBORServingAndStorage: true } } as const;

/** Opens the cluster that this browser keeps, or makes one with the sample. `note`: what went wrong, if anything. */
export async function openKept(): Promise<{ cluster: InPage; note?: string }> {
  const open = async (snapshot: ClusterOptions['snapshot']) =>
    ofKept(await createCluster({ ...kOptions, snapshot, persist: { indexedDB: kKeptName } }));
  try {
    return { cluster: await open(sampleSnapshot) };
  } catch (fault) {
    // Rejects if no cluster can start here, which is no reason to forget the kept one.
    const snapshot = await sampleSnapshot();
    await forget();
    try {
      return { cluster: await open(snapshot), note: `What this browser had kept cannot be read: ${(fault as Error).message}` };
    } catch (again) {
      return { cluster: await fork(snapshot), note: `This browser does not keep this cluster: ${(again as Error).message}` };
    }
  }
}

/** Makes a cluster in memory with the objects, versions and time of a snapshot. */
export async function fork(snapshot: string | Uint8Array<ArrayBuffer>): Promise<InPage> {
  const cluster = await createCluster({ ...kOptions, snapshot });
  return { request: (request) => cluster.request(request), now: async () => cluster.now, dispose: () => cluster.dispose() };
}

type KeptLike = { request(request: RawRequest): Promise<RawResponse>; now(): Promise<Date>; dispose(): Promise<void> };

const ofKept = (cluster: KeptLike): InPage => ({
  request: (request) => cluster.request(request),
  now: () => cluster.now(),
  dispose: () => void cluster.dispose(),
});

function forget(): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(kKeptName);
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}
