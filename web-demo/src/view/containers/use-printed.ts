import { useEffect, useRef, useState } from 'preact/hooks';

/** Lines that are kept. */
const kMost = 5000;

export interface Printing {
  lines: readonly string[];
  print(line: string): void;
  clear(): void;
}

/** Keeps the lines that were printed. However many come, they are drawn once a frame. */
export function usePrinted(): Printing {
  const [lines, setLines] = useState<readonly string[]>([]);
  const waiting = useRef<string[]>([]);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const draw = () => {
    frame.current = 0;
    const more = waiting.current;
    waiting.current = [];
    setLines((last) => [...last, ...more].slice(-kMost));
  };
  return {
    lines,
    print(line) {
      waiting.current.push(line);
      frame.current ||= requestAnimationFrame(draw);
    },
    clear() {
      waiting.current = [];
      setLines([]);
    },
  };
}
