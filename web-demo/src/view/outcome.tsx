import { type Answer, isGood } from '../api/client';
import type { Status } from '../api/types';

/** The result of the last request, in one line or a few. */
export interface Outcome {
  /** `waiting`: accepted, but not done yet. */
  tone: 'good' | 'waiting' | 'bad';
  title: string;
  text?: string;
  causes?: { field?: string; message?: string }[];
}

export function outcomeOf(answer: Answer, done: string): Outcome {
  if (isGood(answer)) return { tone: 'good', title: `${answer.status} ${done}` };
  return failureOutcome(answer.status, answer.failure);
}

function failureOutcome(code: number, failure: Status | undefined): Outcome {
  return {
    tone: 'bad',
    title: code === 0 ? 'No answer' : `${code} ${failure?.reason ?? ''}`.trim(),
    text: failure?.message,
    causes: failure?.details?.causes,
  };
}

export function OutcomeNote({ outcome, onClose }: { outcome: Outcome | undefined; onClose(): void }) {
  if (!outcome) return null;
  const causes = outcome.causes && outcome.causes.length > (outcome.text ? 1 : 0) ? outcome.causes : undefined;
  return (
    <div class={`outcome ${outcome.tone}`} role="status">
      <strong>{outcome.title}</strong>
      {outcome.text && <span> {causes ? outcome.text.replace(/( is invalid:) \[[^]*$/, '$1') : outcome.text}</span>}
      {causes && (
        <ul>
          {causes.map(({ field, message }, index) => (
            <li key={index}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <button class="close" aria-label="Dismiss" onClick={onClose}>
        ×
      </button>
    </div>
  );
}
