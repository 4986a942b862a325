import { useEffect, useRef, useState } from 'preact/hooks';

export interface Printed {
  kind: 'command' | 'out' | 'err';
  text: string;
}

/** Lines that are kept. */
const kMost = 5000;

export interface Printing {
  lines: readonly Printed[];
  print(kind: Printed['kind'], text: string): void;
  clear(): void;
}

/** Keeps what was printed, by lines. However much comes, it is drawn once a frame. */
export function usePrinted(): Printing {
  const [lines, setLines] = useState<readonly Printed[]>([]);
  const waiting = useRef<Printed[]>([]);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const draw = () => {
    frame.current = 0;
    const more = waiting.current;
    waiting.current = [];
    setLines((last) => joined(last, more).slice(-kMost));
  };
  return {
    lines,
    print(kind, text) {
      waiting.current.push({ kind, text });
      frame.current ||= requestAnimationFrame(draw);
    },
    clear() {
      waiting.current = [];
      setLines([]);
    },
  };
}

/** Adds texts, of which one may go on with the last line. */
function joined(before: readonly Printed[], more: readonly Printed[]): Printed[] {
  const all = [...before];
  for (const { kind, text } of more) {
    for (const line of text.split(/(?<=\n)/)) {
      const last = all.at(-1);
      if (last && last.kind === kind && kind !== 'command' && !last.text.endsWith('\n')) all[all.length - 1] = { kind, text: last.text + line };
      else all.push({ kind, text: line });
    }
  }
  return all;
}
