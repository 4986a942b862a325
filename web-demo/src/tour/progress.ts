// What this browser remembers of the tour: the language, what was proved, which exercises are solved.
import type { Language } from './texts';

const kKey = 'tabernetes-tour';

export interface Progress {
  language: Language;
  done: readonly string[];
}

export function readProgress(): Progress {
  const language: Language = navigator.language.startsWith('uk') ? 'uk' : 'en';
  try {
    return { language, done: [], ...(JSON.parse(localStorage.getItem(kKey) ?? '{}') as Partial<Progress>) };
  } catch {
    return { language, done: [] };
  }
}

/** Writes it, if this browser keeps anything. */
export function writeProgress(progress: Progress): void {
  try {
    localStorage.setItem(kKey, JSON.stringify(progress));
  } catch {
    // Private windows keep nothing.
  }
}
