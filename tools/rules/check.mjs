#!/usr/bin/env node
// Checks the rules of built-in kinds when the core is built: their grammar (described in core/rules/rules.h) and the names
// they use. Prints errors like a compiler; an error ends the build.
//
// `node tools/rules/check.mjs [CORE [STAMP]]`: writes STAMP if there are no errors.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const kFillWords = ['fill', 'default', 'number', 'made'];
const kSharedWords = ['given', 'opt'];
const kWithDetail = ['star', 'ge', 'le', 'gt', 'eq', 'first', 'forbid', 'bad', 'deny'];
const kWithArgument = ['enum', 'is', 'range', 'ge', 'le', 'gt', 'eq', 'max', 'maxlen', 'apart', 'among', 'first', 'unsupported', 'fill', 'default', 'number'];
const kPath = /^[\w$\-/]+(?:[.,][\w$\-/]+)*$/;
const kPlace = /^\^?[\w$\-]*(?:>(?:\^|[\w$\-]*))?(?:\[\]|\{\})?(?:,\^?[\w$\-]+(?:>(?:\^|[\w$\-]*))?)*(?:\[\]|\{\})?$/;

/** Returns the names of the rows `{"name", ...}` in the tables of a type. */
function rowsOf(text, type) {
  const names = [];
  const tables = new RegExp(`${type} k\\w+\\[\\d*\\] = \\{(.*?)\\n?\\};`, 'gs');
  for (const [, body] of text.matchAll(tables)) {
    const bare = body.replace(/R"(~?)\(.*?\)\1"/gs, 'TEXT');
    for (const [, name] of bare.matchAll(/\{"([^"]+)",/g)) names.push(name);
  }
  return names;
}

/** Returns the rules in a file: [{ name, line, text, fills }]. `fills`: defaults instead of checks. */
export function textsOf(source) {
  const texts = [];
  const lineOf = (at) => source.slice(0, at).split('\n').length;
  const add = (name, match) => texts.push({ name, line: lineOf(match.index + match[0].indexOf('R"')), text: match[match.length - 1], fills: /-?defaults$/i.test(name) });
  for (const match of source.matchAll(/std::string_view (k\w*(?:Rules|Defaults)) =\s*R"(~?)\((.*?)\)\2"/gs)) add(match[1], match);
  for (const match of source.matchAll(/\{"([\w-]+)", R"(~?)\((.*?)\)\2"\}/gs)) add(match[1], match);
  return texts;
}

function* files(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.(cc|h)$/.test(entry.name)) yield path;
  }
}

/** Returns the errors in a text: [{ line, what }], lines counted from 0. `names`: sets { words, formats, checks, predicates, shared, fills }. */
export function faultsOf(text, names, fills = false) {
  const faults = [];
  let depth = 0;
  text.split('\n').forEach((whole, number) => {
    if (!whole.trim()) return;
    const fault = (what) => faults.push({ line: number, what });
    const indent = whole.match(/^ */)[0].length;
    if (indent > depth + 1) fault('is indented deeper than the line above it allows');
    depth = indent;
    const line = whole.slice(indent);
    if (/\s$/.test(line)) fault('ends in a blank');
    if (line.startsWith('?') || line.startsWith('else')) return conditions(line, fault);
    if (line.startsWith('on ')) {
      for (const write of line.slice(3).split(' '))
        if (!['create', 'update', 'status'].includes(write)) fault(`there is no write "${write}"`);
      return;
    }
    let rest = line;
    if (!/^[@&]/.test(line)) {
      const [place] = line.split(' ', 1);
      rest = line.slice(place.length + 1);
      for (const part of place === '.' ? [] : place.split('.')) if (!kPlace.test(part)) fault(`"${place}" is no place`);
    }
    words(rest, fault);
  });
  return faults;

  function conditions(line, fault) {
    for (const [i, token] of line.split(' ').entries()) {
      if (i === 0 && token === 'else') continue;
      if (!token.startsWith('?')) {
        fault(`"${token}" is no condition`);
        continue;
      }
      const asked = token.slice(1).replace(/^!/, '');
      if (asked.startsWith('@')) {
        if (fills) fault(`${token}: what fills in knows only values`);
        else if (!names.predicates.has(asked.slice(1))) fault(`there is no condition "${asked}"`);
      } else if (fills && !/^[+-]?[\w.]+(?:!?=[\w|]+)?$/.test(asked)) {
        fault(`${token}: what fills in knows only values at the place`);
      } else if (asked !== 'several' && !/^(?:any:|two:|[+\-^~])?[./]*[\w.,$\-/]*(?:!?=[^ ]+|>\d+)?$/.test(asked)) {
        fault(`"${token}" is no condition`);
      }
    }
  }

  function words(rest, fault) {
    while (rest) {
      const [token] = rest.split(' ', 1);
      rest = rest.slice(token.length + 1);
      if (token.startsWith('@')) {
        if (!(fills ? names.fills : names.checks).has(token.slice(1))) fault(`there is no ${fills ? 'filling in' : 'check'} "${token}"`);
        continue;
      }
      if (token.startsWith('&')) {
        if (!names.shared.has(token.slice(1))) fault(`there are no rules "${token}"`);
        continue;
      }
      const [, word, separator, argument] = token.match(/^(\w+)!?(?:([:=])(.*))?$/) ?? [];
      if (!word || !names.words.has(word)) {
        fault(`there is no word "${token}"`);
        return;
      }
      const filling = kFillWords.includes(word);
      if (filling !== fills && !kSharedWords.includes(word)) fault(`"${word}" ${filling ? 'fills in, and stands among checks' : 'checks, and stands among what fills in'}`);
      if (kWithArgument.includes(word) && !separator) fault(`"${word}" wants an argument`);
      if (word === 'is' && !names.formats.has(argument)) fault(`there is no format "${argument}"`);
      if (['max', 'maxlen'].includes(word) && !/^\d+$/.test(argument)) fault(`"${token}" wants a number`);
      if (word === 'range' && !/^-?\d+--?\d+$/.test(argument)) fault(`"${token}" wants two numbers`);
      if (['apart', 'among'].includes(word) && argument.split(',').some((list) => !/^[./]*[\w.]*(?:\[\](?:\.[\w.]+)?)?$/.test(list))) fault(`"${token}" wants lists`);
      if (['ge', 'le', 'gt', 'eq'].includes(word) && !/^-?\d+$|^\.+[\w.]+$/.test(argument)) fault(`"${token}" wants a number or a path`);
      if (word === 'first' && !kPath.test(argument)) fault(`"${token}" wants members`);
      const detail = rest.match(/^(?:"[^"]*"|\|[^|]*\|)/)?.[0];
      if (/^["|]/.test(rest) && !detail) {
        fault('a detail does not end');
        return;
      }
      if (!detail && kWithDetail.includes(word)) fault(`"${word}" wants a detail`);
      if (detail) rest = rest.slice(detail.length + 1);
    }
  }
}

/** Collects the names that rules may use from the sources. */
export function namesOf(core) {
  const names = { words: new Set(), formats: new Set(), checks: new Set(), predicates: new Set(), shared: new Set(), fills: new Set() };
  const steps = readFileSync(join(core, 'rules/rule_steps.cc'), 'utf8');
  for (const name of rowsOf(steps, 'Word')) names.words.add(name);
  for (const name of rowsOf(readFileSync(join(core, 'rules/formats.cc'), 'utf8'), 'FormatRow')) names.formats.add(name);
  const tables = { NamedCheck: 'checks', NamedPredicate: 'predicates', NamedRules: 'shared', NamedFill: 'fills' };
  for (const file of files(join(core, 'kinds'))) {
    const text = readFileSync(file, 'utf8');
    for (const [type, into] of Object.entries(tables)) for (const name of rowsOf(text, type)) names[into].add(name);
  }
  return names;
}

function main([core = resolve(dirname(fileURLToPath(import.meta.url)), '../../core'), stamp]) {
  const names = namesOf(core);
  for (const [what, set] of Object.entries(names)) if (set.size === 0) throw new Error(`no ${what} were found`);
  let count = 0;
  let wrong = 0;
  for (const file of files(join(core, 'kinds'))) {
    for (const { name, line, text, fills } of textsOf(readFileSync(file, 'utf8'))) {
      count++;
      for (const fault of faultsOf(text, names, fills)) {
        wrong++;
        console.error(`${relative(process.cwd(), file)}:${line + fault.line}: error: ${name}: ${fault.what}`);
      }
    }
  }
  console.log(`rules: ${count} texts, ${wrong} faults`);
  if (wrong) process.exit(1);
  if (stamp) {
    if (!existsSync(dirname(stamp))) mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, '');
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
