// Files whose texts the core judges: tokens, the key that signs ours, rules.
import { readFileSync } from 'node:fs';
import { checkOption } from '../option-faults.js';
import { systemMessage } from './manifests.js';

/** The text of the file; '' if none is named. Adds what is wrong with it to `problems`. */
export function readCheckedFile(path: string, option: 'tokenFile' | 'serviceAccountKey' | 'behaviour' | 'containers' | 'faults' | 'admissionConfiguration' | 'authorizationPolicy', problems: string[]): string {
  if (path === '') return '';
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    problems.push(`${path}: ${systemMessage(error)}`);
    return '';
  }
  try {
    checkOption(option, text);
  } catch (error) {
    problems.push(`${path}: ${(error as Error).message}`);
  }
  return text;
}

/** The first token of a token file, for a kubeconfig that is to work; undefined if there is none. */
export function firstToken(text: string): string | undefined {
  const line = text.split('\n').find((one) => one.trim() !== '' && !one.startsWith('#'));
  return line?.split(',')[0]!.replaceAll('"', '').trim();
}
