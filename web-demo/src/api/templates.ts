// Templates for the text of a new object.
import { apiVersion } from './paths';
import type { Resource } from './types';

type Json = string | number | boolean | Json[] | { [key: string]: Json };

const kContainers: Json = [{ name: 'app', image: 'registry.example/app:1.0', ports: [{ containerPort: 8080 }] }];
const kPodTemplate = (app: string): Json => ({ metadata: { labels: { app } }, spec: { containers: kContainers } });
const kRules: Json = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }];

/** The fields besides apiVersion, kind and metadata that the kind requires or usually has. */
const kBodies: Readonly<Record<string, (name: string) => { [key: string]: Json }>> = {
  ConfigMap: () => ({ data: { greeting: 'hello', 'settings.ini': 'mode=demo' } }),
  Secret: () => ({ type: 'Opaque', stringData: { password: 'not-a-real-one' } }),
  Pod: () => ({ spec: { containers: kContainers } }),
  Deployment: (app) => ({ spec: { replicas: 2, selector: { matchLabels: { app } }, template: kPodTemplate(app) } }),
  ReplicaSet: (app) => ({ spec: { replicas: 1, selector: { matchLabels: { app } }, template: kPodTemplate(app) } }),
  DaemonSet: (app) => ({ spec: { selector: { matchLabels: { app } }, template: kPodTemplate(app) } }),
  StatefulSet: (app) => ({
    spec: { serviceName: app, replicas: 1, selector: { matchLabels: { app } }, template: kPodTemplate(app) },
  }),
  Job: () => ({ spec: { template: { spec: { restartPolicy: 'Never', containers: kContainers } } } }),
  CronJob: () => ({
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: kContainers } } } },
    },
  }),
  Service: (app) => ({ spec: { selector: { app }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] } }),
  Ingress: (app) => ({
    spec: {
      rules: [
        {
          host: 'example.test',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: app, port: { number: 80 } } } }],
          },
        },
      ],
    },
  }),
  PersistentVolumeClaim: () => ({
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }),
  Role: () => ({ rules: kRules }),
  ClusterRole: () => ({ rules: kRules }),
};

/** Returns the initial text of a new object of `resource`. */
export function newObject(resource: Resource, namespace: string, format: 'yaml' | 'json'): string {
  const name = `my-${resource.kind.toLowerCase()}`;
  const metadata: { [key: string]: Json } = { name };
  if (resource.namespaced) metadata.namespace = namespace || 'default';
  const object = { apiVersion: apiVersion(resource), kind: resource.kind, metadata, ...kBodies[resource.kind]?.(name) };
  return format === 'json' ? `${JSON.stringify(object, null, 2)}\n` : toYaml(object);
}

/** Writes values of the templates as block YAML. */
function toYaml(value: Json, depth = 0): string {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value)) return value.map((each) => `${indent}- ${toYaml(each, depth + 1).trimStart()}`).join('');
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([key, each]) => {
        const nested = typeof each === 'object';
        const below = Array.isArray(each) ? depth : depth + 1;
        return `${indent}${key}:${nested ? '\n' : ' '}${toYaml(each, below)}`;
      })
      .join('');
  }
  return `${typeof value === 'string' && !/^[A-Za-z][\w./:=-]*$/.test(value) ? JSON.stringify(value) : value}\n`;
}
