// Tests the progress line of the tools.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { duration, partOf, Progress, timeLeft } from '../lib/progress.mjs';

/** Returns a stream, a terminal or not, that keeps its output, and a fixed clock. */
function stage(isTTY, more = {}) {
  const stream = { isTTY, columns: 60, text: '', write: (text) => (stream.text += text) };
  const clock = { now: 0 };
  const progress = new Progress({ stream, now: () => clock.now, ...more });
  progress.start([{ name: 'Server', seconds: 100 }, { name: 'Page', seconds: 50 }]);
  return { stream, clock, progress };
}

test('durations are said in seconds and minutes', () => {
  assert.deepEqual([0, 1400, 59_600, 61_000, -5].map(duration), ['0 s', '1 s', '1 min 0 s', '1 min 1 s', '0 s']);
});

test("how far a build is comes from ninja's lines, the last one counts", () => {
  assert.deepEqual(partOf('[1/8] one\n[2/8] two\n'), { done: 2, total: 8 });
  assert.deepEqual(partOf('\r[7/9] Linking'), { done: 7, total: 9 });
  assert.equal(partOf('error in [1/8] of it'), undefined);
  assert.equal(partOf('[x/8] no'), undefined);
});

test('the time left is what later steps usually take, at the pace of this machine', () => {
  const list = [{ seconds: 100 }, { seconds: 50 }];
  assert.equal(timeLeft(list, 0, 0, 0, 0), 150_000);
  assert.equal(timeLeft(list, 0, 0, 40_000, 0), 110_000);
  assert.equal(timeLeft(list, 0, 0, 40_000, 0.5), 90_000); // the part that is done counts
  assert.equal(timeLeft(list, 1, 210_000, 0, 0), 100_000); // the first took twice as long
  assert.ok(timeLeft(list, 1, 100_000, 500_000, 0) > 0); // never zero before the end
});

test('on a terminal one line moves: step, part, time left', () => {
  const { stream, clock, progress } = stage(true);
  progress.next();
  assert.match(stream.text, /\r\[1\/2\] Server  about 2 min 30 s left\x1b\[K$/);
  clock.now = 50_000;
  progress.output('[4/8] Building CXX object a.o\n');
  assert.match(stream.text, /\r\[1\/2\] Server  4 of 8  about 1 min 40 s left\x1b\[K$/);
  assert.ok(!stream.text.includes('a.o') && !stream.text.includes('\n'));
  progress.say('ready\n');
  assert.match(stream.text, /\r\x1b\[Kready\n\r\[1\/2\] Server[^\n]*$/);
  progress.ended();
  progress.stop();
  assert.ok(stream.text.endsWith('\r\x1b[K'));
});

test('a line is no wider than the terminal', () => {
  const { stream, progress } = stage(true);
  stream.columns = 20;
  progress.next();
  progress.stop();
  assert.equal(stream.text.split('\r')[1].replace('\x1b[K', '').length, 19);
});

test('where nothing can move, a step has two lines, and one when there was nothing to do', () => {
  const { stream, clock, progress } = stage(false);
  progress.next();
  progress.output('[4/8] Building\n');
  clock.now = 61_000;
  progress.ended();
  progress.next();
  progress.ended(true);
  progress.stop();
  assert.equal(stream.text, '[1/2] Server\n[1/2] Server: done in 1 min 1 s\n[2/2] Page\n');
});

test('verbose shows what programs print; the log keeps it in any case', () => {
  for (const verbose of [false, true]) {
    const log = join(mkdtempSync(join(tmpdir(), 'progress-')), 'logs', 'x.log');
    const { stream, progress } = stage(true, { verbose, log });
    progress.next();
    progress.output('[4/8] Building CXX object a.o\n');
    progress.ended();
    progress.stop();
    assert.equal(stream.text.includes('a.o'), verbose);
    assert.equal(readFileSync(log, 'utf8'), '== [1/2] Server\n[4/8] Building CXX object a.o\n== [1/2] Server: done in 0 s\n');
  }
});
