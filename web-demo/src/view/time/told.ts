// What the time bar tells. It stays while another cluster is shown.
import { useEffect, useReducer } from 'preact/hooks';
import type { StepChange } from '../../api/time';

export interface Told {
  id: number;
  /** RFC 3339. */
  time: string;
  text: string;
  changes: readonly StepChange[];
}

const kMostTold = 60;

let told: readonly Told[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

export function tell(time: string, text: string, changes: readonly StepChange[] = []): void {
  told = [{ id: ++lastId, time, text, changes }, ...told].slice(0, kMostTold);
  for (const listener of listeners) listener();
}

/** Returns what was told, newest first. */
export function useTold(): readonly Told[] {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const listener = () => redraw(undefined);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return told;
}
