// The workloads of random histories.

const template = (name, image) => ({
  metadata: { labels: { app: name } },
  spec: { terminationGracePeriodSeconds: 5, containers: [{ name: 'c', image, resources: { requests: { cpu: '50m' } } }] },
});

const workload = (kind, name, spec, image) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, labels: { app: name } },
  spec: { selector: { matchLabels: { app: name } }, template: template(name, image), ...spec },
});

const kRolling = [{ maxSurge: 1, maxUnavailable: 0 }, { maxSurge: 0, maxUnavailable: 1 }, { maxSurge: 2, maxUnavailable: 1 }];

/** What can be created: resource → (name, random) → object. */
export const kWorkloads = {
  deployments: (name, random) =>
    workload('Deployment', name, {
      replicas: random.below(6),
      strategy: { type: 'RollingUpdate', rollingUpdate: random.pick(kRolling) },
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

const kGroups = { jobs: 'apis/batch/v1', pods: 'api/v1', resourcequotas: 'api/v1' };

export const pathIn = (namespace, resource, name) => `/${kGroups[resource] ?? 'apis/apps/v1'}/namespaces/${namespace}/${resource}${name ? `/${name}` : ''}`;

export const quota = (pods) => ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: { hard: { pods: String(pods) } } });
