import { useEffect, useState } from 'preact/hooks';
import { checkInWords } from '../../tour/explain';
import { Attempt, type Exercise, type Sent } from '../../tour/exercises';
import { parseProof } from '../../tour/language';
import { pageCodec, pageHost } from '../../tour/page-host';
import { longTarget } from '../../tour/short-forms';
import { kTexts, type Language, type Texts } from '../../tour/texts';
import { ExchangeView } from './step';

interface Props {
  exercise: Exercise;
  language: Language;
  solved: boolean;
  onSolved(): void;
}

const kMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const kTypes = ['application/json', 'application/yaml', 'application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json', 'application/apply-patch+yaml'];
const kAccepts = ['application/json', 'application/yaml', 'application/json;as=Table;g=meta.k8s.io;v=v1', 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'];

/** A task on a cluster of its own, with a form for requests. */
export function ExerciseView({ exercise, language, solved, onSolved }: Props) {
  const texts = kTexts[language];
  const [attempt, setAttempt] = useState<Attempt>();
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const [missing, setMissing] = useState<string>();
  useEffect(() => () => attempt?.end(), [attempt]);
  const start = async () => {
    setSent([]);
    setMissing(undefined);
    setAttempt(await Attempt.begin(exercise, await pageHost(undefined), pageCodec));
  };
  const check = async () => {
    const what = await attempt!.missing();
    setMissing(what);
    if (what === '') onSolved();
  };
  return (
    <section class="exercise" aria-label={exercise.title[language]}>
      <h3>
        {texts.exercise}: {exercise.title[language]} {solved && <span class="mark good" role="img" aria-label={texts.right}>✓</span>}
      </h3>
      <p>{exercise[language].replace('{v}', attempt ? attempt.version : '…')}</p>
      <details class="hint">
        <summary>{texts.hint}</summary>
        <p>{exercise.hint[language]}</p>
      </details>
      {attempt && (
        <RequestForm
          texts={texts}
          onSend={async (line) => {
            const one = await attempt.send(line);
            setSent((last) => [...last, one]);
            setMissing(undefined);
          }}
        />
      )}
      {sent.map(({ request, seen }, index) => (
        <ExchangeView key={index} request={request} seen={seen} texts={texts} />
      ))}
      <div class="exercise-foot">
        <button class={`button ${attempt ? '' : 'primary'}`} onClick={() => void start()}>
          {attempt ? texts.startAgain : texts.start}
        </button>
        {attempt && (
          <button class="button primary" disabled={sent.length === 0} onClick={() => void check()}>
            {texts.check}
          </button>
        )}
        <span role="status" class={missing === '' ? 'check good' : 'check'}>
          {missing === '' && texts.solved}
          {missing && `${texts.missing} ${stepInWords(missing, texts)}`}
        </span>
      </div>
    </section>
  );
}

/** Says what is missing without giving more away than the task does. */
function stepInWords(line: string, texts: Texts): string {
  const [step] = parseProof(line);
  if (step?.action.do !== 'send') return line;
  const { method, target } = step.action.request;
  return `${method} ${longTarget(target).split('?')[0]}: ${step.checks.map((each) => checkInWords(each, each.value, texts)).join('; ')}`;
}

function RequestForm({ texts, onSend }: { texts: Texts; onSend(line: string): Promise<void> }) {
  const [method, setMethod] = useState('GET');
  const [target, setTarget] = useState('/api/v1/namespaces/t/configmaps');
  const [accept, setAccept] = useState('application/json');
  const [type, setType] = useState('application/json');
  const [body, setBody] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const hasBody = method !== 'GET';
  const send = async () => {
    setBusy(true);
    setFault('');
    try {
      const watches = method === 'GET' && /[?&]watch(=(1|true))?(&|$)/.test(target);
      const path = watches ? target.replace(/([?&])(watch(=(1|true))?|timeoutSeconds=\d+)(?=&|$)/g, '$1').replace(/&&+/g, '&').replace('?&', '?').replace(/[?&]$/, '') : target;
      const withBody = hasBody && body.trim() !== '' ? ` C:"${type}" raw ${body.trim().replaceAll('\n', '\\n')}` : '';
      await onSend(`${watches ? 'WATCH' : method} ${path.trim()} A:"${accept}"${withBody}`);
    } catch (error) {
      setFault((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="tour-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="request-line">
        <select aria-label={texts.method} value={method} onChange={(event) => setMethod(event.currentTarget.value)}>
          {kMethods.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <input class="mono" aria-label={texts.path} value={target} spellcheck={false} onInput={(event) => setTarget(event.currentTarget.value)} />
        <button class="button primary" type="submit" disabled={busy}>
          {texts.send}
        </button>
      </div>
      <Choice label={texts.accept} value={accept} choices={kAccepts} onChange={setAccept} />
      {hasBody && <Choice label={texts.contentType} value={type} choices={kTypes} onChange={setType} />}
      {hasBody && <textarea class="mono" rows={5} aria-label={texts.body} value={body} spellcheck={false} onInput={(event) => setBody(event.currentTarget.value)} />}
      <p class="muted">{texts.watchNote}</p>
      {fault && <p class="check bad">{fault}</p>}
    </form>
  );
}

function Choice(props: { label: string; value: string; choices: readonly string[]; onChange(value: string): void }) {
  return (
    <label class="header-field">
      <span>{props.label}</span>
      <select class="mono" value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.choices.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}
