import { useState } from 'preact/hooks';
import type { Exchange } from '../api/exchange';
import { type Form, kForms, snippet } from '../api/snippets';
import type { Resource } from '../api/types';

interface Props {
  exchange: Exchange;
  /** The address of the shown cluster. */
  server: string;
  kinds: readonly Resource[];
}

/** Shows an exchange as code in one of several forms, to copy. */
export function SnippetView({ exchange, server, kinds }: Props) {
  const [form, setForm] = useState<Form>('curl');
  const [copied, setCopied] = useState(false);
  const text = snippet(form, exchange, server, kinds);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div class="snippet">
      <div class="snippet-head">
        <span class="switch" role="group" aria-label="Form">
          {kForms.map((each) => (
            <button key={each} aria-pressed={each === form} onClick={() => setForm(each)}>
              {each}
            </button>
          ))}
        </span>
        <button class="button quiet" onClick={() => void copy()}>
          <span role="status">{copied ? 'Copied' : 'Copy'}</span>
        </button>
      </div>
      <pre class="mono" role="region" aria-label="Code" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
