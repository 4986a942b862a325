import { useRef, useState } from 'preact/hooks';
import { Icon } from '../icon';

interface Props {
  label: string;
  /** Before the line. */
  mark: string;
  placeholder: string;
  disabled?: boolean;
  onLine(line: string): void;
}

/** Takes lines. The arrows bring back earlier ones. */
export function LineInput({ label, mark, placeholder, disabled, onLine }: Props) {
  const [line, setLine] = useState('');
  const history = useRef<string[]>([]);
  const at = useRef(0);
  const enter = () => {
    if (disabled || line === '') return;
    history.current.push(line);
    at.current = history.current.length;
    onLine(line);
    setLine('');
  };
  const recall = (step: number) => {
    at.current = Math.min(Math.max(at.current + step, 0), history.current.length);
    setLine(history.current[at.current] ?? '');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') enter();
    else if (event.key === 'ArrowUp') recall(-1);
    else if (event.key === 'ArrowDown') recall(1);
    else return;
    event.preventDefault();
  };
  return (
    <div class="prompt">
      <label class="mono">
        <span aria-hidden="true">{mark}</span>
        <input
          aria-label={label}
          class="mono"
          value={line}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          placeholder={placeholder}
          onInput={(event) => setLine(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button class="button icon-only" aria-label="Enter" disabled={disabled || line === ''} onClick={enter}>
          <Icon name="send" />
        </button>
      </label>
    </div>
  );
}
