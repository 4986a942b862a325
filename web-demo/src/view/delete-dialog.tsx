import { useEffect, useRef, useState } from 'preact/hooks';
import type { Propagation } from '../api/actions';
import { PropagationField } from './actions/action-dialog';

interface Props {
  /** What is deleted: `Pod shop/database-0`. */
  what: string;
  /** True if the kind has a grace period. */
  graceful: boolean;
  onDelete(atOnce: boolean, propagation: Propagation): void;
  onClose(): void;
}

/** Asks before an object is deleted. */
export function DeleteDialog({ what, graceful, onDelete, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [atOnce, setAtOnce] = useState(false);
  const [propagation, setPropagation] = useState<Propagation>('background');
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="delete-title" onClose={onClose}>
      <h2 id="delete-title">Delete this object?</h2>
      <p class="mono">{what}</p>
      {graceful && (
        <label class="check">
          <input type="checkbox" checked={atOnce} onChange={(event) => setAtOnce(event.currentTarget.checked)} />
          <span>At once, without a grace period</span>
        </label>
      )}
      {!graceful && <PropagationField value={propagation} onChange={setPropagation} />}
      <div class="dialog-foot">
        <button class="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button
          class="button danger"
          onClick={() => {
            onDelete(atOnce, propagation);
            dialog.current?.close();
          }}
        >
          Delete
        </button>
      </div>
    </dialog>
  );
}
