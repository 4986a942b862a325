#!/usr/bin/env node
// Checks citations in comments: `spec/rest.md 5.1, 5.3` names sections of docs/spec/rest.md, which must exist.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask } from './lib/run.mjs';
import { top } from './lib/top.mjs';

const kFolders = ['core', 'mock-server', 'wasm', 'web-demo', 'tests', 'bench', 'tools'];

/** Returns the section numbers of a document. */
export const sectionsOf = (text) => new Set([...text.matchAll(/^#{1,4} (\d+(?:\.\d+)*)\b/gm)].map(([, number]) => number));

/**
 * Returns the citations of a text: [{ line, file, sections }]. A citation may continue in the next line of a comment.
 */
export function citationsOf(text) {
  const joined = text.replace(/\n[ \t]*(?:\/\/|#|\*)[ \t]*/g, (gap) => `\u0000${' '.repeat(gap.length - 1)}`);
  const cited = /\bspec\/([a-z-]+\.md)((?:(?:,|\s|\u0000|and|to|§)+\d+(?:\.\d+)*)*)/g;
  return [...joined.matchAll(cited)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    file: match[1],
    sections: match[2].match(/\d+(?:\.\d+)*/g) ?? [],
  }));
}

/** Returns the errors in the citations of a text. `documents` maps file names to their section numbers. */
export function faultsOf(text, documents) {
  return citationsOf(text).flatMap(({ line, file, sections }) => {
    const known = documents.get(file);
    if (!known) return [{ line, what: `there is no docs/spec/${file}` }];
    return sections.filter((number) => !known.has(number)).map((number) => ({ line, what: `docs/spec/${file} has no section ${number}` }));
  });
}

function main() {
  const spec = join(top, 'docs', 'spec');
  const documents = new Map(readdirSync(spec).map((name) => [name, sectionsOf(readFileSync(join(spec, name), 'utf8'))]));
  const files = ask('git', 'ls-files', '--cached', '--others', '--exclude-standard', '--', ...kFolders).split('\n');
  let cited = 0;
  let faults = 0;
  for (const file of files.filter((name) => /\.(cc|h|m?[jt]sx?|css)$/.test(name) && !name.startsWith('tools/test/'))) {
    const text = readFileSync(join(top, file), 'utf8');
    cited += citationsOf(text).length;
    for (const { line, what } of faultsOf(text, documents)) {
      faults++;
      console.error(`${file}:${line}: ${what}`);
    }
  }
  console.log(`citations: ${cited}, ${faults} faults`);
  process.exit(faults ? 1 : 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
