import '../style/past.css';
import '../style/review.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { parse } from 'yaml';
import { type Answer, type Client, isGood, type Send } from '../api/client';
import { type EditForm, editRequest, kEditForms } from '../api/edits';
import { differingLines } from '../api/past';
import { OutcomeNote, outcomeOf } from './outcome';

interface Props {
  client: Client;
  /** Of the object. */
  path: string;
  /** The object as it was loaded, and as it was edited. */
  before: string;
  after: string;
  onSent(answer: Answer): void;
}

const kMeanings: Readonly<Record<EditForm, string>> = {
  replace: 'PUT: the object becomes this one, if nobody has written it meanwhile.',
  apply: 'Server-side apply: these fields become yours; those of others conflict.',
  'merge patch': 'JSON Merge Patch: only what you changed is sent. Lists are replaced whole.',
};

/** Shows what an edit sends and what it would change, by a dry run, before it is sent. */
export function Review({ client, path, before, after, onSent }: Props) {
  const [form, setForm] = useState<EditForm>('replace');
  const [force, setForce] = useState(false);
  const edited = useMemo(() => readBoth(before, after), [before, after]);
  const request = (dryRun: boolean): Send | undefined => (typeof edited === 'string' ? undefined : editRequest(form, path, edited.before, edited.after, { force, dryRun }));
  const dry = useDryRun(client, request(true));
  if (typeof edited === 'string') return <p class="empty">{edited}</p>;
  const sent = request(false)!;
  const lines = dry && isGood(dry) ? differingLines(bare(edited.before), bare(JSON.parse(dry.text))) : [];
  return (
    <div class="review" role="region" aria-label="Review" tabIndex={0}>
      <div class="review-head">
        <span class="switch" role="group" aria-label="Send as">
          {kEditForms.map((each) => (
            <button key={each} aria-pressed={each === form} onClick={() => setForm(each)}>
              {each}
            </button>
          ))}
        </span>
        {form === 'apply' && (
          <label class="check">
            <input type="checkbox" checked={force} onChange={(event) => setForce(event.currentTarget.checked)} />
            <span>Force</span>
          </label>
        )}
        <span class="grow" />
        <button class="button primary" disabled={!dry || !isGood(dry)} onClick={() => void client.send(sent).then(onSent)}>
          Send
        </button>
      </div>
      <p class="muted">{kMeanings[form]}</p>
      {dry && !isGood(dry) && (
        <>
          <OutcomeNote outcome={outcomeOf(dry, '')} onClose={() => onSent(dry)} />
          <button class="link" onClick={() => onSent(dry)}>
            {dry.failure?.details?.causes ? 'Show each cause beside its line' : 'Back to the text'}
          </button>
        </>
      )}
      {(!dry || isGood(dry)) && (
        <>
          <h3>What changes (a dry run of the server)</h3>
          <pre class="mono changes-text">
            {!dry && 'Asking the server…'}
            {dry && lines.length === 0 && 'Nothing.'}
            {lines.map((line, index) => (
              <span key={index} class={line.startsWith('+') ? 'added' : 'removed'}>{`${line}\n`}</span>
            ))}
          </pre>
        </>
      )}
      <details>
        <summary>
          {sent.method} {sent.target}
        </summary>
        <pre class="mono">{sent.body}</pre>
      </details>
    </div>
  );
}

type Read = Parameters<typeof editRequest>[2];

/** Returns both objects, or why one cannot be read. JSON is read as YAML. */
function readBoth(before: string, after: string): { before: Read; after: Read } | string {
  try {
    return { before: parse(before) as Read, after: parse(after) as Read };
  } catch (fault) {
    return (fault as Error).message;
  }
}

/** Returns the object without what every write changes. */
function bare(object: Read): Parameters<typeof differingLines>[0] {
  const { resourceVersion: _, generation: __, ...metadata } = object.metadata as Read;
  return { ...object, metadata } as unknown as Parameters<typeof differingLines>[0];
}

function useDryRun(client: Client, request: Send | undefined): Answer | undefined {
  const [answer, setAnswer] = useState<Answer>();
  const key = JSON.stringify(request);
  useEffect(() => {
    if (!request) return;
    const abort = new AbortController();
    setAnswer(undefined);
    client.send({ ...request, signal: abort.signal }).then(setAnswer, () => {});
    return () => abort.abort();
  }, [client, key]);
  return answer;
}
