import { useSyncExternalStore } from 'react';
import type { Exchanges } from '../api/exchanges';

/** The requests of this page, newest first. */
export function RequestLog({ exchanges }: { exchanges: Exchanges }) {
  const all = useSyncExternalStore(exchanges.subscribe, exchanges.snapshot);
  return (
    <section aria-label="Requests">
      <h2>Requests</h2>
      <ol>
        {all.map(({ id, method, path, status }) => (
          <li key={id}>
            <code>
              {method} {path} {status ?? '…'}
            </code>
          </li>
        ))}
      </ol>
    </section>
  );
}
