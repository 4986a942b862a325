// The page under /ui/, before it is built.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { top } from './top.mjs';

/** Returns true if a server with these flags serves the page. */
export const servesPage = (flags) => !flags.some((flag) => /^(--ui=(false|0|no)|--help|-h)$/i.test(flag));

/** Places a page under /ui/ that reloads itself until the real one is built. (A server serves /ui/ if it is there at its start.) */
export function placePlaceholder() {
  const page = join(top, 'dist', 'ui', 'index.html');
  if (existsSync(page)) return;
  mkdirSync(join(top, 'dist', 'ui'), { recursive: true });
  copyFileSync(join(top, 'web-demo', 'placeholder.html'), page);
}
