import { useMemo, useState } from 'preact/hooks';
import { decode, encode, ready, type KubernetesObject } from 'tabernetes';
import { evaluate, splitOwners, withOwners, type Verdict } from '../bench/evaluate';
import { kExamples, sampleObject, type Example, type PatchKind } from '../bench/examples';
import { linesOf } from '../bench/lines';
import { Editor } from './editor';
import { OwnedLines, OwnerChip } from './owned-lines';

interface Props {
  /** The initial object, as YAML; the sample if left out. */
  object?: string;
}

const kKinds: Readonly<Record<PatchKind, string>> = { json: 'JSON Patch', merge: 'Merge', strategic: 'Strategic', apply: 'Apply' };

/** Loads the view that shows the result of a patch before any server sees it. */
export async function loadPatchBench() {
  await ready();
  return Bench;
}

function Bench({ object }: Props) {
  const { live, setLive, managedFields, show, fold } = useLiveObject(object);
  const [example, setExample] = useState<Example>(kExamples[0]!);
  const [patch, setPatch] = useState(() => (object === undefined ? kExamples[0]!.patch : ''));
  const [kind, setKind] = useState<PatchKind>(() => (object === undefined ? kExamples[0]!.kind : 'merge'));
  const [manager, setManager] = useState(kExamples[0]!.manager);
  const [force, setForce] = useState(false);
  const verdict = useMemo(() => evaluate({ live, managedFields, patch, kind, manager, force }), [live, managedFields, patch, kind, manager, force]);

  const tryExample = (title: string) => {
    const chosen = kExamples.find((each) => each.title === title)!;
    setExample(chosen);
    setPatch(chosen.patch);
    setKind(chosen.kind);
    setManager(chosen.manager);
    setForce(false);
  };

  return (
    <main class="bench">
      <section class="pane" aria-label="Live object">
        <div class="pane-head">
          <h2>Live object</h2>
          <span class="grow" />
          <button class="button quiet" aria-pressed={!managedFields} onClick={fold} title="Who owns its fields: shown or folded away">
            managedFields
          </button>
          <button class="button quiet" onClick={() => show(sampleObject())}>
            Sample
          </button>
        </div>
        <Editor text={live} format="yaml" label="Live object as yaml" onChange={setLive} onSubmit={() => {}} />
      </section>
      <section class="pane" aria-label="Patch">
        <div class="pane-head">
          <h2>Patch</h2>
          <span class="switch" role="group" aria-label="Type">
            {(Object.keys(kKinds) as PatchKind[]).map((each) => (
              <button key={each} aria-pressed={each === kind} onClick={() => setKind(each)}>
                {kKinds[each]}
              </button>
            ))}
          </span>
          <span class="grow" />
          <select class="examples" aria-label="Example" value={example.title} onChange={(event) => tryExample(event.currentTarget.value)}>
            {kExamples.map(({ title }) => (
              <option key={title}>{title}</option>
            ))}
          </select>
        </div>
        <div class="bench-options">
          <label>
            <span class="muted">Manager</span>
            <input class="mono" value={manager} spellcheck={false} onInput={(event) => setManager(event.currentTarget.value)} />
          </label>
          {kind === 'apply' && (
            <label>
              <input type="checkbox" checked={force} onChange={(event) => setForce(event.currentTarget.checked)} />
              <span>Force conflicts</span>
            </label>
          )}
        </div>
        <Editor text={patch} format="yaml" label="Patch as yaml or json" onChange={setPatch} onSubmit={() => {}} />
      </section>
      <section class="pane result-pane" aria-label="Result">
        <div class="pane-head">
          <h2>Result</h2>
          <Summary verdict={verdict} />
          <span class="grow" />
          {verdict.conflicts.length > 0 && (
            <button class="button danger" onClick={() => setForce(true)}>
              Force
            </button>
          )}
          <button class="button" disabled={!verdict.after || verdict.conflicts.length > 0} onClick={() => show(verdict.after!)} title="Go on from here">
            Use as live object
          </button>
        </div>
        <Outcome verdict={verdict} />
      </section>
    </main>
  );
}

/** Holds the text of the live object. Its managedFields are in the text or, folded away, beside it. */
function useLiveObject(text: string | undefined) {
  const [start] = useState(() => foldedOf(text));
  const [live, setLive] = useState(start.live);
  const [managedFields, setManagedFields] = useState(start.managedFields);
  const show = (object: KubernetesObject) => {
    const [bare, owners] = managedFields || !live ? splitOwners(object) : [object, undefined];
    setLive(yamlOf(bare));
    setManagedFields(owners);
  };
  const fold = () => {
    try {
      const object = decode(live, 'application/yaml');
      const [shown, owners] = managedFields ? [withOwners(object, managedFields), undefined] : splitOwners(object);
      setLive(yamlOf(shown));
      setManagedFields(owners);
    } catch {
      // Text that cannot be parsed is left as it is.
    }
  };
  return { live, setLive, managedFields, show, fold };
}

function foldedOf(text: string | undefined): { live: string; managedFields: unknown } {
  try {
    const [bare, managedFields] = splitOwners(text === undefined ? sampleObject() : decode(text, 'application/yaml'));
    return { live: yamlOf(bare), managedFields };
  } catch {
    return { live: text!, managedFields: undefined };
  }
}

function Summary({ verdict: { before, after, conflicts } }: { verdict: Verdict }) {
  if (!after) return <span class="phase failed">refused</span>;
  if (conflicts.length > 0) return <span class="phase failed">conflict</span>;
  if (!before) return <span class="phase live">created</span>;
  const changed = JSON.stringify(withoutOwners(before)) !== JSON.stringify(withoutOwners(after));
  return <span class={`phase ${changed ? 'live' : ''}`}>{changed ? 'changed' : 'unchanged'}</span>;
}

function Outcome({ verdict }: { verdict: Verdict }) {
  const { before, after, conflicts, warnings, owners, refusal } = verdict;
  const managers = useMemo(() => namesOf(verdict), [verdict]);
  return (
    <>
      {refusal && (
        <div class="outcome bad" role="status">
          <strong>{refusal.title}</strong> in the {refusal.of}: <span class="refusal">{refusal.text}</span>
        </div>
      )}
      {warnings.map((text) => (
        <div key={text} class="outcome waiting" role="status">
          <strong>Warning</strong> {text}
        </div>
      ))}
      {conflicts.length > 0 && (
        <div class="outcome bad conflicts" role="status">
          <strong>409 Conflict</strong> nothing is changed; below is what force would make of it
          <ul>
            {conflicts.map(({ manager, fields, message }) => (
              <li key={message}>
                <OwnerChip manager={manager} managers={managers} /> owns{' '}
                {fields.map((field) => (
                  <code key={field}>{field}</code>
                ))}
              </li>
            ))}
          </ul>
        </div>
      )}
      {after ? (
        <OwnedLines lines={linesOf(before, after)} owners={owners} conflicts={conflicts} managers={managers} />
      ) : (
        <p class="empty">What the patch makes of the object appears here, with the owners of each field.</p>
      )}
    </>
  );
}

/** Returns all managers in order of appearance; the index determines the colour. */
function namesOf({ owners, conflicts }: Verdict): string[] {
  const all = [...owners.flatMap((field) => field.managers), ...conflicts.map(({ manager }) => manager)];
  return [...new Set(all.map(({ manager }) => manager))].sort();
}

function withoutOwners(object: KubernetesObject): unknown {
  return { ...object, metadata: { ...(object.metadata as object), managedFields: undefined } };
}

function yamlOf(object: object): string {
  return new TextDecoder().decode(encode(object, 'application/yaml'));
}
