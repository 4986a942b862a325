import '../style/rights.css';
import { useState } from 'preact/hooks';
import { textsOf } from '../api/archive';
import type { Group } from '../api/discovery';
import { dumpOf } from '../api/dump';
import { kMostLink, linkOf } from '../api/sharing';
import type { Place } from '../cluster/place';
import { putSnapshot, takeSnapshot } from '../cluster/snapshots';
import type { ExampleName } from '../sample/examples';
import { FileButton } from './file-button';
import { Icon } from './icon';
import { type Outcome, OutcomeNote } from './outcome';
import { saveFile } from './save-file';
import type { Forking } from './time/fork-controls';

interface Props {
  place: Place;
  groups: readonly Group[];
  /** The namespace that the table shows; empty: all. */
  namespace: string;
  forking: Forking | undefined;
  /** Opens manifests, to create their objects. */
  onManifests(text: string): void;
  onClose(): void;
}

const kExamples: readonly { name: ExampleName; text: string; about: string }[] = [
  { name: 'shop', text: 'A shop', about: 'Deployments, a database, a job, three nodes' },
  { name: 'operator', text: 'An operator', about: 'A definition with validation, its objects, its roles' },
  { name: 'broken', text: 'Broken things', about: 'Pods that find no node, a service without endpoints, a quota, a finalizer: repair them' },
  { name: 'pods', text: '10,000 pods', about: 'On 100 nodes. It takes a while' },
];

/** Brings clusters in and out: files, links, examples. */
export function Files({ place, groups, namespace, forking, onManifests, onClose }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [given, setGiven] = useState<string>();
  const [busy, setBusy] = useState('');
  const { transport } = place.client;
  const attempt = async (what: string, work: () => Promise<Outcome | undefined>) => {
    setBusy(what);
    try {
      setOutcome(await work());
    } catch (fault) {
      setOutcome({ tone: 'bad', title: 'No.', text: (fault as Error).message });
    }
    setBusy('');
  };
  const open = (files: File[]) =>
    void attempt('Reading…', async () => {
      const texts = (await Promise.all(files.map(textsOf))).flat();
      if (texts.length === 1 && isSnapshot(texts[0]!)) return void setGiven(texts[0]!);
      if (texts.length === 0) return { tone: 'bad', title: 'No manifests in it.' };
      onManifests(texts.map((text) => text.trimEnd()).join('\n---\n') + '\n');
      return undefined;
    });
  const save = () => void attempt('Saving…', async () => void saveFile('cluster.json', await takeSnapshot(transport)));
  const dump = () =>
    void attempt('Reading…', async () => {
      const objects = await dumpOf(groups, namespace, (target) => itemsOf(transport, target));
      const { yamlOf } = await import('../kubectl/yaml');
      if (objects.length === 0) return { tone: 'bad', title: 'Nothing to save', text: 'but what the cluster makes itself.' };
      saveFile(`${namespace || 'cluster'}.yaml`, objects.map(yamlOf).join('---\n'), 'application/yaml');
      return { tone: 'good', title: `${objects.length} manifests saved,`, text: namespace ? `those of the namespace ${namespace}.` : 'those of all namespaces but kube-*.' };
    });
  const share = () =>
    void attempt('Packing…', async () => {
      const link = await linkOf(await takeSnapshot(transport), location.href);
      if (link.length > kMostLink) return { tone: 'bad', title: 'Too large for a link:', text: `${Math.round(link.length / 1024)} KiB. Save it as a file.` };
      await navigator.clipboard.writeText(link).catch(() => {});
      setLink(link);
      return { tone: 'good', title: 'A link to a fork of this cluster:', text: `${Math.ceil(link.length / 1024)} KiB, copied.` };
    });
  const [link, setLink] = useState('');
  const start = (name: ExampleName) =>
    void attempt('Making it…', async () => {
      const { exampleSnapshot } = await import('../sample/examples');
      await forking!.make(new TextDecoder().decode(await exampleSnapshot(name)), place);
      return undefined;
    });
  const locked = place.locked;
  return (
    <section class="pane object-pane" aria-label="Files and examples">
      <div class="pane-head">
        <h2>Files and examples</h2>
        {busy && <span class="phase loading">{busy}</span>}
        <span class="grow" />
        <button class="button quiet icon-only" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />
      <div class="rights-body" role="region" aria-label="Choices" tabIndex={0}>
        <h3>In</h3>
        <p>Manifests of any kinds, archives of them (tar, tar.gz), or a snapshot. Files can also be dropped on the page.</p>
        <FileButton accept=".yaml,.yml,.json,.tar,.gz,.tgz" multiple onFiles={open}>
          Open files…
        </FileButton>
        {given !== undefined && <GivenSnapshot given={given} place={place} forking={forking} attempt={attempt} onDone={() => setGiven(undefined)} />}
        <h3>Out</h3>
        <div class="time-buttons">
          <button class="button" disabled={locked !== undefined || busy !== ''} title={locked} onClick={save}>
            Save a snapshot
          </button>
          <button class="button" disabled={busy !== ''} title="What was made here, without what the server and its controllers write" onClick={dump}>
            Save manifests
          </button>
          <button class="button" disabled={locked !== undefined || busy !== ''} title={locked ?? 'Without events and owners of fields'} onClick={share}>
            Copy a link
          </button>
        </div>
        {link && <textarea class="mono link-text" readOnly aria-label="Link" rows={3} value={link} onFocus={(event) => event.currentTarget.select()} />}
        {forking && (
          <>
            <h3>Examples</h3>
            <p class="muted">Each opens as a fork, a second cluster in this page; this one stays as it is.</p>
            <ul class="examples">
              {kExamples.map(({ name, text, about }) => (
                <li key={name}>
                  <button class="button" disabled={busy !== ''} onClick={() => start(name)}>
                    {text}
                  </button>
                  <span class="muted">{about}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}

interface GivenProps extends Pick<Props, 'place' | 'forking'> {
  given: string;
  attempt(what: string, work: () => Promise<Outcome | undefined>): Promise<void>;
  onDone(): void;
}

/** Asks what becomes of a snapshot. */
function GivenSnapshot({ given, place, forking, attempt, onDone }: GivenProps) {
  const replace = async (): Promise<Outcome> => {
    await putSnapshot(place.client.transport, given);
    onDone();
    return { tone: 'good', title: 'This cluster is now that of the snapshot.' };
  };
  const open = async () => {
    await forking!.make(given, place);
    return undefined;
  };
  return (
    <div class="time-buttons" role="group" aria-label="Snapshot">
      <span>A snapshot of {Math.round(given.length / 1024)} KiB.</span>
      {forking && (
        <button class="button primary" onClick={() => void attempt('Opening…', open)}>
          Open as a fork
        </button>
      )}
      <button class="button danger" disabled={place.locked !== undefined} title={place.locked ?? 'All that is in it now is lost'} onClick={() => void attempt('Replacing…', replace)}>
        Replace this cluster
      </button>
    </div>
  );
}

async function itemsOf(transport: Place['client']['transport'], target: string): Promise<{ [key: string]: unknown }[]> {
  const { status, text } = await transport.request({ method: 'GET', target, headers: [['accept', 'application/json']], body: '' });
  if (status === 403) return []; // what one may not see
  if (status !== 200) throw new Error(`${target}: the server answered ${status}`);
  return (JSON.parse(text) as { items?: { [key: string]: unknown }[] }).items ?? [];
}

const isSnapshot = (text: string) => /^\s*\{\s*"kind"\s*:\s*"ClusterSnapshot"/.test(text);
