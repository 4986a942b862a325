import { useLayoutEffect, useRef } from 'preact/hooks';
import { printedRuns } from '../../api/screen';
import { Styled } from './styled';

/** Pixels from the end within which new lines stay in sight. */
const kNear = 40;

/** Shows what was printed. Its end stays in sight, unless the user has scrolled away from it. */
export function PrintedLines({ lines, label, empty }: { lines: readonly string[]; label: string; empty: string }) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  return (
    <div
      class="printed mono"
      role="log"
      aria-label={label}
      tabIndex={0}
      ref={box}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => (atEnd.current = scrollHeight - scrollTop - clientHeight < kNear)}
    >
      {lines.map((line, index) => (
        <pre key={index}>
          <Styled runs={printedRuns(line || ' ')} />
        </pre>
      ))}
      {lines.length === 0 && <p class="muted">{empty}</p>}
    </div>
  );
}
