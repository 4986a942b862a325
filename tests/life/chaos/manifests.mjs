// The workloads of random histories.

const template = (name, image, sim) => ({
  metadata: { labels: { app: name }, ...(sim ? { annotations: { sim } } : {}) },
  spec: { terminationGracePeriodSeconds: 5, containers: [{ name: 'c', image, resources: { requests: { cpu: '50m' } } }] },
});

const workload = (kind, name, spec, image) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, labels: { app: name } },
  spec: { selector: { matchLabels: { app: name } }, template: template(name, image), ...spec },
});

/** What can be created: resource → (name, random) → object. */
export const kWorkloads = {
  deployments: (name, random) =>
    workload('Deployment', name, {
      replicas: random.below(6),
      strategy: { type: 'RollingUpdate', rollingUpdate: random.pick([{ maxSurge: 1, maxUnavailable: 0 }, { maxSurge: 0, maxUnavailable: 1 }, { maxSurge: 2, maxUnavailable: 1 }]) },
    }, 'nginx:1'),
  statefulsets: (name, random) =>
    workload('StatefulSet', name, { replicas: random.below(4), serviceName: name, podManagementPolicy: 'OrderedReady' }, 'nginx:1'),
  daemonsets: (name) => workload('DaemonSet', name, {}, 'nginx:1'),
  jobs: (name, random) => {
    const { spec, metadata } = template(name, 'busybox:1');
    const completions = 1 + random.below(4);
    return {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name, labels: { app: name } },
      spec: { completions, parallelism: 1 + random.below(completions), template: { metadata, spec: { ...spec, restartPolicy: 'Never' } } },
    };
  },
};

export const kGroups = { deployments: 'apis/apps/v1', statefulsets: 'apis/apps/v1', daemonsets: 'apis/apps/v1', replicasets: 'apis/apps/v1', jobs: 'apis/batch/v1', pods: 'api/v1', resourcequotas: 'api/v1' };

export const pathIn = (namespace, resource, name) => `/${kGroups[resource]}/namespaces/${namespace}/${resource}${name ? `/${name}` : ''}`;

export const quota = (pods) => ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: { hard: { pods: String(pods) } } });
