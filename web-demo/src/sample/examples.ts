// Clusters to start from. Each is made when it is asked for.
import { createCluster } from 'tabernetes';
import { kOptions } from '../cluster/page-cluster';
import broken from './broken.yaml?raw';
import ground from './ground.yaml?raw';
import operator from './operator.yaml?raw';
import { sampleSnapshot } from './sample';

export type ExampleName = 'shop' | 'operator' | 'pods' | 'broken';

/** Milliseconds of the cluster's time between two steps of an example. */
const kApart = 30_000;
const kPods = 10_000;
const kNodes = 100;

/** Resolves with a snapshot of the example at the present time. */
export async function exampleSnapshot(name: ExampleName): Promise<Uint8Array<ArrayBuffer>> {
  if (name === 'shop') return sampleSnapshot();
  if (name === 'pods') return snapshotOf([manyPods()], false);
  return snapshotOf([ground, name === 'operator' ? operator : broken], true);
}

/** `steps`: manifests, loaded one after the other, half a minute apart, so that nodes are ready before pods come. */
async function snapshotOf(steps: readonly (string | object[])[], lives: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const quiet = lives ? {} : { controllers: 'none', scheduler: false };
  const cluster = await createCluster({ ...kOptions, ...quiet, now: Date.now() - steps.length * kApart });
  for (const manifests of steps) {
    await cluster.load(manifests);
    cluster.advance(kApart);
  }
  const snapshot = cluster.snapshot();
  cluster.dispose();
  return snapshot;
}

/** Returns 10,000 pods that run on 100 nodes. */
function manyPods(): object[] {
  const startedAt = new Date(Date.now() - kApart).toISOString().replace(/\.\d+/, '');
  const nodes = Array.from({ length: kNodes }, (_, i) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${i}`, annotations: { 'tabernetes.dev/node': 'simulated' }, labels: { 'kubernetes.io/hostname': `node-${i}`, 'topology.kubernetes.io/zone': `zone-${i % 3}` } },
    status: { capacity: { cpu: '32', memory: '128Gi', pods: '250' }, allocatable: { cpu: '32', memory: '128Gi', pods: '250' } },
  }));
  const pods = Array.from({ length: kPods }, (_, i) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `load-${String(i).padStart(5, '0')}`, namespace: 'load', labels: { app: `app-${i % 50}`, tier: i % 3 === 0 ? 'front' : 'back' } },
    spec: { nodeName: `node-${i % kNodes}`, containers: [{ name: 'app', image: `registry.example.com/app-${i % 50}:1` }] },
    status: {
      phase: 'Running',
      startTime: startedAt,
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({ type, status: 'True', lastTransitionTime: startedAt })),
      containerStatuses: [{ name: 'app', image: `registry.example.com/app-${i % 50}:1`, imageID: '', ready: true, started: true, restartCount: 0, state: { running: { startedAt } } }],
    },
  }));
  return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'load' } }, ...nodes, ...pods];
}
