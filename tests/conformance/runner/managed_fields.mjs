// Takes `managedFields` out of an answer, while allowances.mjs says so.

import { JsonObject } from './ordered_json.mjs';

/** A tree without it. */
export function dropManagedFields(value) {
  if (typeof value === 'string') return dropFromText(value);
  if (Array.isArray(value)) return value.map(dropManagedFields);
  if (!(value instanceof Map)) return value;
  const kept = new JsonObject();
  kept.doubled = value.doubled ?? [];
  for (const [key, item] of value) {
    if (key === 'managedFields' && Array.isArray(item)) continue;
    kept.set(key, dropManagedFields(item));
  }
  return kept;
}

/** JSON or YAML text without it; other text as it is. @param {string} text */
export function dropFromText(text) {
  if (!text.includes('managedFields')) return text;
  return dropFromYaml(dropFromJson(text));
}

// As a member, or inside a quoted text (`\"managedFields\":[…`).
const kJsonMember = /,?\s*(\\*)"managedFields\\*"\s*:\s*\[/;

function dropFromJson(text) {
  for (;;) {
    const match = kJsonMember.exec(text);
    if (!match) return text;
    const start = match.index + match[0].length;
    const end = match[1] ? endOfQuotedArray(text, start) : endOfArray(text, start);
    if (end < 0) return text;
    text = text.slice(0, match.index) + text.slice(end);
  }
}

// Where the array ends whose inside begins at `at`.
function endOfArray(text, at) {
  let depth = 1;
  for (let inString = false; at < text.length; at++) {
    const c = text[at];
    if (inString) {
      if (c === '\\') at++;
      else if (c === '"') inString = false;
    } else if (c === '"') inString = true;
    else if (c === '[') depth++;
    else if (c === ']' && --depth === 0) return at + 1;
  }
  return -1;
}

// The same inside a quoted text, where brackets in keys do not occur.
function endOfQuotedArray(text, at) {
  for (let depth = 1; at < text.length; at++) {
    if (text[at] === '[') depth++;
    else if (text[at] === ']' && --depth === 0) return at + 1;
  }
  return -1;
}

// A block list stands at the indentation of its key, as the real server writes it.
function dropFromYaml(text) {
  const kept = [];
  let inside = null;
  for (const line of text.split('\n')) {
    const indent = /^ */.exec(line)[0].length;
    const inItem = indent > inside || (indent === inside && line.startsWith('- ', inside));
    if (inside !== null && inItem) continue;
    inside = /^ *managedFields:$/.test(line) ? indent : null;
    if (inside === null) kept.push(line);
  }
  return kept.join('\n');
}
