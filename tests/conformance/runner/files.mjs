// Reads the scenario files of tests/conformance from disk (Node only).

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { matchesAny } from './names.mjs';
import { readScenarios } from './scenario.mjs';

const kRoot = new URL('../', import.meta.url);
const kNotYetGreen = new URL('not-yet-green.json', kRoot);

/** Returns paths below tests/conformance: recordings first, then our own cases. */
export function scenarioFiles() {
  return ['golden', 'cases'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, kRoot))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => `${folder}/${name}`));
}

/** @param {string[]} only beginnings of topic/name; empty: all */
export function loadScenarios(only = []) {
  const all = scenarioFiles().flatMap((path) => readScenarios(readFileSync(new URL(path, kRoot), 'utf8')));
  return all.filter(({ name }) => matchesAny(name, only));
}

export const loadNotYetGreen = () => JSON.parse(readFileSync(kNotYetGreen, 'utf8')).scenarios;

/**
 * Writes one scenario per line, in the order of the files.
 * @param {Record<string, {issue: number | string, why: string, chance?: true}>} list
 */
export function saveNotYetGreen(list) {
  const lines = Object.entries(list).map(([name, entry]) => `  ${JSON.stringify(name)}: ${JSON.stringify(entry)}`);
  const doc = 'Scenarios that are not yet green: the issue that will make each green, and what it waits for. The runner checks that the list is exact; those with chance may be green.';
  writeFileSync(kNotYetGreen, `{\n "doc": ${JSON.stringify(doc)},\n "scenarios": {\n${lines.join(',\n')}\n }\n}\n`);
}
