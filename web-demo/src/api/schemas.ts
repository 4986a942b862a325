// The OpenAPI v3 schemas of the shown cluster, for the editor.
import type { Client } from './client';

export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  required?: readonly string[];
  enum?: readonly unknown[];
  default?: unknown;
  allOf?: readonly Schema[];
  $ref?: string;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

type Components = Readonly<Record<string, Schema>>;

/** A schema with the document that it refers to. */
export interface Located {
  schema: Schema;
  components: Components;
}

export type Path = readonly (string | number)[];

/** Loads the documents of group versions when a kind of theirs is first asked for. */
export class Schemas {
  readonly #documents = new Map<string, Promise<Components>>();

  constructor(private readonly client: Client) {}

  /** Resolves with the schema of a kind; undefined if the server has none. */
  async find(apiVersion: string, kind: string): Promise<Located | undefined> {
    if (!/^[\w.-]+(\/[\w.-]+)?$/.test(apiVersion)) return undefined;
    const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
    const components = await this.#load(group === '' ? `api/${version}` : `apis/${group}/${version}`);
    const schema = Object.values(components).find((each) =>
      each['x-kubernetes-group-version-kind']?.some((id) => id.group === group && id.version === version && id.kind === kind),
    );
    return schema && { schema, components };
  }

  #load(name: string): Promise<Components> {
    let document = this.#documents.get(name);
    if (!document) {
      document = this.client.get<{ components?: { schemas?: Components } }>(`/openapi/v3/${name}`, 'application/json').then(
        ({ components }) => components?.schemas ?? {},
        () => (this.#documents.delete(name), {}),
      );
      this.#documents.set(name, document);
    }
    return document;
  }
}

/** Follows references. What stands beside one, such as a description, counts before what it refers to. */
export function resolved({ schema, components }: Located): Located {
  let all = schema;
  for (let next = all.$ref ?? all.allOf?.[0]?.$ref; next !== undefined; next = all.$ref) {
    const { $ref: _, allOf: __, ...beside } = all;
    all = { ...(components[next.replace('#/components/schemas/', '')] ?? {}), ...beside };
  }
  return { schema: all, components };
}

/** Returns the schema of what is at a path; undefined if it is unknown. */
export function schemaAt(root: Located, path: Path): Located | undefined {
  let at = resolved(root);
  for (const step of path) {
    const { properties, items, additionalProperties } = at.schema;
    const next = typeof step === 'number' ? items : (properties?.[step] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined));
    if (!next) return undefined;
    at = resolved({ schema: next, components: at.components });
  }
  return at;
}

/** Returns `[]ObjectMeta` or `integer`, for hover texts. */
export function typeName({ schema, components }: Located): string {
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return 'integer or string';
  if (schema.type === 'array' && schema.items) return `list of ${typeName(resolved({ schema: schema.items, components }))}`;
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') return `map to ${typeName(resolved({ schema: schema.additionalProperties, components }))}`;
  return schema.type ?? 'any value';
}
