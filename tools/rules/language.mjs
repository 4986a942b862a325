// Parses the language of rules (core/rules/rules.h describes it): reads a text into steps and reports its errors.

/**
 * The words. `argument` names its form in kArguments, `detail` says whether a detail must or may follow; a word without them takes none.
 * `fills`: a word of defaults; `both`: a word of rules and of defaults.
 */
const kWords = {
  required: { detail: 'may' },
  present: { detail: 'may' },
  needed: { detail: 'may' },
  opt: { both: true },
  given: { both: true },
  nonzero: {},
  enum: { argument: 'text' },
  is: { argument: 'format' },
  range: { argument: 'range', detail: 'may' },
  min: { argument: 'zero' },
  positive: {},
  ge: { argument: 'limit', detail: 'must' },
  le: { argument: 'limit', detail: 'must' },
  gt: { argument: 'limit', detail: 'must' },
  eq: { argument: 'limit', detail: 'must' },
  max: { argument: 'count', detail: 'may' },
  maxlen: { argument: 'count', detail: 'may' },
  star: { detail: 'must' },
  distinct: { argument: 'shown', detail: 'may' },
  apart: { argument: 'list', detail: 'may' },
  among: { argument: 'lists', detail: 'may' },
  first: { argument: 'members', detail: 'must' },
  immutable: { argument: 'shown', detail: 'may' },
  forbid: { detail: 'must' },
  bad: { argument: 'shown', detail: 'must' },
  unsupported: { argument: 'choices' },
  need: { detail: 'may' },
  deny: { detail: 'must' },
  fill: { argument: 'value', fills: true },
  default: { argument: 'value', fills: true },
  number: { argument: 'value', fills: true },
  made: { fills: true },
};

const kWrites = ['create', 'update', 'status'];
const kMembers = /^[\w$\-/]+(?:[.,][\w$\-/]+)*$/;
const kPart = /^\^?[\w$\-]*(?:>(?:\^|[\w$\-]*))?(?:,\^?[\w$\-]+(?:>(?:\^|[\w$\-]*))?)*(?:\[\]|\{\})?$/;
const kList = /^[./]*[\w.]*(?:\[\](?:\.[\w.]+)?)?$/;

/** Returns the JSON that `text` is; undefined if it is none. */
function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the error of a value that is printed as a type (`#core.v1.X`); undefined if the type exists. */
const unknownType = (argument, { types }) => (argument?.startsWith('#') && !types.has(argument.slice(1)) ? `a type of the catalogue, and there is no "${argument.slice(1)}"` : undefined);

/**
 * By the form of an argument: returns the parts of its step, or what the word wants. `names.formats` and its like are sets or maps.
 * @type {Record<string, (argument: string | undefined, names: any) => object | string>}
 */
const kArguments = {
  text: (argument) => (argument === undefined ? 'an argument' : { text: argument }),
  shown: (argument, names) => (argument === '' ? 'an argument behind the sign' : unknownType(argument, names) ?? { text: argument ?? '' }),
  format: (argument, names) => (argument === undefined ? 'a format' : names.formats.has(argument) ? { format: argument } : `a format: there is none of the name "${argument}"`),
  range: (argument) => {
    const [, low, high] = /^(-?\d+)-(-?\d+)$/.exec(argument ?? '') ?? [];
    if (high === undefined) return 'two numbers';
    return Number(low) < Number(high) ? { numbers: [Number(low), Number(high)] } : 'the smaller number first';
  },
  zero: (argument) => (argument === '0' ? {} : '0'),
  count: (argument) => (/^\d+$/.test(argument ?? '') ? { numbers: [Number(argument)] } : 'a number'),
  limit: (argument) => {
    if (/^-?\d+$/.test(argument ?? '')) return { numbers: [Number(argument)] };
    return /^\.+[\w.]+$/.test(argument ?? '') ? { text: argument } : 'a number or a path';
  },
  list: (argument) => (argument && kList.test(argument) ? { text: argument } : 'a list'),
  lists: (argument) => (argument && argument.split(',').every((list) => kList.test(list)) ? { text: argument } : 'lists'),
  members: (argument) => (argument && kMembers.test(argument) ? { text: argument } : 'members'),
  choices: (argument, names) => {
    const [, shown, choices] = /^([^:]+):([^:]+)$/.exec(argument ?? '') ?? [];
    return choices ? unknownType(shown, names) ?? { text: shown, detail: choices } : 'a value and its choices, as =v:A,B';
  },
  value: (argument) => {
    if (!argument) return 'a value';
    return /^["[{]/.test(argument) && readJson(argument) === undefined ? 'JSON that can be read' : { text: argument };
  },
};

/** Reads one condition, without its question mark. Returns the parts of its step, or its error. */
function readCondition(asked, names, fills) {
  const condition = { negated: asked.startsWith('!') };
  let rest = condition.negated ? asked.slice(1) : asked;
  const known = fills ? /^[+-]?[\w.]+(?:!?=[\w|]+)?$/.test(rest) : /^(?:@[\w-]+|(?:any:|two:|gate:|[+\-^~])?[./]*[\w.,$\-/]*(?:!?=[^ ]+|>\d+)?)$/.test(rest);
  if (!known) return fills ? `"?${asked}": defaults have only conditions on values at the place` : `"?${asked}" is no condition`;
  if (rest.startsWith('@')) {
    const name = rest.slice(1);
    return names.predicates.has(name) ? { ...condition, test: 'Ask', predicate: name } : `there is no condition "${rest}"`;
  }
  if (rest.startsWith('gate:')) {
    const name = rest.slice('gate:'.length);
    return names.gates.has(name) ? { ...condition, test: 'Gate', text: name } : `there is no feature gate "${name}"`;
  }
  const signs = { '+': 'There', '-': 'There', '^': 'Was', '~': 'Changed', 'any:': 'Any', 'two:': 'Two' };
  const sign = Object.keys(signs).find((each) => rest.startsWith(each));
  if (sign) {
    rest = rest.slice(sign.length);
    if (/[=>]/.test(rest)) return `"?${asked}" is no condition`;
    if (sign === '-') condition.negated = true;
    return { ...condition, test: signs[sign], text: rest };
  }
  if (rest === 'several') return { ...condition, test: 'Several' };
  const [, path, relation, right] = /^(.*?)(!?=|>)(.*)$/.exec(rest) ?? [];
  if (relation === undefined) return { ...condition, test: 'Full', text: rest };
  if (relation === '>') return { ...condition, test: 'Above', text: path, numbers: [Number(right)] };
  return { negated: condition.negated || relation === '!=', test: 'Is', text: path, detail: right };
}

/** Returns true if these steps have no effect where the value is missing. */
function isIdle(steps) {
  for (const { what, idle } of steps) {
    if (['Opt', 'Given'].includes(what)) return true; // the line stops
    if (!(what === 'Member' ? idle : ['Each', 'Forbid', 'Max', 'Maxlen'].includes(what))) return false;
  }
  return true;
}

/** Returns the lines of a text as a tree: [{ line, column, text, below }], and reports wrong indentation. */
function treeOf(text, fault) {
  const top = [];
  const open = [{ indent: -1, below: top }];
  for (const [number, whole] of text.split('\n').entries()) {
    if (!whole.trim()) continue;
    const indent = /^ */.exec(whole)[0].length;
    const line = { line: number, column: indent, text: whole.slice(indent), indent, below: [] };
    while (open.at(-1).indent >= indent) open.pop();
    if (indent > open.at(-1).indent + 1) fault(line, 0, 'is indented deeper than the line above it allows');
    if (/\s$/.test(line.text)) fault(line, line.text.trimEnd().length, 'ends in a blank');
    open.at(-1).below.push(line);
    open.push(line);
  }
  return top;
}

/**
 * Reads a text. `names`: { formats, types, gates, checks, predicates, fills, shared }, sets or maps of the names that exist; `fills`: the text is defaults.
 * Returns { steps, faults }: the steps of core/rules/program.h as a tree, and [{ line, column, what }], counted from 0.
 */
export function readRules(text, names, fills = false) {
  const faults = [];
  const fault = (line, at, what) => void faults.push({ line: line.line, column: line.column + at, what });
  const steps = readLines(treeOf(text, fault));
  if (steps.length === 0 && faults.length === 0) faults.push({ line: 0, column: 0, what: 'the text is empty' });
  faults.sort((a, b) => a.line - b.line || a.column - b.column);
  return { steps, faults };

  function readLines(lines) {
    const out = [];
    let asked = false; // the line before is a condition
    for (const line of lines) {
      const asks = line.text.startsWith('?') || /^else( |$)/.test(line.text);
      if (asks) {
        if (!asked && line.text.startsWith('else')) fault(line, 0, 'else without a condition before it');
        out.push(readConditions(line));
      } else if (line.text.startsWith('on ')) {
        out.push(readWrites(line));
      } else {
        out.push(...readPlace(line));
      }
      asked = asks;
    }
    return out;
  }

  function readConditions(line) {
    const conditions = [];
    let otherwise = false;
    let at = 0;
    for (const [i, token] of line.text.split(' ').entries()) {
      if (i === 0 && token === 'else') {
        otherwise = true;
      } else if (!token.startsWith('?')) {
        fault(line, at, `"${token}" is no condition`);
      } else {
        const condition = readCondition(token.slice(1), names, fills);
        if (typeof condition === 'string') fault(line, at, condition);
        else conditions.push(condition);
      }
      at += token.length + 1;
    }
    if (line.below.length === 0) fault(line, 0, 'a condition has no lines below it');
    const [first, ...more] = conditions.length ? conditions : [{ test: 'Always', negated: false }];
    return { what: 'If', ...first, otherwise, steps: [...more.map((each) => ({ what: 'And', ...each })), ...readLines(line.below)] };
  }

  function readWrites(line) {
    let writes = 0;
    let at = 3;
    for (const write of line.text.slice(3).split(' ')) {
      if (kWrites.includes(write)) writes |= 1 << kWrites.indexOf(write);
      else fault(line, at, `there is no write "${write}"`);
      at += write.length + 1;
    }
    if (fills) fault(line, 0, 'defaults apply to every write');
    return { what: 'On', writes, steps: readLines(line.below) };
  }

  /** Returns the steps of a line that names places: each contains the words and the lines below. */
  function readPlace(line) {
    const called = /^[@&]/.test(line.text);
    const [place] = called ? ['.'] : line.text.split(' ', 1);
    const within = () => [...readWords(line, called ? 0 : place.length + 1), ...readLines(line.below)];
    if (place === '.') return [{ what: 'Here', steps: within() }];
    const parts = place.split('.');
    if (!parts.every((part) => part !== '' && kPart.test(part))) {
      fault(line, 0, `"${place}" is no place`);
      return [];
    }
    const told = faults.length;
    const readParts = ([part, ...rest]) => {
      if (part === undefined) return within();
      const each = /(?:\[\]|\{\})$/.test(part);
      return (each ? part.slice(0, -2) : part).split(',').flatMap((name) => {
        const inner = () => (each ? [{ what: 'Each', steps: readParts(rest) }] : readParts(rest));
        const [, atList, member, shown] = /^(\^?)([^>]*)>?(.*)$/.exec(name);
        if (!atList && !member && !shown) return inner();
        const within = inner();
        return [{ what: 'Member', atList: atList !== '', idle: member !== '' && isIdle(within), text: member, detail: shown, steps: within }];
      });
    };
    const out = readParts(parts);
    // A line that names several places is read for each; its errors are reported once.
    const seen = new Set();
    const later = faults.splice(told).filter(({ line: at, column, what }) => !seen.has(`${at}:${column}:${what}`) && seen.add(`${at}:${column}:${what}`));
    faults.push(...later);
    return out;
  }

  function readWords(line, from) {
    const out = [];
    let at = from;
    while (at < line.text.length) {
      const begin = at;
      const [token] = line.text.slice(at).split(' ', 1);
      at += token.length + 1;
      if (token.startsWith('@')) {
        out.push(...readCall(line, begin, token.slice(1)));
      } else if (token.startsWith('&')) {
        if (!names.shared.has(token.slice(1))) fault(line, begin, `there are no rules "${token}"`);
        out.push({ what: 'Rules', shared: token.slice(1) });
      } else {
        const detail = /^(?:"([^"]*)"|\|([^|]*)\|)/.exec(line.text.slice(at));
        if (/^["|]/.test(line.text.slice(at)) && !detail) {
          fault(line, at, 'a detail does not end');
          return out;
        }
        if (detail) at += detail[0].length + 1;
        const word = readWord(token, detail?.[1] ?? detail?.[2]);
        if (typeof word === 'string') fault(line, begin, word);
        else out.push(word);
      }
    }
    return out;
  }

  function readCall(line, at, name) {
    if (fills && names.fills.has(name)) return [{ what: 'Filler', filler: name }];
    if (!fills && names.checks.has(name)) return [{ what: 'Check', check: name }];
    fault(line, at, `there is no ${fills ? 'default' : 'check'} "@${name}"`);
    return [];
  }

  /** Returns the step of a word, or its error. */
  function readWord(token, detail) {
    const [, name, stops, sign, argument] = /^(\w+)(!?)(?:([:=])(.*))?$/.exec(token) ?? [];
    const word = Object.hasOwn(kWords, name ?? '') ? kWords[name] : undefined;
    if (!word) return `there is no word "${token}"`;
    if (fills && stops) return `"${token}": defaults report no errors`;
    if (!word.both && Boolean(word.fills) !== fills) return `"${name}" is a word of ${word.fills ? 'defaults' : 'rules'} only`;
    if (!word.argument && sign) return `"${name}" takes no argument`;
    const read = word.argument ? kArguments[word.argument](argument, names) : {};
    if (typeof read === 'string') return `"${name}" wants ${read}`;
    if (detail === undefined && word.detail === 'must') return `"${name}" wants a detail`;
    if (detail !== undefined && !word.detail) return `"${name}" takes no detail`;
    return { what: name[0].toUpperCase() + name.slice(1), stops: stops !== '', ...read, ...(detail === undefined ? {} : { detail }) };
  }
}
