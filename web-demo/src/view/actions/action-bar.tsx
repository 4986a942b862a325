import '../../style/actions.css';
import { useState } from 'preact/hooks';
import { type Action, type ActionOptions, actionsOf } from '../../api/actions';
import type { Client } from '../../api/client';
import type { ObjectMeta, Resource } from '../../api/types';
import { type Outcome, OutcomeNote } from '../outcome';
import { ActionDialog, kUsual } from './action-dialog';

interface Props {
  client: Client;
  resource: Resource;
  /** The selected objects. */
  objects: readonly ObjectMeta[];
  /** Selects all rows of the table, or none. */
  onAll(all: boolean): void;
}

/** Does things to the selected objects of a table. */
export function ActionBar({ client, resource, objects, onAll }: Props) {
  const [asking, setAsking] = useState<Action>();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const run = async (action: Action, options: ActionOptions) => {
    setBusy(true);
    const { runActions } = await import('./run-actions');
    setOutcome(await runActions(client, action.name, resource, objects, options));
    setBusy(false);
  };
  return (
    <div class="action-bar" role="group" aria-label="Actions">
      <div class="action-buttons">
        <span class="muted" role="status">
          {objects.length} selected
        </span>
        <button class="button quiet" onClick={() => onAll(true)}>
          All
        </button>
        <button class="button quiet" disabled={objects.length === 0} onClick={() => onAll(false)}>
          None
        </button>
        {actionsOf(resource).map((action) => (
          <button
            key={action.name}
            class={`button ${action.name === 'delete' ? 'danger' : ''}`}
            disabled={busy || objects.length === 0}
            title={action.meaning}
            onClick={() => (action.harmless ? void run(action, kUsual) : setAsking(action))}
          >
            {action.text}
          </button>
        ))}
      </div>
      <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />
      {asking && <ActionDialog action={asking} resource={resource} objects={objects} onRun={(options) => void run(asking, options)} onClose={() => setAsking(undefined)} />}
    </div>
  );
}
