// The cluster that the page starts inside itself, with the sample in it.
import { type Cluster, createCluster } from 'tabernetes';
import { kHistory, kNamespaces } from './manifests';
import { reportStatus } from './status';

export interface Sample {
  cluster: Cluster;
  dispose(): void;
}

/** The time goes on from today, but the cluster has a past. */
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
  const clock = runClock(cluster);
  return {
    cluster,
    dispose() {
      clearInterval(clock);
      cluster.dispose();
    },
  };
}

/** Lets the cluster's time run as ours does. */
function runClock(cluster: Cluster) {
  let last = Date.now();
  return setInterval(() => {
    const now = Date.now();
    cluster.advance(Math.max(0, now - last));
    last = now;
  }, 250);
}
