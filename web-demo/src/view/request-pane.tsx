import { useState } from 'preact/hooks';
import type { Client, Send } from '../api/client';
import { kAcceptForms } from '../api/request-options';
import { Editor } from './editor';
import { Icon } from './icon';
import { LatePart } from './late-part';
import { type Outcome, OutcomeNote, outcomeOf } from './outcome';

interface Props {
  client: Client;
  /** The initial content of the form. Another request is another pane (`key`). */
  request: Send;
  onClose(): void;
}

const kMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const kContentTypes = [
  'application/json',
  'application/yaml',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const kAccepts = [...kAcceptForms.map(({ accept }) => accept), '*/*'];

/** Sends any request by hand. A stream continues in the exchange pane until it is stopped here. */
export function RequestPane({ client, request, onClose }: Props) {
  const [method, setMethod] = useState(request.method ?? 'GET');
  const [target, setTarget] = useState(request.target);
  const [contentType, setContentType] = useState(request.headers?.['content-type'] ?? 'application/json');
  const [accept, setAccept] = useState(request.headers?.accept ?? 'application/json');
  const [body, setBody] = useState(request.body ?? '');
  const [outcome, setOutcome] = useState<Outcome>();
  const [running, setRunning] = useState<AbortController>();
  const [composes, setComposes] = useState(false);

  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE';
  const send = async () => {
    const abort = new AbortController();
    setRunning(abort);
    try {
      const withBody = hasBody && body.trim() !== '';
      const headers: Record<string, string> = accept === '' ? {} : { accept };
      if (withBody) headers['content-type'] = contentType;
      const answer = await client.send({ method, target, headers, body: withBody ? body : '', signal: abort.signal });
      setOutcome(outcomeOf(answer, 'OK'));
    } catch (error) {
      if (!abort.signal.aborted) setOutcome({ tone: 'bad', title: 'No answer', text: (error as Error).message });
    } finally {
      setRunning(undefined);
    }
  };

  const isJson = contentType.includes('json');
  return (
    <section class="pane object-pane" aria-label="Own request">
      <div class="pane-head">
        <h2>Request</h2>
        <span class="grow" />
        <button class="button quiet" aria-pressed={composes} onClick={() => setComposes(!composes)} title="A control for each option">
          Options
        </button>
        <button class="button quiet icon-only" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <form
        class="request-form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <div class="request-line">
          <select aria-label="Method" value={method} onChange={(event) => setMethod(event.currentTarget.value)}>
            {kMethods.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <input
            class="mono"
            aria-label="Path and query"
            value={target}
            spellcheck={false}
            onInput={(event) => setTarget(event.currentTarget.value)}
          />
          {/* Two elements, because a single one that changes its type under a click would submit. */}
          {running ? (
            <button key="stop" class="button" type="button" onClick={() => running.abort()}>
              Stop
            </button>
          ) : (
            <button key="send" class="button primary" type="submit" title="Ctrl+Enter in the body">
              <Icon name="send" /> Send
            </button>
          )}
        </div>
        <HeaderField label="Accept" value={accept} choices={kAccepts} onChange={setAccept} />
        {hasBody && <HeaderField label="Content-Type" value={contentType} choices={kContentTypes} onChange={setContentType} />}
      </form>
      {composes && (
        <LatePart load={() => import('./composer')}>
          {({ Composer }) => <Composer method={method} target={target} accept={accept} onTarget={setTarget} onAccept={setAccept} onBody={setBody} />}
        </LatePart>
      )}
      <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />
      {hasBody ? (
        <Editor text={body} format={isJson ? 'json' : 'yaml'} label="Body" onChange={setBody} onSubmit={() => void send()} />
      ) : (
        <p class="empty">The answer appears below, among the exchanges.</p>
      )}
    </section>
  );
}

function HeaderField(props: { label: string; value: string; choices: readonly string[]; onChange(value: string): void }) {
  const list = `choices-${props.label}`;
  return (
    <label class="header-field">
      <span>{props.label}</span>
      <input
        class="mono"
        list={list}
        value={props.value}
        spellcheck={false}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <datalist id={list}>
        {props.choices.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  );
}
