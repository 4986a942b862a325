// Completion of the command line in shells, as mock-server/completion.h describes it.
import bash from '../../../flags/completion/tabernetes.bash';
import fish from '../../../flags/completion/tabernetes.fish';
import zsh from '../../../flags/completion/tabernetes.zsh';
import kFlags from './flag-table.js';

const kScripts: Readonly<Record<string, string>> = { bash, fish, zsh };

/** Returns the script for a shell; undefined if there is none. */
export const completionScript = (shell: string): string | undefined => (Object.hasOwn(kScripts, shell) ? kScripts[shell] : undefined);

/** Returns what the last of `words` may become; nothing where a file is expected. */
export function completions(words: readonly string[], commands: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  return wordsAt(words, last, commands).filter((word) => word.startsWith(last));
}

function wordsAt(words: readonly string[], last: string, commands: readonly string[]): readonly string[] {
  if (words.length === 0) return [];
  if (words.length === 1) return commands;
  if (words[0] === 'completion' && words.length === 2) return Object.keys(kScripts);
  if (words[0] !== 'serve') return [];
  if (last.startsWith('-')) return kFlags.map(({ name }) => `--${name}`);
  const flag = kFlags.find(({ name }) => `--${name}` === words.at(-2));
  return flag?.value === 'BOOL' ? ['true', 'false'] : (flag?.choices ?? []);
}
