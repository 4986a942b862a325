// What can be done to the objects of a table, in kubectl's words.
import { apiVersion } from './paths';
import type { ObjectMeta, Resource } from './types';

export type ActionName = 'scale' | 'restart' | 'cordon' | 'uncordon' | 'drain' | 'evict' | 'delete';

export interface Action {
  name: ActionName;
  /** On its button. */
  text: string;
  /** True if it is done without a question. */
  harmless?: boolean;
  /** What it means, for the question. */
  meaning: string;
}

const kActions: Readonly<Record<ActionName, Action>> = {
  scale: { name: 'scale', text: 'Scale…', meaning: 'Sets the wanted number of pods. Fewer means that pods are deleted.' },
  restart: { name: 'restart', text: 'Restart…', meaning: 'All pods are replaced by new ones, as an update would do it.' },
  cordon: { name: 'cordon', text: 'Cordon', harmless: true, meaning: 'No new pods come to it.' },
  uncordon: { name: 'uncordon', text: 'Uncordon', harmless: true, meaning: 'New pods may come to it again.' },
  drain: { name: 'drain', text: 'Drain…', meaning: 'Cordons it and evicts its pods. Disruption budgets may refuse.' },
  evict: { name: 'evict', text: 'Evict…', meaning: 'Deletes it if disruption budgets allow it.' },
  delete: { name: 'delete', text: 'Delete…', meaning: 'Deletes it. What owns it may make another one.' },
};

const kByResource: Readonly<Record<string, readonly ActionName[]>> = {
  'apps/v1/deployments': ['scale', 'restart'],
  'apps/v1/statefulsets': ['scale', 'restart'],
  'apps/v1/daemonsets': ['restart'],
  'apps/v1/replicasets': ['scale'],
  'v1/replicationcontrollers': ['scale'],
  'v1/nodes': ['cordon', 'uncordon', 'drain'],
  'v1/pods': ['evict'],
};

/** Returns the actions of a kind. */
export function actionsOf(resource: Resource): readonly Action[] {
  const own = kByResource[`${apiVersion(resource)}/${resource.name}`] ?? [];
  const names: ActionName[] = [...own, ...(resource.verbs.includes('delete') ? (['delete'] as const) : [])];
  return names.map((name) => kActions[name]);
}

export type Propagation = 'background' | 'foreground' | 'orphan';

export interface ActionOptions {
  replicas: number;
  /** Of a drain. */
  force: boolean;
  /** Of a deletion. */
  propagation: Propagation;
  /** Of a pod's deletion: no grace period. */
  atOnce: boolean;
}

/** Returns the command that does it to an object. An eviction, for which kubectl has none, is a request. */
export function commandOf(action: ActionName, resource: Resource, { name, namespace }: ObjectMeta, options: ActionOptions): string {
  const full = resource.group === '' ? resource.name : `${resource.name}.${resource.version}.${resource.group}`;
  const place = namespace ? ` -n ${namespace}` : '';
  switch (action) {
    case 'scale':
      return `scale ${full}/${name}${place} --replicas=${options.replicas}`;
    case 'restart':
      return `rollout restart ${full}/${name}${place}`;
    case 'cordon':
    case 'uncordon':
      return `${action} ${name}`;
    case 'drain':
      return `drain ${name} --ignore-daemonsets --delete-emptydir-data${options.force ? ' --force' : ''}`;
    case 'evict':
      return `create --raw /api/v1/namespaces/${namespace}/pods/${name}/eviction`;
    case 'delete': {
      const cascade = options.propagation === 'background' ? '' : ` --cascade=${options.propagation}`;
      return `delete ${full}/${name}${place} --wait=false${cascade}${options.atOnce ? ' --force --grace-period=0' : ''}`;
    }
  }
}
