import '../style/composer.css';
import { kAcceptForms, kRequestOptions, optionOf, preconditionsBody, type RequestOption, shapeOf, withOption } from '../api/request-options';
import { useState } from 'preact/hooks';

interface Props {
  method: string;
  target: string;
  accept: string;
  onTarget(target: string): void;
  onAccept(accept: string): void;
  /** Called with DeleteOptions. */
  onBody(body: string): void;
}

/** Controls for every option of the request; what they set can be read in its path, headers and body. */
export function Composer({ method, target, accept, onTarget, onAccept, onBody }: Props) {
  const shape = shapeOf(method, target);
  return (
    <div class="composer" role="group" aria-label="Options">
      <label>
        <span>Answer as</span>
        <select aria-label="Answer as" value={accept} onChange={(event) => onAccept(event.currentTarget.value)}>
          {!kAcceptForms.some((each) => each.accept === accept) && <option value={accept}>{accept}</option>}
          {kAcceptForms.map((each) => (
            <option key={each.text} value={each.accept}>
              {each.text}
            </option>
          ))}
        </select>
      </label>
      {kRequestOptions
        .filter(({ applies }) => applies(shape))
        .map((option) => (
          <OptionField key={option.name} option={option} value={optionOf(target, option.name)} onChange={(value) => onTarget(withOption(target, option.name, value))} />
        ))}
      {method === 'DELETE' && <Preconditions onBody={onBody} />}
      <p class="muted">Compression (Accept-Encoding) is the browser's own: it asks every server for it.</p>
    </div>
  );
}

function OptionField({ option: { name, choices, help }, value, onChange }: { option: RequestOption; value: string; onChange(value: string): void }) {
  return (
    <label title={help}>
      <span class="mono">{name}</span>
      {choices ? (
        <select aria-label={name} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">-</option>
          {choices.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      ) : (
        <input class="mono" value={value} placeholder={help} spellcheck={false} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
    </label>
  );
}

function Preconditions({ onBody }: Pick<Props, 'onBody'>) {
  const [uid, setUid] = useState('');
  const [version, setVersion] = useState('');
  const field = (name: string, value: string, set: (value: string) => void, body: (value: string) => string) => (
    <label title="Else the answer is 409 Conflict">
      <span class="mono">{name}</span>
      <input
        class="mono"
        value={value}
        placeholder="Deletes only this one"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          set(currentTarget.value);
          onBody(body(currentTarget.value));
        }}
      />
    </label>
  );
  return (
    <>
      {field('preconditions.uid', uid, setUid, (value) => preconditionsBody(value, version))}
      {field('preconditions.resourceVersion', version, setVersion, (value) => preconditionsBody(uid, value))}
    </>
  );
}
