import { useEffect, useRef, useState } from 'preact/hooks';
import { type Action, type ActionOptions, commandOf, type Propagation } from '../../api/actions';
import type { ObjectMeta, Resource } from '../../api/types';

interface Props {
  action: Action;
  resource: Resource;
  objects: readonly ObjectMeta[];
  onRun(options: ActionOptions): void;
  onClose(): void;
}

const kMostNamed = 6;
const kPropagations: readonly { value: Propagation; text: string }[] = [
  { value: 'background', text: 'are deleted afterwards (background)' },
  { value: 'foreground', text: 'are deleted first (foreground)' },
  { value: 'orphan', text: 'stay (orphan)' },
];

export const kUsual: ActionOptions = { replicas: 1, force: false, propagation: 'background', atOnce: false };

/** Asks before an action, and shows the command that it is. */
export function ActionDialog({ action, resource, objects, onRun, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [options, setOptions] = useState(kUsual);
  useEffect(() => dialog.current?.showModal(), []);
  const set = (change: Partial<ActionOptions>) => setOptions({ ...options, ...change });
  const isPod = resource.kind === 'Pod' && resource.group === '';
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="action-title" onClose={onClose}>
      <h2 id="action-title">
        {action.text.replace('…', '')} {objects.length === 1 ? `${resource.kind} ${nameOf(objects[0]!)}` : `${objects.length} objects`}?
      </h2>
      <p>{action.meaning}</p>
      {objects.length > 1 && (
        <p class="mono">
          {objects.slice(0, kMostNamed).map(nameOf).join(', ')}
          {objects.length > kMostNamed && `, and ${objects.length - kMostNamed} more`}
        </p>
      )}
      {action.name === 'scale' && (
        <label class="dialog-field">
          <span>Replicas</span>
          <input type="number" min={0} value={options.replicas} onInput={(event) => set({ replicas: Math.max(0, event.currentTarget.valueAsNumber || 0) })} />
        </label>
      )}
      {action.name === 'drain' && <Check text="Also pods that nothing makes again" checked={options.force} onChange={(force) => set({ force })} />}
      {action.name === 'delete' && isPod && <Check text="At once, without a grace period" checked={options.atOnce} onChange={(atOnce) => set({ atOnce })} />}
      {action.name === 'delete' && !isPod && <PropagationField value={options.propagation} onChange={(propagation) => set({ propagation })} />}
      <pre class="dialog-command mono">
        kubectl {commandOf(action.name, resource, objects[0]!, options)}
        {objects.length > 1 && '\n…'}
      </pre>
      <div class="dialog-foot">
        <button class="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button
          class={`button ${action.name === 'scale' ? 'primary' : 'danger'}`}
          onClick={() => {
            onRun(options);
            dialog.current?.close();
          }}
        >
          {action.text.replace('…', '')}
        </button>
      </div>
    </dialog>
  );
}

/** What happens to the objects that the deleted one owns. */
export function PropagationField({ value, onChange }: { value: Propagation; onChange(value: Propagation): void }) {
  return (
    <label class="dialog-field">
      <span>What it owns</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Propagation)}>
        {kPropagations.map((each) => (
          <option key={each.value} value={each.value}>
            {each.text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Check({ text, checked, onChange }: { text: string; checked: boolean; onChange(checked: boolean): void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{text}</span>
    </label>
  );
}

const nameOf = ({ name, namespace }: ObjectMeta) => `${namespace ? `${namespace}/` : ''}${name}`;
