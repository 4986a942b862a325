// Does an action to objects, one after the other.
import { type ActionName, type ActionOptions, commandOf } from '../../api/actions';
import { type Client, isGood } from '../../api/client';
import { resourcePath } from '../../api/paths';
import type { ObjectMeta, Resource } from '../../api/types';
import { runLine, Session } from '../../kubectl';
import type { Outcome } from '../outcome';

/** Does it to all, and goes on after a refusal. */
export async function runActions(client: Client, action: ActionName, resource: Resource, objects: readonly ObjectMeta[], options: ActionOptions): Promise<Outcome> {
  let printed = '';
  let refused = 0;
  const session = new Session(client, new Map(), () => client.transport.now());
  for (const object of objects) {
    if (action === 'evict') {
      const refusal = await evict(client, resource, object);
      printed += refusal ? `${object.name}: ${refusal}\n` : `pod/${object.name} evicted\n`;
      if (refusal) refused++;
      continue;
    }
    const terminal = { out: (text: string) => void (printed += text), err: (text: string) => void (printed += text), signal: new AbortController().signal };
    if ((await runLine(commandOf(action, resource, object, options), session, terminal)) !== 0) refused++;
  }
  const text = printed.trim();
  if (refused > 0) return { tone: 'bad', title: `${objects.length - refused} of ${objects.length} done.`, text };
  return { tone: 'good', title: objects.length === 1 ? 'Done:' : `${objects.length} done:`, text };
}

/** Resolves with the reason if it is refused. */
async function evict(client: Client, resource: Resource, { name, namespace = '' }: ObjectMeta): Promise<string | undefined> {
  const body = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await client.send({ method: 'POST', target: `${resourcePath(resource, namespace, name)}/eviction`, headers, body });
  return isGood(answer) ? undefined : (answer.failure?.message ?? `${answer.status}`);
}
