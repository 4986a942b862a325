import { useEffect, useRef, useState } from 'preact/hooks';
import { type Client, isGood, type Send } from '../api/client';
import { resourcePath } from '../api/paths';
import { newObject } from '../api/templates';
import type { Resource } from '../api/types';
import { writtenScalar } from '../api/written';
import { Editor, type Format } from './editor';
import { Icon } from './icon';
import { type Outcome, OutcomeNote, outcomeOf } from './outcome';

interface Props {
  client: Client;
  resource: Resource;
  /** Name of the open object; empty for a new one. */
  name: string;
  namespace: string;
  /** The version in the table; `undefined` once the object is gone. */
  currentVersion: string | undefined;
  onOpen(name: string, namespace: string): void;
  onClose(): void;
  /** Opens the request pane with this request. */
  onRequest(request: Send): void;
  /** Opens the patch bench with the object's text. */
  onBench(text: string): void;
}

const kMediaType = { yaml: 'application/yaml', json: 'application/json' } as const;

/** Shows an object as text, to read, edit, create, replace and delete. Another object is another pane (`key`). */
export function ObjectPane(props: Props) {
  const { client, resource, name, namespace, currentVersion, onOpen, onClose, onRequest, onBench } = props;
  const isNew = name === '';
  const path = resourcePath(resource, namespace, name);
  const [format, setFormat] = useState<Format>('yaml');
  const [loaded, setLoaded] = useState(() => (isNew ? newObject(resource, namespace, 'yaml') : ''));
  const [text, setText] = useState(loaded);
  const [outcome, setOutcome] = useState<Outcome>();
  const dirty = text !== loaded;
  const latest = useRef(text);
  latest.current = text;

  const show = (shown: string) => {
    setLoaded(shown);
    setText(shown);
  };
  /** Loads the object, but keeps text that was typed meanwhile. */
  const load = async (as: Format = format) => {
    const before = latest.current;
    const answer = await client.send({ target: path, headers: { accept: kMediaType[as] } });
    if (!isGood(answer)) setOutcome(outcomeOf(answer, ''));
    else if (latest.current === before) show(as === 'json' ? indented(answer.text) : answer.text);
  };
  useEffect(() => {
    if (!isNew) void load();
  }, [path]);

  const shownVersion = versionOf(loaded);
  const changedBehind = !isNew && shownVersion !== '' && currentVersion !== shownVersion;
  useEffect(() => {
    if (changedBehind && currentVersion !== undefined && !dirty) void load();
  }, [changedBehind, currentVersion]);

  const save = async () => {
    const answer = await client.send({
      method: isNew ? 'POST' : 'PUT',
      target: isNew ? resourcePath(resource, writtenScalar(text, 'metadata', 'namespace') || namespace) : path,
      headers: { 'content-type': kMediaType[format], accept: kMediaType[format] },
      body: text,
    });
    setOutcome(outcomeOf(answer, isNew ? 'Created' : 'Replaced'));
    if (!isGood(answer)) return;
    if (isNew) onOpen(nameOf(answer.text), namespaceOf(answer.text));
    else show(format === 'json' ? indented(answer.text) : answer.text);
  };
  const remove = async () => {
    const answer = await client.send({ method: 'DELETE', target: path, headers: { accept: 'application/json' } });
    setOutcome(outcomeOf(answer, 'Deleted'));
  };
  const patch = () =>
    onRequest({
      method: 'PATCH',
      target: path,
      headers: { 'content-type': 'application/merge-patch+json', accept: kMediaType[format] },
      body: '{\n  "metadata": {\n    "labels": {\n      "touched-by": "playground"\n    }\n  }\n}\n',
    });
  const switchFormat = (to: Format) => {
    if (to === format) return;
    setFormat(to);
    if (isNew) show(newObject(resource, namespace, to));
    else void load(to);
  };

  return (
    <section class="pane object-pane" aria-label="Object">
      <div class="pane-head">
        <h2>{isNew ? `New ${resource.kind}` : name}</h2>
        {!isNew && namespace && <span class="tag">{namespace}</span>}
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
            <button class="link" onClick={() => void load()}>
              Load it and drop the edits
            </button>
          )}
        </div>
      )}
      <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />
      <Editor text={text} format={format} label={`${resource.kind} as ${format}`} onChange={setText} onSubmit={() => void save()} />
      <div class="pane-foot">
        <button class="button primary" onClick={() => void save()} title="Ctrl+S">
          {isNew ? 'Create' : 'Replace'}
        </button>
        {!isNew && (
          <button class="button" onClick={() => void load()} disabled={!dirty}>
            Undo edits
          </button>
        )}
        {!isNew && resource.verbs.includes('patch') && (
          <button class="button" onClick={patch}>
            Patch…
          </button>
        )}
        {!isNew && (
          <button class="button" onClick={() => onBench(text)} title="See what patches make of it, and who owns its fields">
            Bench
          </button>
        )}
        <span class="grow" />
        {!isNew && (
          <button class="button danger" onClick={() => void remove()}>
            <Icon name="trash" /> Delete
          </button>
        )}
      </div>
    </section>
  );
}

function FormatSwitch(props: { format: Format; disabled: boolean; onChange(format: Format): void }) {
  return (
    <span class="switch" role="group" aria-label="Format" title={props.disabled ? 'Save or undo the edits first' : undefined}>
      {(['yaml', 'json'] as const).map((each) => (
        <button key={each} aria-pressed={each === props.format} disabled={props.disabled} onClick={() => props.onChange(each)}>
          {each.toUpperCase()}
        </button>
      ))}
    </span>
  );
}

function indented(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    return text;
  }
}

// Finds three fields without a parser, as the server's own YAML and JSON are regular. It searches `metadata` of the
// object itself, which is indented by two spaces in both formats.
const metadataField = (text: string, field: string) =>
  text.match(new RegExp(`^(?: {2}${field}| {4}"${field}"): "?([^",\\n]*)`, 'm'))?.[1] ?? '';
const versionOf = (text: string) => metadataField(text, 'resourceVersion');
const namespaceOf = (text: string) => metadataField(indented(text), 'namespace');
const nameOf = (text: string) => metadataField(indented(text), 'name');
