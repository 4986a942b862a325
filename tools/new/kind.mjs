// Writes the row of a built-in kind, in a file of its own, with the rules and cells that follow from the catalogue, and a test that
// writes objects of the kind.
import { Catalogue } from './catalogue.mjs';
import { Refusal } from './draft.mjs';
import { camelCase, pascalCase, raw, snakeCase, withRoom, withSource } from './text.mjs';

const kList = 'core/kinds/table/kinds.h';

/** Returns the names in the list of kinds. */
const listed = (draft) => [...draft.read(kList).matchAll(/\bKIND\((k\w+)\)/g)].map(([, name]) => name);

/** Returns the names of the rows in a group's folder. */
const rowsOf = (draft, folder) => draft.list(folder).flatMap((file) => [...draft.read(`${folder}/${file}`).matchAll(/^extern const Kind (\w+)\{/gm)].map(([, name]) => name));

/** Returns the resource of `name` (GROUP/KIND). */
function resourceOf(draft, catalogue, name) {
  const [, groupName, kind] = /^([a-z0-9.-]+)\/([A-Z][A-Za-z0-9]*)$/.exec(name) ?? [];
  if (kind === undefined) throw new Refusal(`${name} is not GROUP/KIND, such as coordination.k8s.io/Lease or core/Pod`);
  const group = groupName === 'core' ? '' : groupName;
  if (!catalogue.groups.includes(group)) throw new Refusal(`the catalogue has no group ${groupName}`);
  const resource = catalogue.find(group, kind);
  if (!resource) throw new Refusal(`the catalogue has no resource of kind ${kind} in ${groupName}`);
  if (!resource.verbs.includes('get')) throw new Refusal(`${kind} is not stored: its requests are answered by code of their own`);
  return resource;
}

/** Returns the members whose rules follow from the catalogue: [{ path, field }], of the object and of its spec. */
function ruledMembers(catalogue, resource) {
  const checkable = ({ type, required, pointer }) =>
    (type.type === 'string' && (required || type.enum?.length)) || (required && (pointer || type.type === 'array' || type.type === 'map'));
  const spec = catalogue.field(resource, ['spec']);
  const within = spec?.type.type === 'ref' ? catalogue.fields(spec).map((field) => ({ path: ['spec', field.name], field })) : [];
  const whole = catalogue.fields(resource).filter(({ name }) => !['metadata', 'spec', 'status'].includes(name));
  return [...whole.map((field) => ({ path: [field.name], field })), ...within].filter(({ field }) => checkable(field));
}

const wordsOf = ({ type, required, pointer }) => [required ? 'required' : pointer ? 'given' : 'opt', ...(type.enum?.length ? [`enum:${type.enum.join(',')}`] : [])].join(' ');

/** Returns the text of rules. */
function rulesText(members) {
  const line = ({ path, field }) => `${' '.repeat(path.length - 1)}${field.name} ${wordsOf(field)}`;
  const inSpec = members.filter(({ path }) => path.length > 1);
  return [...members.filter(({ path }) => path.length === 1).map(line), ...(inSpec.length ? ['spec', ...inSpec.map(line)] : [])].join('\n');
}

// Which fields a column of a type can show: the function of Row, the reader of json/access.h, and the cell without a value.
const kCells = {
  string: { fields: ['string', 'quantity', 'time', 'microTime'], call: 'text', read: 'text_at', none: '' },
  integer: { fields: ['int32', 'int64'], call: 'number', read: 'number_at', none: 0 },
  boolean: { fields: ['boolean'], call: 'boolean', read: 'bool_at', none: false },
};

/** Returns the C++ line that prints a column, and the cell that it prints for `object`: { line, cell }. */
function printed(catalogue, resource, object, column) {
  if (column.name === 'Name') return { line: 'row.name(object);', cell: object.metadata.name };
  if (column.name === 'Age') return { line: 'row.age(object);', cell: '0s' };
  const { fields, call, read, none } = kCells[column.type] ?? kCells.string;
  const name = camelCase(column.name);
  const path = [[name], ['spec', name], ['status', name]].find((each) => fields.includes(catalogue.field(resource, each)?.type.type));
  if (path === undefined) return { line: `row.${call}(${JSON.stringify(none)});  // ${column.name}`, cell: none, open: true };
  const value = path.reduce((at, key) => at?.[key], object);
  return { line: `row.${call}(${read}(object, {${path.map((key) => JSON.stringify(key)).join(', ')}}));`, cell: value ?? none };
}

function rowText({ resource, row, rules, cells }) {
  const { kind } = resource;
  const name = row.slice(1, -'Kind'.length);
  const parts = [`.group = "${resource.group}"`, `.kind = "${kind}"`];
  if (rules) parts.push(`.rules = &k${name}Rules`);
  if (cells) parts.push(`.print = &print_${snakeCase(name)}`);
  const includes = [...(cells?.some(({ line }) => line.includes('_at(')) ? ['json/access.h'] : []), 'kinds/row/kind.h', ...(cells ? ['registry/cells/row.h'] : [])];
  const rulesPart = rules ? `TAB_RULES(k${name}Rules, R"(\n${rules}\n)");\n\n` : '';
  const lines = cells?.map(({ line }) => `  ${line}\n`).join('');
  const printPart = cells ? `namespace {\n\nvoid print_${snakeCase(name)}(const json::Value& object, Row& row) {\n${lines}}\n\n}  // namespace\n\n` : '';
  return `// ${kind}${resource.group ? ` of ${resource.group}` : ''}.
${includes.map((header) => `#include "${header}"`).join('\n')}

namespace tabernetes::registry::kinds {

${rulesPart}${printPart}extern const Kind ${row}{${parts.join(', ')}};

}  // namespace tabernetes::registry::kinds
`;
}

/** Returns a copy of `object` with `value` at a path; undefined removes what is there. */
function changed(object, path, value) {
  const copy = structuredClone(object);
  const home = path.slice(0, -1).reduce((at, key) => (at[key] ??= {}), copy);
  if (value === undefined) delete home[path.at(-1)];
  else home[path.at(-1)] = value;
  return copy;
}

/** Returns an invalid copy of `object` for each rule, with the error message: [{ object, message }]. */
function invalidObjects(resource, object, members) {
  const kind = resource.group ? `${resource.kind}.${resource.group}` : resource.kind;
  const about = ({ path }, what) => `${kind} "b" is invalid: ${path.join('.')}: ${what}`;
  const other = { ...object, metadata: { name: 'b' } };
  return members.flatMap((member) => [
    ...(member.field.required ? [{ object: changed(other, member.path, undefined), message: about(member, 'Required value') }] : []),
    ...(member.field.type.enum?.length
      ? [{ object: changed(other, member.path, 'other'), message: about(member, `Unsupported value: "other": supported values: ${member.field.type.enum.map((value) => `"${value}"`).join(', ')}`) }]
      : []),
  ]);
}

function testText({ resource, object, members, cells }) {
  const { kind } = resource;
  const make = `KindFixture objects("${resource.group}", "${resource.version}", "${resource.plural}");`;
  const whole = `constexpr std::string_view kObject = ${raw(JSON.stringify(object))};`;
  const kept = members.find(({ field }) => field.required)?.path ?? ['metadata', 'name'];
  const value = kept.reduce((at, key) => at[key], object);
  const cases = invalidObjects(resource, object, members).map((each) => `      {${raw(JSON.stringify(each.object))},\n       ${raw(each.message)}},\n`);
  const rejected = cases.length
    ? `  struct Case {
    std::string_view object, error;
  };
  static constexpr Case kCases[] = {
${cases.join('')}  };
  for (const Case& c : kCases) CHECK(objects.create(c.object) == c.error);
`
    : '';
  const table = cells
    ? `
TEST_CASE("${kind}: its table row", "[kinds]") {
  ${make}
  ${whole}
  REQUIRE(objects.create(kObject) == "");
  CHECK(objects.cells("a") == ${raw(JSON.stringify(cells.map(({ cell }) => cell)))});
}
`
    : '';
  return `#include "../kind_fixture.h"

namespace tabernetes::registry::kinds {
namespace {

TEST_CASE("${kind}: which objects are accepted", "[kinds]") {
  ${make}
  REQUIRE(objects.row().kind == "${kind}");
  ${whole}
  CHECK(objects.create(kObject) == "");
  CHECK(objects.stored("a", "${kept.join('.')}") == ${raw(JSON.stringify(value))});
${rejected}}
${table}
}  // namespace
}  // namespace tabernetes::registry::kinds
`;
}

/** Adds a row to the list of kinds, after those of its group, and returns the new text. */
function withKind(text, row, ofGroup) {
  const lines = text.split('\n');
  const isEntry = (line) => /^ *KIND\(k\w+\)/.test(line);
  const mine = (line) => isEntry(line) && ofGroup.some((name) => line.includes(`(${name})`));
  const found = lines.findLastIndex(mine);
  const at = found < 0 ? lines.findLastIndex(isEntry) : found;
  const isLast = !lines[at].trimEnd().endsWith('\\');
  if (isLast) lines[at] += ' \\';
  lines.splice(at + 1, 0, `  KIND(${row})${isLast ? '' : ' \\'}`);
  return lines.join('\n');
}

/** Returns the steps that are left to the developer. */
export function newKind(draft, name) {
  const catalogue = new Catalogue(draft.path('core/schema/catalogue'));
  const resource = resourceOf(draft, catalogue, name);
  const { group, kind } = resource;
  const folder = group.split('.')[0] || 'core';
  const present = rowsOf(draft, `core/kinds/${folder}`);
  const taken = listed(draft);
  const row = taken.includes(`k${kind}Kind`) && !present.includes(`k${kind}Kind`) ? `k${pascalCase(folder)}${kind}Kind` : `k${kind}Kind`;
  if (taken.includes(row)) throw new Refusal(`${kind} has a row: ${row}, in core/kinds/${folder}/`);

  const object = { metadata: { name: 'a' }, ...catalogue.smallest(resource) };
  const members = ruledMembers(catalogue, resource);
  const cells = catalogue.columns(resource)?.map((column) => printed(catalogue, resource, object, column));
  const source = `${folder}/${snakeCase(kind)}`;
  draft.create(`core/kinds/${source}.cc`, rowText({ resource, row, rules: rulesText(members), cells }));
  draft.create(`tests/core/kinds/${source}_test.cc`, testText({ resource, object, members, cells }));
  draft.change(kList, (text) => withKind(text, row, present));
  draft.change('core/kinds/module.cmake', (text) => withRoom(withSource(text, 'tab_module', 'kinds', `${source}.cc`), 'kinds', folder, 'row'));
  draft.change('tests/CMakeLists.txt', (text) => withSource(text, 'tab_test', 'kinds', `${source}_test.cc`));

  const open = cells?.filter((each) => each.open).map(({ line }) => line.split('// ')[1]);
  return [
    `core/kinds/${source}.cc has the rules and cells that follow from the catalogue; everything else about ${kind} is in upstream's strategy, defaults and validation (docs/adding-a-kind.md)`,
    ...(open?.length ? [`its printer leaves these cells empty: ${open.join(', ')}`] : []),
    'a conformance case with the answers of kube-apiserver: npm run new -- case TOPIC/NAME',
    'node tools/build.mjs native; cmake --build --preset dev --target test_kinds && build/dev/bin/test_kinds',
  ];
}
