import type { Change } from '../api/past';

/** Shows what changed, with the lines that differ. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <ul>
      {changes.map(({ kind, name, lines }) => (
        <li key={`${kind} ${name}`}>
          <b class={`change ${kind}`}>{kind}</b> {name}
          {lines.length > 0 && (
            <pre class="mono">
              {lines.map((line, index) => (
                <span key={index} class={line.startsWith('+') ? 'added' : 'removed'}>{`${line}\n`}</span>
              ))}
            </pre>
          )}
        </li>
      ))}
    </ul>
  );
}
