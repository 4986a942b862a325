// Check a: each action of a replay was answered as the recorded one.

import { short } from './text.mjs';

function describe(action, index, names) {
  const { method, path, args, kind = '', name = '', where = '' } = action;
  const what = action.do === 'http' ? `${method} ${names.text(path)}` : args ? args.join(' ') : `${kind} ${name} ${JSON.stringify(where)}`;
  return `action ${index} ${action.do} ${what}`;
}

/** Budgets tell different counts when a pod more or less is there already. */
const isBudget = (text) => /^"?\{"causes":\[\{"reason":"DisruptionBudget"/.test(text);

function compareAnswers(recorded, live, at, names, out) {
  if (recorded.status !== live.status) {
    const why = live.response?.message ?? live.error ?? '';
    out.hard('a', `${at}: recorded ${recorded.status}, got ${live.status} ${short(why, 160)}`);
    return;
  }
  for (const key of recorded.response ? ['reason', 'message', 'details'] : []) {
    const want = names.recorded.text(JSON.stringify(recorded.response[key]) ?? '');
    const got = names.live.text(JSON.stringify(live.response?.[key]) ?? '');
    if (want !== got) out.add('a', !isBudget(want), `${at}: response.${key}: recorded ${short(want)}, got ${short(got)}`);
  }
}

function compareOutputs(recorded, live, at, names, out) {
  if (recorded.rc !== live.rc) {
    out.hard('a', `${at}: recorded exit ${recorded.rc}, got ${live.rc} ${short(live.stderr ?? '', 160)}`);
    return;
  }
  for (const key of recorded.args ? ['stdout', 'stderr'] : []) {
    const want = names.recorded.text(recorded[key]);
    const got = names.live.text(live[key] ?? '');
    if (want !== got) out.add('a', recorded.args[1] === 'history', `${at}: ${key}: recorded ${short(want)}, got ${short(got)}`);
  }
}

/** @param {import('./differences.mjs').Differences} out */
export function compareActions(recorded, live, out) {
  const names = { recorded: recorded.names, live: live.names };
  recorded.actions.forEach((action, index) => {
    const mine = live.actions[index];
    const at = describe(action, index, recorded.names);
    if (!mine) return out.hard('a', `${at}: not performed`);
    compareAnswers(action, mine, at, names, out);
    if (action.ok !== mine.ok) {
      out.hard('a', `${at}: ${mine.ok ? 'came true, the recording timed out' : `timed out; last seen ${short(mine.last ?? 'nothing', 300)}`}`);
    }
    compareOutputs(action, mine, at, names, out);
    if (mine.capped) out.soft('a', `${at}: never quiet, went on after ${mine.capped} s`);
  });
}
