// JSON with the order of keys, the text of numbers and duplicate keys, which JSON.parse would lose.
//
//   value := null | true | false | string | JsonNumber | Array | JsonObject
//
// Tested by ordered_json.test.mjs.

/** A number by its text, because `1`, `1.0` and `1e0` are different answers. */
export class JsonNumber {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** Members in the order of the text. `doubled` lists duplicate keys. */
export class JsonObject extends Map {
  /** @type {string[]} */
  doubled = [];
}

export class JsonSyntaxError extends Error {}

/** The text ended inside a value; more may follow. */
export class JsonIncomplete extends JsonSyntaxError {}

/** Parses one document. @param {string} text */
export function parseJson(text) {
  const reader = new Reader(text);
  const value = reader.value();
  reader.space();
  if (reader.at < text.length) reader.fail('text after the document');
  return value;
}

/**
 * Parses consecutive documents, as in a watch. Stops before an incomplete one.
 * @param {string} text
 * @returns {{values: any[], rest: string}}
 */
export function parseJsonSequence(text) {
  const reader = new Reader(text);
  const values = [];
  for (;;) {
    reader.space();
    const start = reader.at;
    if (start === text.length) return { values, rest: '' };
    try {
      values.push(reader.value());
    } catch (error) {
      if (error instanceof JsonIncomplete) return { values, rest: text.slice(start) };
      throw error;
    }
  }
}

/** Prints without spaces, with keys in their order. */
export function printJson(value) {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${printJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Returns the result of JSON.parse, for code that ignores the order. */
export function toPlain(value) {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(toPlain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]));
  return value;
}

const kNumber = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const kLiterals = { t: ['true', true], f: ['false', false], n: ['null', null] };

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(what) {
    const Kind = this.at >= this.text.length ? JsonIncomplete : JsonSyntaxError;
    throw new Kind(`${what} at offset ${this.at} of ${JSON.stringify(this.text.slice(0, 60))}`);
  }

  space() {
    for (;;) {
      const c = this.text.charCodeAt(this.at);
      if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return;
      this.at++;
    }
  }

  /** Consumes `character` if it comes next; otherwise returns false. */
  take(character) {
    this.space();
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  expect(character) {
    if (!this.take(character)) this.fail(`no ${character}`);
  }

  value() {
    this.space();
    const c = this.text[this.at];
    if (c === '{') return this.object();
    if (c === '[') return this.array();
    if (c === '"') return this.string();
    if (c in kLiterals) return this.literal(...kLiterals[c]);
    return this.number();
  }

  object() {
    const object = new JsonObject();
    this.expect('{');
    if (this.take('}')) return object;
    do {
      this.space();
      const key = this.string();
      this.expect(':');
      if (object.has(key)) object.doubled.push(key);
      object.set(key, this.value());
    } while (this.take(','));
    this.expect('}');
    return object;
  }

  array() {
    const array = [];
    this.expect('[');
    if (this.take(']')) return array;
    do array.push(this.value());
    while (this.take(','));
    this.expect(']');
    return array;
  }

  string() {
    if (this.text[this.at] !== '"') this.fail('no string');
    const start = this.at;
    let escaped = false;
    for (let i = start + 1; i < this.text.length; i++) {
      const c = this.text.charCodeAt(i);
      if (c === 92) {
        escaped = true;
        i++;
      } else if (c === 34) {
        this.at = i + 1;
        return escaped ? this.unescaped(start) : this.text.slice(start + 1, i);
      }
    }
    this.at = this.text.length;
    this.fail('string without end');
  }

  unescaped(start) {
    try {
      return JSON.parse(this.text.slice(start, this.at));
    } catch {
      this.at = start;
      this.fail('bad escape');
    }
  }

  literal(word, value) {
    if (this.text.startsWith(word, this.at)) {
      this.at += word.length;
      return value;
    }
    if (word.startsWith(this.text.slice(this.at))) this.at = this.text.length;
    this.fail('bad literal');
  }

  number() {
    kNumber.lastIndex = this.at;
    const match = kNumber.exec(this.text);
    if (!match) this.fail('no value');
    this.at += match[0].length;
    return new JsonNumber(match[0]);
  }
}
