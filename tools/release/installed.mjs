// The files of an installed tabernetes, below a prefix such as /usr.
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { top, Trouble } from '../lib/run.mjs';

export const kDocuments = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'THIRD_PARTY.md'];

/**
 * Copies bin/tabernetes, the texts beside `binary`, the page (as `npm run build` made it) and the documents below
 * `prefix`.
 */
export function placeInstalled(prefix, binary) {
  const page = join(top, 'dist', 'ui');
  if (!existsSync(join(page, 'index.html'))) throw new Trouble('dist/ui is not there: npm run build');
  for (const folder of ['bin', 'share/tabernetes', 'share/doc/tabernetes']) mkdirSync(join(prefix, folder), { recursive: true });
  copyFileSync(binary, join(prefix, 'bin', 'tabernetes'));
  const texts = join(dirname(binary), 'openapi-texts.gz');
  if (existsSync(texts)) copyFileSync(texts, join(prefix, 'share', 'tabernetes', 'openapi-texts.gz'));
  cpSync(page, join(prefix, 'share', 'tabernetes', 'ui'), { recursive: true });
  for (const name of kDocuments) copyFileSync(join(top, name), join(prefix, 'share', 'doc', 'tabernetes', name));
}
