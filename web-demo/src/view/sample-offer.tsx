import { useState } from 'preact/hooks';
import type { Client } from '../api/client';
import type { Group } from '../api/discovery';
import { type Outcome, outcomeOf } from './outcome';

interface Props {
  client: Client;
  groups: readonly Group[];
  onOutcome(outcome: Outcome | undefined): void;
}

/** Offers an empty server the objects of the sample. */
export function SampleOffer({ client, groups, onOutcome }: Props) {
  const [busy, setBusy] = useState(false);
  const load = async () => {
    setBusy(true);
    const { loadSample } = await import('../sample/load');
    const refusal = await loadSample(client, groups);
    setBusy(false);
    onOutcome(refusal && outcomeOf(refusal, ''));
  };
  return (
    <p>
      <button class="button" disabled={busy} onClick={() => void load()} title="A small shop in the namespaces shop and monitoring">
        {busy ? 'Creating…' : 'Create the sample objects'}
      </button>
    </p>
  );
}
