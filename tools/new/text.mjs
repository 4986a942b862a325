// Converts names, and inserts lines into source texts.

/** Returns "csi_driver" for "CSIDriver" and "ttl_after_finished" for "ttl-after-finished". */
export const snakeCase = (name) =>
  name
    .replaceAll('-', '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

/** Returns "TtlAfterFinished" for "ttl-after-finished". */
export const pascalCase = (name) => name.split(/[-_. ]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

/** Returns "lastTransitionTime" for "Last Transition Time". */
export const camelCase = (name) => pascalCase(name).replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (first) => first.toLowerCase());

/** Inserts `item` before the first greater one, and returns the new list. */
function inserted(items, item) {
  const at = items.findIndex((other) => other > item);
  return at < 0 ? [...items, item] : items.toSpliced(at, 0, item);
}

/** Adds a source to the SOURCES of `call(name …)` in the text of a CMakeLists.txt, in alphabetical order. */
export function withSource(text, call, name, source) {
  let found = false;
  const result = text.replace(new RegExp(`(\\b${call}\\(${name}\\s+SOURCES(\\s+))([^)]*?)(?=\\s+[A-Z]{4,}\\b|\\s*\\))`), (_, head, gap, sources) => {
    found = true;
    return head + inserted(sources.split(/\s+/), source).join(gap);
  });
  if (!found) throw new Error(`no ${call}(${name} SOURCES …)`);
  return result;
}

/** Adds a room that may include `others` to a tab_module in the text of a CMakeLists.txt, after the first room, unless it exists. */
export function withRoom(text, module, room, others) {
  const [call] = new RegExp(`\\btab_module\\(${module}\\s[^]*?\\n  DEPS `).exec(text) ?? [];
  if (!call?.includes('ROOMS')) throw new Error(`no tab_module(${module} … ROOMS …)`);
  if (call.includes(`"${room}:`)) return text;
  return text.replace(call, call.replace(/ROOMS\n.*\n/, (first) => `${first}    "${room}: ${others}"\n`));
}

/** Adds an #include "…" to the last block of them in a C++ text, in alphabetical order. */
export function withInclude(text, header) {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('#include "'));
  if (last < 0) throw new Error('no #include "…"');
  let first = last;
  while (lines[first - 1]?.startsWith('#include "')) first--;
  const block = lines.slice(first, last + 1);
  lines.splice(first, block.length, ...inserted(block, `#include "${header}"`));
  return lines.join('\n');
}

/** Inserts `line` after the last line that matches `pattern`. */
export function afterLast(text, pattern, line) {
  const lines = text.split('\n');
  const last = lines.findLastIndex((other) => pattern.test(other));
  if (last < 0) throw new Error(`no line matches ${pattern}`);
  return lines.toSpliced(last + 1, 0, line).join('\n');
}

/** Returns a C++ raw string literal. */
export const raw = (text) => `R"(${text})"`;
