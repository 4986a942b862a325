// kubectl explain: a kind's fields, as its OpenAPI document describes them.
import type { Flags } from './flags';
import { allResources, findResource, groupVersionPath, type Known } from './resources';
import { type Caller, CommandError } from './session';

interface Schema {
  description?: string;
  type?: string;
  $ref?: string;
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  required?: string[];
  enum?: string[];
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

export async function explain(caller: Caller, flags: Flags): Promise<number> {
  const [given = ''] = flags.rest;
  if (given === '') throw new CommandError('error: You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.');
  const all = await allResources(caller);
  const [type = '', ...names] = given.split('.');
  const resource = resourceOf(all, type, flags.get('api-version'));
  const { components } = await caller.json<{ components: { schemas: Record<string, Schema> } }>('GET', `/openapi/v3/${groupVersionPath(resource).slice(1)}`);
  const schemas = new Schemas(components.schemas);
  const root = schemas.of(resource);
  if (!root) throw new CommandError(`error: couldn't find resource for "${given}"`);
  caller.terminal.out(`${resource.group === '' ? '' : `GROUP:      ${resource.group}\n`}KIND:       ${resource.kind}\nVERSION:    ${resource.version}\n\n`);
  let field = root;
  for (const name of names) {
    const next = schemas.inner(field).properties?.[name];
    if (!next) throw new CommandError(`error: field "${name}" does not exist`);
    field = next;
  }
  const last = names.at(-1);
  caller.terminal.out((last === undefined ? '' : fieldText(schemas, last, field)) + descriptionText(schemas, root, field) + fieldsText(schemas, schemas.inner(field), flags.is('recursive')));
  return 0;
}

function resourceOf(all: readonly Known[], type: string, apiVersion: string): Known {
  const of = (known: readonly Known[]) => {
    try {
      return findResource(known, type);
    } catch (fault) {
      throw new CommandError((fault as Error).message.replace(/^error: /, ''));
    }
  };
  const found = of(all);
  if (apiVersion === '') return found;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return of(all.filter((each) => each.group === group && each.version === version));
}

class Schemas {
  constructor(private readonly named: Readonly<Record<string, Schema>>) {}

  of({ group, version, kind }: Known): Schema | undefined {
    return Object.values(this.named).find((schema) => schema['x-kubernetes-group-version-kind']?.some((each) => each.kind === kind && each.group === group && each.version === version));
  }

  /** What a reference leads to. */
  whole(schema: Schema): Schema {
    const name = refOf(schema)?.split('/').at(-1);
    return name === undefined ? schema : (this.named[name] ?? {});
  }

  /** The schema of the items of a list or a map, else its own. */
  inner(schema: Schema): Schema {
    const whole = this.whole(schema);
    const items = whole.items ?? whole.additionalProperties;
    return items ? this.inner(items) : whole;
  }

  typeOf(schema: Schema): string {
    const ref = refOf(schema);
    if (ref !== undefined) {
      const { type } = this.whole(schema);
      return type && type !== 'object' ? type : (ref.split('.').at(-1) ?? 'Object');
    }
    if (schema.items) return `[]${this.typeOf(schema.items)}`;
    if (schema.additionalProperties) return `map[string]${this.typeOf(schema.additionalProperties)}`;
    return schema.type === 'object' ? 'Object' : (schema.type ?? 'Object');
  }
}

const refOf = (schema: Schema) => schema.$ref ?? schema.allOf?.[0]?.$ref;

function fieldText(schemas: Schemas, name: string, field: Schema): string {
  const values = field.enum ? `ENUM:\n${field.enum.map((each) => `    ${each}\n`).join('')}` : '\n';
  return `FIELD: ${name} <${schemas.typeOf(field)}>\n${values}\n`;
}

function descriptionText(schemas: Schemas, root: Schema, field: Schema): string {
  const whole = schemas.inner(field);
  const texts = [field === root ? undefined : field.description, whole === field ? field.description : whole.description];
  const different = texts.filter((each, index) => each && texts.indexOf(each) === index) as string[];
  return `DESCRIPTION:\n${different.length === 0 ? '    <empty>\n' : `${different.map((each) => wrapped(each)).join('')}    \n`}`;
}

function fieldsText(schemas: Schemas, whole: Schema, recursive: boolean): string {
  const lines = recursive ? nested(schemas, whole, 1, [whole]) : described(schemas, whole);
  return lines === '' ? '\n' : `FIELDS:\n${lines}\n`;
}

const sortedProperties = ({ properties = {} }: Schema) => Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));

function headText(schemas: Schemas, name: string, property: Schema, owner: Schema): string {
  return `${name}\t<${schemas.typeOf(property)}>${owner.required?.includes(name) ? ' -required-' : ''}\n`;
}

const enumText = ({ enum: values }: Schema) => (values ? `enum: ${values.slice(0, 4).map((each) => each || '""').join(', ')}${values.length > 4 ? ', ....' : ''}\n` : '');

function described(schemas: Schemas, whole: Schema): string {
  return sortedProperties(whole)
    .map(([name, property]) => {
      const values = enumText(property);
      return `  ${headText(schemas, name, property, whole)}${values && `  ${values}`}${wrapped(property.description ?? '<no description>')}\n`;
    })
    .join('');
}

/** `above`: the schemas on the way here, as some contain themselves. */
function nested(schemas: Schemas, whole: Schema, level: number, above: readonly Schema[]): string {
  const pad = '  '.repeat(level);
  return sortedProperties(whole)
    .map(([name, property]) => {
      const values = enumText(property);
      const inner = schemas.inner(property);
      const head = `${pad}${headText(schemas, name, property, whole)}${values && `${pad}${values}`}`;
      return above.includes(inner) ? head : head + nested(schemas, inner, level + 1, [...above, inner]);
    })
    .join('');
}

const kIndent = 4;
const kWidth = 80 - kIndent;

/** Breaks lines between words. Spaces at a line's beginning stay. */
function wrapped(text: string): string {
  const lines = text.split('\n').flatMap((paragraph) => {
    const [, spaces = '', ...rest] = /^( *)([^]*)$/.exec(paragraph) ?? [];
    const all = [spaces];
    let empty = true;
    for (const word of (rest[0] ?? '').split(' ')) {
      const last = all.at(-1)!;
      if (empty) all[all.length - 1] = last + word;
      else if (last.length + 1 + word.length > kWidth) all.push(word);
      else all[all.length - 1] = `${last} ${word}`;
      empty = false;
    }
    return all;
  });
  return lines.map((line) => `${' '.repeat(kIndent)}${line}\n`).join('');
}
