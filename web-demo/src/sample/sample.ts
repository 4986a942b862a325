// The cluster that the page starts with: a small shop that has been running for a while.
import { type Cluster, createCluster } from 'tabernetes';
import ground from './ground.yaml?raw';
import pods from './pods.yaml?raw';
import shop from './shop.yaml?raw';
import { reportStatus } from './status';
import today from './today.yaml?raw';

const kMinute = 60_000;
const kDay = 24 * 60 * kMinute;

/** What was loaded how long ago, oldest first. */
const kHistory = [
  { age: 41 * kDay, manifest: ground },
  { age: 23 * kDay, manifest: shop },
  { age: 6 * kDay, manifest: pods },
  { age: 18 * kMinute, manifest: today },
];

export interface Sample {
  cluster: Cluster;
  dispose(): void;
}

/** The time goes on from today, but the cluster has a past. */
export async function startSample(): Promise<Sample> {
  const begun = Date.now();
  const cluster = await createCluster({ now: begun - kHistory[0]!.age, controllers: 'none', nodes: 0 });
  for (const { age, manifest } of kHistory) {
    cluster.advance(Math.max(0, begun - age - cluster.now.getTime()));
    await cluster.load(manifest);
    await reportStatus(cluster);
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
