import { actionInWords, verdictInWords } from '../../tour/explain';
import type { HostRequest } from '../../tour/host';
import type { Seen } from '../../tour/answer';
import type { Done } from '../../tour/run';
import type { Texts } from '../../tour/texts';

/** Shows a step: its request and answer, and for each thing to look at whether it is right. */
export function StepView({ done, texts }: { done: Done; texts: Texts }) {
  const words = actionInWords(done.step, texts);
  const { request, seen, verdicts, fault } = done;
  return (
    <li class="step">
      {words && <p class="muted step-words">{words}</p>}
      {request && <ExchangeView request={request} seen={seen} texts={texts} />}
      {fault && <p class="check bad">✗ {fault}</p>}
      {verdicts.length > 0 && (
        <ul class="checks" aria-label={texts.whatToSee}>
          {verdicts.map((verdict, index) => (
            <li key={index} class={`check ${verdict.good ? 'good' : 'bad'}`}>
              <span role="img" aria-label={verdict.good ? texts.right : texts.wrong}>
                {verdict.good ? '✓' : '✗'}
              </span>{' '}
              {verdictInWords(verdict, texts)}
              {!verdict.good && <b> — {texts.butFound(verdict.found)}</b>}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Shows a request as a line that opens. */
export function ExchangeView({ request, seen, texts }: { request: HostRequest; seen: Seen | undefined; texts: Texts }) {
  const { method, target, headers, body } = request;
  const status = seen && seen.status > 0 ? seen.status : undefined;
  return (
    <details class="tour-exchange">
      <summary class="mono">
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <span class="tour-target">{target}</span>{' '}
        {status !== undefined && <span class={`code ${status < 300 ? 'good' : 'bad'}`}>{status}</span>}
      </summary>
      <div class="tour-messages mono" role="region" aria-label={`${texts.request}, ${texts.answer}`} tabIndex={0}>
        <pre>{[`${method} ${target}`, ...headers.map(([name, value]) => `${name}: ${value}`), ...(body === undefined ? [] : ['', bodyText(body)])].join('\n')}</pre>
        {seen && status !== undefined && <pre>{[`${status}`, ...seen.headers.map(([name, value]) => `${name}: ${value}`), '', answerText(seen)].join('\n')}</pre>}
      </div>
    </details>
  );
}

function bodyText(body: Uint8Array | string): string {
  return typeof body === 'string' ? indented(body) : `(${body.length} bytes)\n${printable(body)}`;
}

const kMostShown = 20_000;

function answerText(seen: Seen): string {
  if (seen.events) return seen.events.map((event) => JSON.stringify(event)).join('\n');
  const isText = seen.type.includes('json') || seen.type.includes('yaml') || seen.type.startsWith('text/');
  const text = isText ? indented(seen.text) : printable(seen.bytes);
  return text.length > kMostShown ? `${text.slice(0, kMostShown)}\n…` : text;
}

const printable = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes).replaceAll(/[^\x20-\x7e\n]/g, '·');

function indented(text: string): string {
  if (!text.startsWith('{') && !text.startsWith('[')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
