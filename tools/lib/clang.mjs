// The Clang tools that look at our sources.
import { ask, which } from './run.mjs';

// Other versions format some lines differently and have other warnings, so one version is required: Debian 12's.
const kClangTools = '14';

/** Returns the program in that version. Prints a message and returns undefined if it is missing or another version. */
export function clangTool(name) {
  const program = [`${name}-${kClangTools}`, name].find(which);
  const version = program && ask(program, '--version')?.match(/version (\d+)/)?.[1];
  if (version === kClangTools) return program;
  console.log(`skipped: needs ${name} ${kClangTools}, here is ${version ?? 'none'}`);
}
