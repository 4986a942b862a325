import { useState } from 'preact/hooks';
import { type Client, isGood } from '../api/client';
import { type Created, createObjects, type Here } from '../api/create';
import { readManifests } from '../api/manifests';
import { newObject } from '../api/templates';
import { pause } from '../api/transport';
import type { Resource } from '../api/types';
import { Editor, type Format } from './editor';
import { FileButton } from './file-button';
import { FormatSwitch } from './format-switch';
import { Icon } from './icon';
import { type Outcome, OutcomeNote, outcomeOf } from './outcome';
import { textOfFiles } from './use-files';

interface Props {
  client: Client;
  here: Here;
  /** The text to begin with; a template of the open kind if left out. */
  given?: string;
  /** Called with the only created object. */
  onOpen(resource: Resource, name: string, namespace: string): void;
  onClose(): void;
}

/** Creates objects from manifests: of any kinds, in many documents. */
export function NewPane({ client, here, given, onOpen, onClose }: Props) {
  const { resource, namespace } = here;
  const [format, setFormat] = useState<Format>('yaml');
  const template = (as: Format) => newObject(resource, namespace, as);
  const [text, setText] = useState(() => given ?? template('yaml'));
  const { outcome, setOutcome, progress, create } = useCreation(client, here, onOpen);
  const untouched = text === template(format);
  const switchFormat = (to: Format) => {
    setFormat(to);
    setText(template(to));
  };
  return (
    <section class="pane object-pane" aria-label="Object">
      <div class="pane-head">
        <h2>{given === undefined ? `New ${resource.kind}` : 'New objects'}</h2>
        <span class="grow" />
        {untouched && <FormatSwitch format={format} disabled={false} onChange={switchFormat} />}
        <button class="button quiet icon-only" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />
      <Editor text={text} format={format} label={`Manifests as ${format}`} onChange={setText} onSubmit={() => void create(text)} client={client} causes={outcome?.causes} />
      <div class="pane-foot">
        <button class="button primary" disabled={progress !== undefined} onClick={() => void create(text)} title="Ctrl+S">
          {progress ?? 'Create'}
        </button>
        <FileButton accept=".yaml,.yml,.json" multiple onFiles={(files) => void textOfFiles(files).then(setText)}>
          Open files…
        </FileButton>
        <span class="muted pane-note">Any kinds, many documents. Files can be dropped on the page.</span>
      </div>
    </section>
  );
}

function useCreation(client: Client, here: Here, onOpen: Props['onOpen']) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [progress, setProgress] = useState<string>();
  const create = async (text: string) => {
    setProgress('Creating…');
    await pause(0, new AbortController().signal); // shows it before the work
    const manifests = await readManifests(text);
    const step = (done: number) => manifests.length > 1 && setProgress(`Created ${done} of ${manifests.length}`);
    const created = await createObjects(client, manifests, here, step);
    setProgress(undefined);
    setOutcome(summary(created));
    const [only] = created;
    if (!only?.resource || created.length > 1 || !isGood(only.answer)) return;
    const [made] = await readManifests(only.answer.text);
    onOpen(only.resource, made!.name, made!.namespace);
  };
  return { outcome, setOutcome, progress, create };
}

function summary(created: readonly Created[]): Outcome {
  if (created.length === 1) return outcomeOf(created[0]!.answer, 'Created');
  const refused = created.filter(({ answer }) => !isGood(answer));
  const title = `${created.length - refused.length} of ${created.length} created`;
  if (refused.length === 0) return { tone: 'good', title };
  const causes = refused.map(({ manifest, answer }) => ({
    field: `${manifest.kind} ${manifest.name}`.trim(),
    message: `${answer.status || ''} ${answer.failure?.message ?? ''}`.trim(),
  }));
  return { tone: 'bad', title, causes };
}
