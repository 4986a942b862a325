// Reads the recordings and the list of those that do not pass yet.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const kRecordings = new URL('recordings/', import.meta.url);
const kNotYetGreen = new URL('not-yet-green.json', import.meta.url);

export const recordingNames = () => readdirSync(kRecordings).map((file) => file.replace(/\.json$/, '')).sort();

export const readRecording = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, kRecordings), 'utf8'));

/** Returns mode → name → why it does not pass yet. The modes: `kubelets` (the player has them) and `nodes` (the server has). */
export const readNotYetGreen = () => JSON.parse(readFileSync(kNotYetGreen, 'utf8')).recordings;

/** Writes a line for each recording. */
export function writeNotYetGreen(recordings) {
  const doc = 'Recordings that do not pass yet and why, for the player with kubelets and for the simulated nodes. The runner checks that the list is exact.';
  const modes = Object.entries(recordings).map(([mode, entries]) => {
    const lines = Object.entries(entries).map(([name, why]) => `   ${JSON.stringify(name)}: ${JSON.stringify(why)}`);
    return `  ${JSON.stringify(mode)}: {${lines.length ? `\n${lines.join(',\n')}\n  ` : ''}}`;
  });
  writeFileSync(kNotYetGreen, `{\n "doc": ${JSON.stringify(doc)},\n "recordings": {\n${modes.join(',\n')}\n }\n}\n`);
}
