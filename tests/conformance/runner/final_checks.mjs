// Checks that need the whole scenario: the order of versions, and the content of tokens.

import { fromBase64, fromUtf8 } from './bytes.mjs';
import { rulesFor } from './allowances.mjs';
import { Comparison } from './compare.mjs';
import { JsonNumber, JsonObject, parseJson, printJson } from './ordered_json.mjs';

/** @param {any[] | undefined} order numbers from the oldest to the newest */
export function checkVersionOrder(order, bindings) {
  const known = (order ?? []).map((number) => `rv:${number.text}`).filter((name) => bindings.get(name) !== undefined);
  const differences = [];
  for (let i = 1; i < known.length; i++) {
    const [older, newer] = [bindings.get(known[i - 1]), bindings.get(known[i])];
    if (BigInt(older) >= BigInt(newer)) {
      differences.push({ path: 'rvOrder', expected: `${known[i - 1]} before ${known[i]}`, got: `${older}, ${newer}` });
    }
  }
  return differences;
}

/** Compares continue tokens and service account tokens by content. */
export function checkTokens(scenario, bindings, name) {
  const rules = rulesFor(name, null);
  return [
    ...[...(scenario.get('continueTokens') ?? [])].flatMap(([placeholder, expected]) =>
      check(placeholder, bindings, rules, (token) => parseJson(decode(token)), versionsAsNumbers(expected, bindings))),
    ...[...(scenario.get('tokens') ?? [])].flatMap(([placeholder, expected]) => check(placeholder, bindings, rules, decodeJwt, expected)),
  ];
}

function check(placeholder, bindings, rules, take, expected) {
  const value = bindings.get(placeholder.slice(2, -2));
  if (value === undefined) return [];
  const comparison = new Comparison(bindings, rules);
  try {
    comparison.value(expected, take(value), placeholder);
  } catch (error) {
    comparison.add(placeholder, printJson(expected), `${value} (${error.message})`);
  }
  return comparison.differences;
}

// A version in a continue token is a JSON number.
function versionsAsNumbers(expected, bindings) {
  return new JsonObject([...expected].map(([key, item]) => [key, key === 'rv' ? new JsonNumber(bindings.get(item.slice(2, -2)) ?? item) : item]));
}

const decode = (text) => fromUtf8(fromBase64(text.replace(/-/g, '+').replace(/_/g, '/')));

function decodeJwt(token) {
  const [header, claims] = token.split('.');
  return new JsonObject([
    ['header', parseJson(decode(header))],
    ['claims', parseJson(decode(claims))],
  ]);
}
