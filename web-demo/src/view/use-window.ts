import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Rows that are drawn beyond each edge of what is seen. */
const kMore = 12;

export interface Window {
  /** The drawn rows: from `first` to before `end`. */
  first: number;
  end: number;
}

/** Returns which of `count` rows of this height are near what `scroller` shows. */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, height: number): Window {
  const [seen, setSeen] = useState({ top: 0, rows: 30 });
  useLayoutEffect(() => {
    const element = scroller.current!;
    const look = () => {
      const top = Math.floor(element.scrollTop / height);
      const rows = Math.ceil(element.clientHeight / height) + 1;
      setSeen((last) => (last.top === top && last.rows === rows ? last : { top, rows }));
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [height]);
  const end = Math.min(count, seen.top + seen.rows + kMore);
  return { first: Math.max(0, Math.min(seen.top, count - seen.rows) - kMore), end };
}

/** Returns true on a screen of a phone. */
export function useNarrow(): boolean {
  const [query] = useState(() => matchMedia('(max-width: 600px)'));
  const [narrow, setNarrow] = useState(query.matches);
  useLayoutEffect(() => {
    const follow = () => setNarrow(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [query]);
  return narrow;
}
