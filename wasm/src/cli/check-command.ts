// `tabernetes check FILE…`, as mock-server/check_command.h describes it.
import { checkManifests } from '../manifest-check.js';
import { readManifests } from './manifests.js';

const countOf = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Prints faults and warnings on stdout. Sets the exit code 1 if there are faults or a file cannot be read. */
export function checkFiles(paths: readonly string[]): void {
  const problems: string[] = [];
  const files = readManifests(paths, problems);
  for (const problem of problems) process.stderr.write(`tabernetes: ${problem}\n`);
  const { faults, objects } = checkManifests(files);
  for (const fault of faults) process.stdout.write(`${fault.line}\n`);
  const wrong = faults.filter(({ warning }) => !warning).length;
  process.stderr.write(`tabernetes check: ${countOf(objects, 'object')} in ${countOf(files.length, 'file')}, ${countOf(wrong, 'fault')}\n`);
  if (wrong > 0 || problems.length > 0) process.exitCode = 1;
}
