// Writes the status that kubelets and controllers would report for the sample's objects.

/** Sends a request and resolves with the JSON of the answer. */
export type Ask = (target: string, method?: 'GET' | 'PUT', body?: string) => Promise<unknown>;

interface SampleObject {
  metadata: { name: string; namespace: string; creationTimestamp: string };
  spec: { replicas?: number; restartPolicy?: string; containers: { name: string; image: string }[] };
  status?: { phase?: string; replicas?: number; readyReplicas?: number; numberReady?: number; succeeded?: number };
}

interface Reporter {
  collection: string;
  /** Returns the status to write, or undefined if there is one already. */
  status(object: SampleObject): object | undefined;
}

const kReporters: readonly Reporter[] = [
  { collection: '/api/v1/pods', status: podStatus },
  {
    collection: '/apis/apps/v1/deployments',
    status: ({ spec: { replicas = 1 }, status }) =>
      status?.readyReplicas === undefined
        ? { observedGeneration: 1, replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas }
        : undefined,
  },
  {
    collection: '/apis/apps/v1/statefulsets',
    status: ({ spec: { replicas = 1 }, status }) =>
      status?.readyReplicas === undefined
        ? { observedGeneration: 1, replicas, currentReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas }
        : undefined,
  },
  {
    collection: '/apis/apps/v1/daemonsets',
    status: ({ status }) =>
      status?.numberReady
        ? undefined
        : {
            observedGeneration: 1,
            currentNumberScheduled: 3,
            desiredNumberScheduled: 3,
            numberAvailable: 3,
            numberMisscheduled: 0,
            numberReady: 3,
            updatedNumberScheduled: 3,
          },
  },
];

/** Writes the status of every object in `namespaces` that has none. */
export async function reportStatus(ask: Ask, namespaces: readonly string[]): Promise<void> {
  for (const { collection, status } of kReporters) {
    const { items = [] } = (await ask(collection)) as { items?: SampleObject[] };
    for (const object of items.filter(({ metadata }) => namespaces.includes(metadata.namespace))) {
      const reported = status(object);
      if (!reported) continue;
      const { namespace, name } = object.metadata;
      const at = collection.lastIndexOf('/');
      const path = `${collection.slice(0, at)}/namespaces/${namespace}${collection.slice(at)}/${name}/status`;
      // Without the version: a living cluster may have written it meanwhile.
      const metadata = { ...object.metadata, resourceVersion: undefined };
      await ask(path, 'PUT', JSON.stringify({ ...object, metadata, status: { ...object.status, ...reported } }));
    }
  }
}

function podStatus({ metadata, spec, status }: SampleObject): object | undefined {
  if (status?.phase !== undefined && status.phase !== 'Pending') return undefined;
  const startedAt = metadata.creationTimestamp;
  const done = spec.restartPolicy === 'Never';
  const condition = (type: string) => ({ type, status: done && type !== 'Initialized' ? 'False' : 'True', lastTransitionTime: startedAt });
  return {
    phase: done ? 'Succeeded' : 'Running',
    podIP: addressOf(metadata.name),
    podIPs: [{ ip: addressOf(metadata.name) }],
    startTime: startedAt,
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map(condition),
    containerStatuses: spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: '',
      ready: !done,
      restartCount: 0,
      started: !done,
      state: done
        ? { terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt: startedAt } }
        : { running: { startedAt } },
    })),
  };
}

/** Returns an address that depends only on the name. */
function addressOf(name: string): string {
  const hash = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 60_000, 7);
  return `10.244.${1 + (hash % 3)}.${2 + (hash % 250)}`;
}
