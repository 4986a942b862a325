// Arrows that only the linker sees: the layer check reads declarations and definitions, or the symbols of archives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declarationsOf } from '../layers/declarations.mjs';
import { faultsOfLinks, faultsOfSymbols } from '../layers/links.mjs';
import { readModules } from '../layers/modules.mjs';

const said = (text) => declarationsOf(text).map(({ kind, name, defines }) => `${kind} ${name}${defines ? ' {}' : ''}`);
const inside = (text) => said(`namespace a::b {\n${text}\n}`);

const cases = [
  { name: 'a function', text: 'int f(const X& x, std::string (*g)(int) = nullptr);', says: ['function a::b::f'] },
  { name: 'over lines', text: 'Result<void>\nf(int a,\n  int b);', says: ['function a::b::f'] },
  { name: 'with a body', text: 'int f(Options options = {}) {\n  if (x) { return g(";"); }\n}\nint g();', says: ['function a::b::f {}', 'function a::b::g'] },
  { name: 'of another namespace', text: 'int c::f() { return 1; }', says: ['function a::b::c::f {}'] },
  { name: 'an operator', text: 'bool operator==(const A& a, const B& b);\nbool F::operator()(int x) const {}', says: ['function a::b::operator==', 'function a::b::F::operator() {}'] },
  { name: 'inline, constexpr, static, deleted', text: 'inline int f() {}\nconstexpr int g(int) { return 1; }\nstatic int h() {}\nint i() = delete;', says: [] },
  { name: 'a template', text: 'template <typename T, int (*F)(T)>\nint f(T t);', says: ['function a::b::f'] },
  { name: 'an attribute', text: '[[nodiscard]] int f();', says: ['function a::b::f'] },
  { name: 'a class', text: 'class C final : public D<E> {\n public:\n  explicit C(int x);\n  ~C() override;\n  int f() const { return x_; }\n  virtual int g() = 0;\n private:\n  int x_ = f(1);\n};',
    says: ['function a::b::C::C', 'function a::b::C::~C'] },
  { name: 'its members, elsewhere', text: 'C::C(int x) : x_(x), y_{1, 2}, z_([] { return 1; }) {\n  f();\n}\nC::~C() = default;', says: ['function a::b::C::C {}', 'function a::b::C::~C {}'] },
  { name: 'a static member', text: 'struct C {\n  static const int kRows[];\n  static constexpr int kOne = 1;\n};', says: ['variable a::b::C::kRows'] },
  { name: 'an extern variable', text: 'extern const Row kRows[];', says: ['variable a::b::kRows'] },
  { name: 'variables', text: 'const Row kRows[] = {\n  {"a", &f},\n};\nconst Row kOther{1, g(2)};\nint last;', says: ['variable a::b::kRows {}', 'variable a::b::kOther {}', 'variable a::b::last {}'] },
  { name: 'local ones', text: 'namespace {\nint f();\nint x = 1;\n}\nstatic int y = 2;\nconstexpr int kZ = 3;', says: [] },
  { name: 'no declarations', text: 'using X = int (*)(int);\nclass Y;\nfriend int f();\nenum class Z { kA = (1), kB };\nstatic_assert(sizeof(int) == 4);', says: [] },
  { name: 'quotes, comments and lines for the preprocessor', text: '#define X(y) \\\n  int y();\n// int f();\n/* int g(); */\nconst char* k = R"x(int h() { ")x";\nint i();', says: ['variable a::b::k {}', 'function a::b::i'] },
];

for (const { name, text, says } of cases) test(`declarations: ${name}`, () => assert.deepEqual(inside(text), says));

test('a declaration has its line', () => {
  assert.deepEqual(declarationsOf('// one\nnamespace a {\n\n// four\nint f();\n}').map((d) => d.line), [5]);
});

const modules = readModules(`
  tab_module(base)
  tab_module(registry DEPS base)
  tab_module(server ROOMS "http:" "verbs: http" DEPS registry)`);
const space = (text) => `namespace t {\n${text}\n}`;
const linkFaults = (files) => faultsOfLinks(Object.entries(files).map(([path, text]) => ({ path, text: space(text) })), modules).map(({ path, line, what }) => `${path}:${line}: ${what}`);

test('what is declared and defined in one unit is good, generated or missing definitions are not known', () => {
  assert.deepEqual(linkFaults({ 'registry/a.h': 'int f();\nextern int x;', 'registry/kinds/a.cc': 'int f() {}', 'registry/a.cc': 'int x = 1;', 'base/b.h': 'extern int generated;' }), []);
});

test('an extern variable of another folder, such as rules of the validation that the kinds define', () => {
  assert.deepEqual(linkFaults({ 'registry/validation/checks.h': '\nextern const Check kChecks[];', 'registry/kinds/rules.cc': 'const Check kChecks[] = {};' }), [
    'registry/validation/checks.h:3: declares t::kChecks, which registry/kinds/rules.cc defines; no include shows that',
  ]);
});

test('a function of another room, in a header or in a source', () => {
  const files = { 'server/http/a.h': 'int f();', 'server/verbs/a.cc': 'int f() {}\nint g() {}', 'registry/b.cc': 'int g();\nint h() { return g(); }' };
  assert.deepEqual(linkFaults(files), [
    'server/http/a.h:2: declares t::f, which server/verbs/a.cc defines; no include shows that',
    'registry/b.cc:2: declares t::g, which server/verbs/a.cc defines; no include shows that',
  ]);
});

test('the same name in two places is two functions', () => {
  assert.deepEqual(linkFaults({ 'server/http/a.h': 'int f();', 'server/http/a.cc': 'int f() {}', 'server/verbs/a.cc': 'int f(int) {}' }), []);
});

test('symbols: an archive may need what it depends on, near or far', () => {
  const symbols = (defined, needed) => ({ defined: new Set(defined), needed: new Set(needed) });
  const archives = new Map([
    ['base', symbols(['b', 'both'], ['malloc', 's'])],
    ['registry', symbols(['r', 'both'], ['both'])],
    ['server', symbols(['s'], ['b', 'r'])],
  ]);
  assert.deepEqual(faultsOfSymbols(archives, modules), ['base needs s of server, on which it does not depend']);
});
