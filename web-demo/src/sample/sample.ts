// Starts the cluster inside the page, with the sample in it.
import { type Cluster, createCluster } from 'tabernetes';
import { kHistory, kNamespaces } from './manifests';
import { reportStatus } from './status';

export interface Sample {
  cluster: Cluster;
  dispose(): void;
}

/** Starts the cluster of a snapshot, which Cluster.snapshot() made. Rejects if it is not one. */
export async function startKept(snapshot: Uint8Array<ArrayBuffer>): Promise<Sample> {
  return running(await createCluster({ snapshot, controllers: 'none', nodes: 0 }));
}

/** Creates the sample's objects at their times in the past, then lets the time run from now on. */
export async function startSample(): Promise<Sample> {
  const begun = Date.now();
  const cluster = await createCluster({ now: begun - kHistory[0].age, controllers: 'none', nodes: 0 });
  const ask = async (target: string, method = 'GET', body?: string) => {
    return (await cluster.fetch(target, { method, body, headers: body ? { 'content-type': 'application/json' } : {} })).json();
  };
  for (const { age, manifest } of kHistory) {
    cluster.advance(Math.max(0, begun - age - cluster.now.getTime()));
    await cluster.load(manifest);
    await reportStatus(ask, kNamespaces);
  }
  cluster.advance(Math.max(0, begun - cluster.now.getTime()));
  return running(cluster);
}

/** Lets the time of a cluster run until it is disposed of. */
function running(cluster: Cluster): Sample {
  const clock = runClock(cluster);
  return {
    cluster,
    dispose() {
      clearInterval(clock);
      cluster.dispose();
    },
  };
}

/** Moves the cluster's time on with the real time. */
function runClock(cluster: Cluster) {
  let last = Date.now();
  return setInterval(() => {
    const now = Date.now();
    cluster.advance(Math.max(0, now - last));
    last = now;
  }, 250);
}
