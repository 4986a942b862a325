import '../style/relations.css';
import { useEffect, useState } from 'preact/hooks';
import { humanAge } from '../api/age';
import type { Client } from '../api/client';
import { type Related, type Relations, relationsOf } from '../api/relations';
import type { Resource } from '../api/types';

interface Props {
  client: Client;
  kinds: readonly Resource[];
  resource: Resource;
  name: string;
  namespace: string;
  /** Changes when the object does. */
  version: string | undefined;
  onOpen(resource: Resource, name: string, namespace: string): void;
}

/** Shows the tree of owners in which an object is, its conditions and its events. */
export function RelationsView({ client, kinds, resource, name, namespace, version, onOpen }: Props) {
  const [found, setFound] = useState<Relations | string>('Looking around…');
  useEffect(() => {
    let shown = true;
    relationsOf(client, kinds, resource, namespace, name).then(
      (relations) => shown && setFound(relations),
      (error: Error) => shown && setFound(error.message),
    );
    return () => void (shown = false);
  }, [client, resource, name, namespace, version]);
  if (typeof found === 'string') return <p class="empty">{found}</p>;
  const { top, conditions, events } = found;
  return (
    <div class="relations" role="region" aria-label="Relations" tabIndex={0}>
      <h3>Owners and dependents</h3>
      <ul class="tree">
        <Branch node={top} isSelf={(node) => node.name === name && node.resource.kind === resource.kind} onOpen={onOpen} />
      </ul>
      <h3>Conditions</h3>
      {conditions.length === 0 && <p class="muted">none</p>}
      <ul>
        {conditions.map(({ type, status, reason, message }) => (
          <li key={type}>
            <b>{type}</b> {status} <span class="muted">{[reason, message].filter(Boolean).join(': ')}</span>
          </li>
        ))}
      </ul>
      <h3>Events</h3>
      {events.length === 0 && <p class="muted">none</p>}
      <ul>
        {events.map(({ type, reason, message, count, lastTimestamp, eventTime, metadata }) => (
          <li key={metadata.uid}>
            <b class={type === 'Warning' ? 'event-warning' : ''}>{reason}</b> {message}{' '}
            <span class="muted">
              {count && count > 1 ? `${count} times, ` : ''}
              {humanAge(client.transport.now().getTime() - Date.parse(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? ''))} ago
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface BranchProps extends Pick<Props, 'onOpen'> {
  node: Related;
  isSelf(node: Related): boolean;
}

function Branch({ node, isSelf, onOpen }: BranchProps) {
  const { resource, name, namespace, dependents } = node;
  return (
    <li>
      <span class="muted">{resource.kind}</span>{' '}
      {isSelf(node) ? (
        <b aria-current="true">{name}</b>
      ) : (
        <button class="link" onClick={() => onOpen(resource, name, namespace)}>
          {name}
        </button>
      )}
      {dependents.length > 0 && (
        <ul>
          {dependents.map((each) => (
            <Branch key={each.uid} node={each} isSelf={isSelf} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </li>
  );
}
