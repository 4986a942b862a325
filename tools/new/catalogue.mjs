// Reads from the catalogue what the skeletons need to know about a kind.
import { readCatalogue } from '../catalogue/read.mjs';

/** The kinds that are served as resources, each in the version that its group prefers. */
export class Catalogue {
  #types;
  #printed;

  /** @param {string} folder core/schema/catalogue */
  constructor(folder) {
    const { types, groups, printed } = readCatalogue(folder);
    this.#types = new Map(types.map((type) => [type.short, type]));
    this.#printed = printed;
    this.groups = groups.map(({ name }) => name);
    const seen = new Set();
    this.resources = groups
      .flatMap((group) => group.versions.flatMap(({ version, resources }) => resources.map((resource) => ({ ...resource, group: group.name, version }))))
      .filter(({ group, kind }) => !seen.has(`${group}/${kind}`) && seen.add(`${group}/${kind}`));
  }

  /** Returns the resource of a kind, or undefined. */
  find(group, kind) {
    return this.resources.find((resource) => resource.group === group && resource.kind === kind);
  }

  /** Returns the columns of the kind's own table, or undefined. */
  columns({ group, kind }) {
    return this.#printed.find((printed) => printed.kind === kind && printed.groups.includes(group))?.columns;
  }

  /** Returns the fields of a resource's kind, or of the type that a field refers to. */
  fields(of) {
    const short = typeof of.type === 'string' ? of.type : of.type.ref;
    const { fields } = this.#types.get(short);
    return fields.flatMap((field) => (field.inline ? this.fields(field) : [field])).filter(({ typeMeta }) => !typeMeta);
  }

  /** Returns the field at a path of members (["spec", "driver"]), or undefined. */
  field(of, [name, ...rest]) {
    const found = this.fields(of).find((field) => field.name === name);
    if (rest.length === 0 || found === undefined) return found;
    return found.type.type === 'ref' ? this.field(found, rest) : undefined;
  }

  /** Returns the smallest valid object of a resource's kind, or of a type: its required members with example values. */
  smallest(of, depth = 0) {
    const required = this.fields(of).filter((field) => field.required && depth < 8);
    return Object.fromEntries(required.map((field) => [field.name, this.#value(field.type, depth)]));
  }

  #value(type, depth) {
    if (type.type === 'array') return [this.#value(type.element, depth)];
    if (type.type === 'map') return { a: this.#value(type.element, depth) };
    if (type.type === 'ref') return this.smallest({ type }, depth + 1);
    return type.enum?.length ? type.enum[0] : kValues[type.type] ?? {};
  }
}

const kValues = {
  string: 'a',
  boolean: true,
  int32: 1,
  int64: 1,
  number: 1,
  bytes: 'YQ==',
  quantity: '1',
  intOrString: 1,
  time: '2026-01-01T00:00:00Z',
  microTime: '2026-01-01T00:00:00.000000Z',
  duration: '1s',
};
