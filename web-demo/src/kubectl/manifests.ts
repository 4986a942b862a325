// The manifests of `-f`.
import { parseAllDocuments } from 'yaml';
import type { Flags } from './flags';
import { type Caller, CommandError, type KubeObject } from './session';

/** Returns the objects in the named files, or in the input for `-`. `command`: as it is told if there are none. */
export function readManifests(caller: Caller, flags: Flags, input: string | undefined, command = 'apply'): KubeObject[] {
  const names = flags.all('filename').flatMap((each) => each.split(','));
  if (names.length === 0) throw new CommandError('error: must specify one of -f and -k');
  const objects = names.flatMap((name) => {
    const text = name === '-' ? input : caller.session.files.get(name.replace(/^\.\//, ''));
    if (text === undefined) throw new CommandError(name === '-' ? 'error: nothing was given: write <<EOF and the manifest below' : `error: the path "${name}" does not exist`);
    return objectsIn(text);
  });
  if (objects.length === 0) throw new CommandError(`error: no objects passed to ${command}`);
  return objects;
}

export function objectsIn(text: string): KubeObject[] {
  const documents = [...parseAllDocuments(text, { version: '1.1', uniqueKeys: false, logLevel: 'silent' })];
  return documents.flatMap((document) => {
    if (document.errors.length > 0) throw new CommandError(`error: error parsing STDIN: error converting YAML to JSON: yaml: ${document.errors[0]!.message.split('\n')[0]}`);
    const value = document.toJS() as (KubeObject & { items?: KubeObject[] }) | null;
    if (value === null) return [];
    if (Array.isArray(value.items) && value.kind?.endsWith('List')) return value.items;
    const missing = ['apiVersion', 'kind'].filter((field) => !value[field]).map((field) => `${field} not set`);
    if (missing.length > 0) throw new CommandError(`error: error validating "STDIN": error validating data: ${missing.length > 1 ? `[${missing.join(', ')}]` : missing[0]}; if you choose to ignore these errors, turn validation off with --validate=false`);
    return [{ ...value, metadata: value.metadata ?? { name: '' } }];
  });
}
