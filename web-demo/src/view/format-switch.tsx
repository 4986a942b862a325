import type { Format } from './editor';

export function FormatSwitch(props: { format: Format; disabled: boolean; onChange(format: Format): void }) {
  return (
    <span class="switch" role="group" aria-label="Format" title={props.disabled ? 'Save or undo the edits first' : undefined}>
      {(['yaml', 'json'] as const).map((each) => (
        <button key={each} aria-pressed={each === props.format} disabled={props.disabled} onClick={() => each !== props.format && props.onChange(each)}>
          {each.toUpperCase()}
        </button>
      ))}
    </span>
  );
}
