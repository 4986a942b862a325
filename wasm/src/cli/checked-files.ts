// Files whose texts the core judges: tokens, the key that signs ours, rules.
import { readFileSync } from 'node:fs';
import { checkOption } from '../option-faults.js';
import { systemMessage } from './manifests.js';

/** The text of the file; '' if none is named. Adds what is wrong with it to `problems`. */
export function readCheckedFile(path: string, option: 'tokenFile' | 'serviceAccountKey' | 'behaviour' | 'containers' | 'faults' | 'authorizationPolicy', problems: string[]): string {
  const before = problems.length;
  const text = readText(path, problems);
  if (path === '' || problems.length > before) return text;
  try {
    checkOption(option, text);
  } catch (error) {
    problems.push(`${path}: ${(error as Error).message}`);
  }
  return text;
}

/** The text of the file, unjudged; '' if none is named. */
export function readText(path: string, problems: string[]): string {
  if (path === '') return '';
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    problems.push(`${path}: ${systemMessage(error)}`);
    return '';
  }
}

/** The first token of a token file, for a kubeconfig that is to work; undefined if there is none. */
export function firstToken(text: string): string | undefined {
  const line = text.split('\n').find((one) => one.trim() !== '' && !one.startsWith('#'));
  return line?.split(',')[0]!.replaceAll('"', '').trim();
}
