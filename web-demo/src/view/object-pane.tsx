import { useEffect, useRef, useState } from 'preact/hooks';
import type { Propagation } from '../api/actions';
import { type Answer, type Client, isGood, type Send } from '../api/client';
import { awaitedOf } from '../api/deletion';
import { resourcePath } from '../api/paths';
import type { Resource } from '../api/types';
import { DeleteDialog } from './delete-dialog';
import { Editor, type Format } from './editor';
import { managedFieldsRange } from './folds';
import { FormatSwitch } from './format-switch';
import { Icon } from './icon';
import { LatePart } from './late-part';
import { type Outcome, OutcomeNote, outcomeOf } from './outcome';

interface Props {
  client: Client;
  resource: Resource;
  name: string;
  namespace: string;
  /** The version in the table; `undefined` once the object is gone. */
  currentVersion: string | undefined;
  onClose(): void;
  /** Opens the request pane with this request. */
  onRequest(request: Send): void;
  /** Opens the patch bench with the object's text. */
  onBench(text: string): void;
  /** All resources, among which relations are looked for. */
  kinds: readonly Resource[];
  onOpenOther(resource: Resource, name: string, namespace: string): void;
}

const kMediaType = { yaml: 'application/yaml', json: 'application/json' } as const;

/** Shows an object as text, to read, edit, replace and delete. Another object is another pane (`key`). */
export function ObjectPane(props: Props) {
  const { client, resource, name, namespace, currentVersion, onClose, onRequest, onBench, kinds, onOpenOther } = props;
  const [shows, setShows] = useState<'text' | 'review' | 'relations' | 'containers'>('text');
  const toggle = (view: typeof shows) => setShows(shows === view ? 'text' : view);
  const path = resourcePath(resource, namespace, name);
  const [format, setFormat] = useState<Format>('yaml');
  const [loaded, setLoaded] = useState('');
  const [text, setText] = useState(loaded);
  const [outcome, setOutcome] = useState<Outcome>();
  const [deleting, setDeleting] = useState(false);
  const dirty = text !== loaded;
  const latest = useRef(text);
  latest.current = text;

  const show = (shown: string) => {
    setLoaded(shown);
    setText(shown);
  };
  /** Loads the object, but keeps text that was typed meanwhile. `again`: it may be gone by now, which the table tells. */
  const load = async (as: Format = format, again = false, drop = false) => {
    const before = latest.current;
    const answer = await client.send({ target: path, headers: { accept: kMediaType[as] } });
    if (!isGood(answer)) {
      if (!again || answer.status !== 404) setOutcome(outcomeOf(answer, ''));
    } else if (drop || latest.current === before) show(as === 'json' ? indented(answer.text) : answer.text);
  };
  useEffect(() => {
    void load();
  }, [path]);

  const shownVersion = versionOf(loaded);
  const changedBehind = shownVersion !== '' && currentVersion !== shownVersion;
  useEffect(() => {
    if (changedBehind && currentVersion !== undefined && !dirty) void load(format, true);
  }, [changedBehind, currentVersion]);

  const save = async () => {
    const answer = await client.send({
      method: 'PUT',
      target: path,
      headers: { 'content-type': kMediaType[format], accept: kMediaType[format] },
      body: text,
    });
    setOutcome(outcomeOf(answer, 'Replaced'));
    if (isGood(answer)) show(format === 'json' ? indented(answer.text) : answer.text);
  };
  const remove = async (atOnce: boolean, propagation: Propagation) => {
    const options = { ...(atOnce && { gracePeriodSeconds: '0' }), ...(propagation !== 'background' && { propagationPolicy: propagation === 'orphan' ? 'Orphan' : 'Foreground' }) };
    const query = new URLSearchParams(options as Record<string, string>);
    const target = query.size > 0 ? `${path}?${query}` : path;
    setOutcome(deletionOutcome(await client.send({ method: 'DELETE', target, headers: { accept: 'application/json' } })));
  };
  const patch = () =>
    onRequest({
      method: 'PATCH',
      target: path,
      headers: { 'content-type': 'application/merge-patch+json', accept: kMediaType[format] },
      body: '{\n  "metadata": {\n    "labels": {\n      "touched-by": "playground"\n    }\n  }\n}\n',
    });
  const switchFormat = (to: Format) => {
    setFormat(to);
    void load(to);
  };

  return (
    <section class="pane object-pane" aria-label="Object">
      <div class="pane-head">
        <h2>{name}</h2>
        {namespace && <span class="tag">{namespace}</span>}
        {dirty && <span class="phase loading">edited</span>}
        <span class="grow" />
        <FormatSwitch format={format} disabled={dirty} onChange={switchFormat} />
        <button class="button quiet icon-only" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {changedBehind && (dirty || currentVersion === undefined) && (
        <div class="outcome waiting" role="status">
          {currentVersion === undefined ? 'This object is gone.' : `It changed meanwhile, to version ${currentVersion}. `}
          {currentVersion !== undefined && (
            <button class="link" onClick={() => void load(format, false, true)}>
              Load it and drop the edits
            </button>
          )}
        </div>
      )}
      <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />
      {shows === 'review' ? (
        <LatePart key="review" load={() => import('./review')}>
          {({ Review }) => (
            <Review
              client={client}
              path={path}
              before={loaded}
              after={text}
              onSent={(answer) => {
                setShows('text');
                setOutcome(outcomeOf(answer, 'Sent'));
                if (isGood(answer)) void load(format, false, true);
              }}
            />
          )}
        </LatePart>
      ) : shows === 'containers' ? (
        <LatePart key="containers" load={() => import('./containers/containers')}>
          {({ Containers }) => <Containers client={client} pod={path} name={name} namespace={namespace} version={currentVersion} />}
        </LatePart>
      ) : shows === 'relations' ? (
        <LatePart key="relations" load={() => import('./relations')}>
          {({ RelationsView }) => (
            <RelationsView client={client} kinds={kinds} resource={resource} name={name} namespace={namespace} version={currentVersion} onOpen={onOpenOther} />
          )}
        </LatePart>
      ) : (
        <Editor text={text} format={format} label={`${resource.kind} as ${format}`} onChange={setText} onSubmit={() => void save()} foldAt={managedFieldsRange} client={client} causes={outcome?.causes} />
      )}
      <div class="pane-foot">
        <button class="button primary" onClick={() => void save()} title="Ctrl+S">
          Replace
        </button>
        <button class="button" aria-pressed={shows === 'review'} disabled={!dirty && shows !== 'review'} onClick={() => toggle('review')} title="See what changes before it is sent: as a replacement, an apply or a patch">
          Review
        </button>
        <button class="button" onClick={() => void load(format, false, true)} disabled={!dirty}>
          Undo edits
        </button>
        {resource.verbs.includes('patch') && (
          <button class="button" onClick={patch}>
            Patch…
          </button>
        )}
        {resource.kind === 'Pod' && resource.group === '' && (
          <button class="button" aria-pressed={shows === 'containers'} onClick={() => toggle('containers')} title="Logs, a shell, and ports of its containers">
            Containers
          </button>
        )}
        <button class="button" aria-pressed={shows === 'relations'} onClick={() => toggle('relations')} title="Owners and dependents, conditions, events">
          Relations
        </button>
        <button class="button" onClick={() => onBench(text)} title="See what patches make of it, and who owns its fields">
          Bench
        </button>
        <span class="grow" />
        {resource.verbs.includes('delete') && (
          <button class="button danger" onClick={() => setDeleting(true)}>
            <Icon name="trash" /> Delete
          </button>
        )}
      </div>
      {deleting && (
        <DeleteDialog
          what={`${resource.kind} ${namespace && `${namespace}/`}${name}`}
          graceful={resource.kind === 'Pod' && resource.group === ''}
          onDelete={(atOnce, propagation) => void remove(atOnce, propagation)}
          onClose={() => setDeleting(false)}
        />
      )}
    </section>
  );
}

function deletionOutcome(answer: Answer): Outcome {
  const awaited = isGood(answer) ? awaitedOf(answer) : undefined;
  if (awaited === undefined) return outcomeOf(answer, 'Deleted');
  return { tone: 'waiting', title: `${answer.status} Terminating`, text: `It is there until ${awaited}.` };
}

function indented(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    return text;
  }
}

// Finds it without a parser, as the server's own YAML and JSON are regular. It searches `metadata` of the object itself,
// which is indented by two spaces in both formats.
const versionOf = (text: string) => text.match(/^(?: {2}resourceVersion| {4}"resourceVersion"): "?([^",\n]*)/m)?.[1] ?? '';
