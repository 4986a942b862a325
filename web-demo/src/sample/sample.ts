// Makes the sample of the page: a shop that has been there for weeks, whose pods have run since a while ago.
import { createCluster } from 'tabernetes';
import { kHistory, kMinute } from './manifests';

/** How long ago control loops and kubelets began; earlier, objects were only created. */
const kAlive = 20 * kMinute;

/** Resolves with a snapshot of a cluster with the sample, at the present time. */
export async function sampleSnapshot(): Promise<Uint8Array<ArrayBuffer>> {
  const begun = Date.now();
  const { before, since } = kHistory;
  const quiet = await createCluster({ now: begun - before[0].age, controllers: 'none', scheduler: false, nodes: 0, authorizationMode: 'RBAC' });
  for (const { age, manifest } of before) {
    quiet.advance(Math.max(0, begun - age - quiet.now.getTime()));
    await quiet.load(manifest);
  }
  quiet.advance(begun - kAlive - quiet.now.getTime());
  const living = await createCluster({ now: begun - kAlive, snapshot: quiet.snapshot(), nodes: 0, authorizationMode: 'RBAC' });
  quiet.dispose();
  for (const { age, manifest } of since) {
    living.advance(Math.max(0, begun - age - living.now.getTime()));
    await living.load(manifest);
  }
  living.advance(Math.max(0, begun - living.now.getTime()));
  const snapshot = living.snapshot();
  living.dispose();
  return snapshot;
}
