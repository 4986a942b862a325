// A host that answers from the recordings, to test the runner itself. Every recording must be green against it, and red
// once an answer is changed (`mutate`).

import { fromBase64, toBase64, toUtf8 } from '../bytes.mjs';
import { ByteStream } from '../events.mjs';
import { JsonNumber, JsonObject, printJson, toPlain } from '../ordered_json.mjs';
import { Bindings } from '../placeholders.mjs';
import { filled } from '../request.mjs';

const kUnnumbered = {
  time: '2026-11-20T11:00:00Z',
  microTime: '2026-11-20T11:00:00.123456Z',
  nanoTime: '2026-11-20T11:00:00.123456789Z',
  age: '3s',
  unixTime: '1795172400',
  keyID: 'key_id-1',
  hash: '0123ABCDEF',
  certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  etag: '"0123"',
};

const kSafeDigits = 'fghjklmnpq';

const base64Url = (text) => toBase64(toUtf8(text)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');

/** Invented values for the placeholders of one scenario, in its order of versions. */
class ReplayValues extends Bindings {
  constructor(scenario) {
    super();
    this.scenario = scenario;
    this.order = (scenario.get('rvOrder') ?? []).map((number) => number.text);
    for (const contains of findAll(scenario, 'bytesContain')) {
      for (const [placeholder, value] of contains) this.set(placeholder.slice(2, -2), value);
    }
  }

  get(name) {
    const held = super.get(name);
    if (held !== undefined) return held;
    const [kind, number] = name.split(':');
    const value = kUnnumbered[kind] ?? this.make(kind, number, name);
    this.set(name, value);
    return value;
  }

  make(kind, number, name) {
    const two = String(number).padStart(2, '0');
    if (kind === 'rv') return String(1000 + (this.order.includes(number) ? this.order.indexOf(number) : 500 + Number(number)));
    if (kind === 'uid') return `00000000-0000-4000-8000-0000000000${two}`;
    if (kind === 'suffix') return `bcd${[...two].map((digit) => kSafeDigits[digit]).join('')}`;
    if (kind === 'clusterIP') return `10.96.7.${number}`;
    if (kind === 'nodePort') return `300${two}`;
    if (kind === 'ordinal') return number;
    if (kind === 'continue') return this.continueToken(name);
    return kind === 'token' ? this.token(name) : `{{${name}}}`;
  }

  continueToken(name) {
    const content = this.scenario.get('continueTokens')?.get(`{{${name}}}`);
    if (!content) return base64Url(`{"v":"${name}"}`);
    const asNumbers = [...content].map(([key, item]) => [key, key === 'rv' ? new JsonNumber(this.fill(item)) : item]);
    return base64Url(printJson(new JsonObject(asNumbers)));
  }

  token(name) {
    const content = this.scenario.get('tokens')?.get(`{{${name}}}`) ?? new JsonObject();
    const part = (key) => base64Url(printJson(filled(content.get(key) ?? new JsonObject([['token', name]]), this)));
    return `${part('header')}.${part('claims')}.c2lnbmVk`;
  }
}

function findAll(value, key) {
  if (Array.isArray(value)) return value.flatMap((item) => findAll(item, key));
  if (!(value instanceof Map)) return [];
  return [...value].flatMap(([name, item]) => (name === key ? [item] : findAll(item, key)));
}

export class ReplayTransport {
  /**
   * @param {Map<string, any>} scenarios by topic/name
   * @param {(answer: any, step: any) => any} mutate returns the answer to use instead of the recorded one
   */
  constructor(scenarios, mutate = (answer) => answer) {
    this.scenarios = scenarios;
    this.mutate = mutate;
  }

  async reset(name) {
    this.values = new ReplayValues(this.scenarios.get(name));
  }

  expect(step) {
    this.next = step;
  }

  async request(_, { offRecord = false } = {}) {
    if (offRecord) return { status: 200, headers: [], body: toUtf8(this.values.fill(offRecord.replayed ?? '{}')) };
    return this.mutate(this.answer(this.next.get('response')), this.next);
  }

  async watch() {
    const step = this.next;
    const response = step.get('response');
    const events = response.has('body') ? null : step.get('events').map((event) => this.bytesOf(event));
    const answer = this.mutate({ ...this.answer(response), events, ended: step.get('ended') }, step);
    const stream = new ByteStream();
    for (const bytes of answer.events ?? [answer.body]) stream.push(bytes);
    if (answer.ended) stream.end();
    return { status: answer.status, headers: answer.headers, stream, cancel() {} };
  }

  async advance() {}

  async compact() {}

  async settle() {}

  answer(response) {
    const headers = [...(response.get('headers') ?? [])].flatMap(([name, value]) =>
      [value].flat().map((each) => [name, this.values.fill(each)]));
    return { status: Number(response.get('status').text), headers, body: this.body(response) };
  }

  body(response) {
    const body = response.get('body');
    if (body === undefined || body === null) return toUtf8(response.has('trimmed') ? 'left out' : '');
    if (response.has('raw')) return toUtf8(this.values.fill(response.get('raw')));
    if (body.has?.('text')) return toUtf8(this.values.fill(body.get('text')));
    if (body.has?.('base64')) return fromBase64(body.get('base64'));
    return toUtf8(`${printJson(filled(untrimmed(response), this.values))}\n`);
  }

  bytesOf(event) {
    if (event.has('base64')) return fromBase64(event.get('base64'));
    return toUtf8(`${printJson(filled(event, this.values))}\n`);
  }
}

// Returns a body that becomes the recorded one when it is trimmed.
function untrimmed(response) {
  const body = response.get('body');
  const change = kUntrim[response.get('trimmed')];
  return change ? new JsonObject(change(body)) : body;
}

const named = (name) => new JsonObject([['metadata', new JsonObject([['name', name]])]]);

const kUntrim = {
  'items are names only': (body) => [...body].map(([key, item]) => [key, key === 'items' ? item.map(named) : item]),
  'keys only': (body) => toPlain(body.get('keys') ?? []).map((key) => [key, true]),
  'top-level keys only': (body) => toPlain(body.get('keys')).map((key) => [key, body.get(key) ?? true]),
  'rules counted': (body) => [...body].map(([key, item]) => [key, key === 'rules' ? Array(parseInt(item, 10)).fill(true) : item]),
};
