// Which pods a command is about that works on pods: `NAME`, `pod/NAME`, or `deploy/NAME` for those that it selects.
import { chosen } from './chosen';
import type { Flags } from './flags';
import { allResources, pathOf, targetsOf, typeName } from './resources';
import { type Selector, selectorText } from './selectors';
import { type Caller, CommandError, type KubeObject } from './session';

/** Resolves with the pods of a selector or of one word; several for an object that selects them, the best first. Throws a CommandError. */
export async function podsOf(caller: Caller, flags: Flags, namespace: string, given: string): Promise<KubeObject[]> {
  if (given === '' && flags.has('selector')) return (await chosen(caller, flags, namespace, ['pods'])).map(({ object }) => object);
  const [target] = targetsOf(await allResources(caller), given.includes('/') ? [given] : ['pods', given]);
  if (!target) throw new CommandError('error: expected POD or TYPE/NAME');
  const { resource, name } = target;
  const object = await caller.json('GET', pathOf(resource, namespace, name));
  if (object.kind === 'Pod') return [object];
  const selector = selectorOf(object);
  if (selector === '') throw new CommandError(`error: cannot get the logs from ${typeName(resource)}: selector is empty`);
  const { items } = await caller.json<{ items: KubeObject[] }>('GET', `/api/v1/namespaces/${object.metadata.namespace ?? namespace}/pods?labelSelector=${encodeURIComponent(selector)}`);
  return items.sort((a, b) => readiness(b) - readiness(a));
}

/** Running and ready before running, running before the rest. */
function readiness({ spec, status }: KubeObject): number {
  const conditions = (status?.conditions ?? []) as { type: string; status: string }[];
  const isReady = conditions.some((each) => each.type === 'Ready' && each.status === 'True');
  return (spec?.nodeName ? 4 : 0) + (status?.phase === 'Running' ? 2 : 0) + (isReady ? 1 : 0);
}

/** The selector of a workload or a service as the text of a labelSelector; empty if it has none. */
function selectorOf({ spec }: KubeObject): string {
  const given = (spec?.selector ?? {}) as Selector & Record<string, string>;
  return selectorText('matchLabels' in given || 'matchExpressions' in given ? given : { matchLabels: given });
}
