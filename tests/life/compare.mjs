#!/usr/bin/env node
// Compares two histories of one scenario: node tests/life/compare.mjs RECORDING.json HISTORY.json
import { readFileSync } from 'node:fs';
import { compare } from './player/compare.mjs';
import { digestOf } from './player/digest.mjs';
import { historyOf } from './player/history.mjs';
import { countOf, describe } from './player/report.mjs';

const [recorded, other] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const differences = compare(digestOf(historyOf(recorded)), digestOf(historyOf(other)));
console.log(describe(recorded.name, differences, '', Infinity));
process.exitCode = countOf(differences)[0] ? 1 : 0;
