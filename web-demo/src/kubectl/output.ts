// What `-o` prints of objects.
import { jsonPathText, jsonPathValues } from './jsonpath';
import { type Known, typeName } from './resources';
import { CommandError, type KubeObject } from './session';
import { aligned } from './table';
import { sorted, yamlOf } from './yaml';

export interface Found {
  resource: Known;
  object: KubeObject;
}

const kFormats = 'custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,template,templatefile,wide,yaml';

/** Returns the text of objects in a format other than a table. `single`: one object was asked for by its name. */
export function outputText(format: string, found: readonly Found[], single: boolean, showManagedFields: boolean, headers = true): string {
  const objects = found.map(({ object }) => (showManagedFields ? object : withoutManagedFields(object)));
  const [kind = '', template = ''] = splitFormat(format);
  const list = (items: readonly KubeObject[]) => (single ? items[0] : { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items });
  const whole = () => list(objects);
  // Paths see all fields.
  const all = () => list(found.map(({ object }) => object));
  if (format.includes('=') && /^(yaml|json|name|wide)$/.test(kind)) throw unknownFormat(format);
  switch (kind) {
    case 'yaml':
      return yamlOf(whole());
    case 'json':
      return `${JSON.stringify(sorted(whole()), null, 4)}\n`;
    case 'name':
      return found.map(({ resource, object }) => `${typeName(resource)}/${object.metadata.name}\n`).join('');
    case 'jsonpath':
      return jsonPathText(template, sorted(all()));
    case 'jsonpath-as-json':
      return `${JSON.stringify(jsonPathValues(template, sorted(all())), null, 4)}\n`;
    case 'custom-columns':
      return customColumns(template, objects, headers);
    default:
      throw unknownFormat(format);
  }
}

const unknownFormat = (format: string) => new CommandError(`error: unable to match a printer suitable for the output format "${format}", allowed formats are: ${kFormats}`);

function splitFormat(format: string): [string, string] {
  const at = format.indexOf('=');
  return at < 0 ? [format, ''] : [format.slice(0, at), format.slice(at + 1)];
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** `NAME:.metadata.name,IMAGE:.spec.containers[*].image` */
function customColumns(text: string, objects: readonly KubeObject[], headers: boolean): string {
  if (text === '') throw new CommandError('error: custom-columns format specified but no custom columns given');
  const columns = text.split(/,(?![^[(]*[\])])/).map((each) => {
    const at = each.indexOf(':');
    if (at < 0) throw new CommandError(`error: unexpected custom-columns spec: ${each}, expected <header>:<json-path-expr>`);
    return { header: each.slice(0, at), path: each.slice(at + 1) };
  });
  const cell = (path: string, object: unknown) => {
    const values = jsonPathValues(path, object);
    return values.length === 0 ? '<none>' : values.map(goText).join(',');
  };
  return aligned([...(headers ? [columns.map(({ header }) => header)] : []), ...objects.map((object) => columns.map(({ path }) => cell(path, object)))]);
}

/** As Go prints a value. */
function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value === 'object' && value !== null) return `map[${Object.entries(value).sort().map(([key, each]) => `${key}:${goText(each)}`).join(' ')}]`;
  return value === null ? '<nil>' : String(value);
}
