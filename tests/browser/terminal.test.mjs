// What a terminal of the page shows, and what typing sends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageModule } from '../concepts/tour_code.mjs';

const { printedRuns, Screen } = await pageModule('api/screen.ts');
const { contrast, inkOn, restyled, rgbOf } = await pageModule('api/ansi.ts');
const { keySends, lineTyping } = await pageModule('api/typing.ts');

/** Returns the lines after these texts were written, one after the other. */
function shown(...texts) {
  const screen = new Screen();
  for (const text of texts) screen.write(text);
  return screen.lines;
}

describe('a screen', () => {
  for (const [name, texts, lines] of [
    ['lines, and a return that writes over', ['one\r\ntwo\rT', '!'], ['one', 'T!o']],
    ['a new line alone keeps the column', ['ab\ncd'], ['ab', '  cd']],
    ['a character is taken back', ['abc\b \b', 'd'], ['abd']],
    ['tabs', ['a\tb\t', 'c'], ['a       b       c']],
    ['colours and titles are no text, also in pieces', ['\x1b[1;31mred\x1b', '[0m\x1b]0;title\x07 \x1b]0;ti', 'tle\x1b\\end'], ['red end']],
    ['the rest of a line, the line, what is below, and everything are erased', ['abc\r\x1b[1C\x1b[K\r\nxyz\x1b[2K\x1b[1mq\r\ngone\x1b[J'], ['a', '   q', 'gone']],
    ['clear', ['a\r\nb\x1b[2J\x1b[Hc'], ['c']],
    ['the cursor does not leave the line on the left', ['a\x1b[5Db\x1b[2Dc'], ['c']],
    ['bells and what nobody knows', ['\x07a\x1b(Bb\x00'], ['aBb']],
  ]) {
    test(name, () => assert.deepEqual(shown(...texts), lines));
  }

  test('keeps 2000 lines, and the cursor', () => {
    const screen = new Screen();
    for (let i = 0; i < 2500; ++i) screen.write(`${i}\r\n`);
    assert.equal(screen.lines.length, 2000);
    assert.deepEqual(screen.cursor, { row: 1999, column: 0 });
    screen.write('end');
    screen.clear();
    assert.deepEqual(screen.lines, ['end']);
  });
});

/** Returns [text, style] for each run of one look. */
const looks = (text) => printedRuns(text).map(({ text: part, style }) => [part, Object.fromEntries(Object.entries(style).filter(([, value]) => value !== undefined))]);

describe('colours', () => {
  for (const [name, text, runs] of [
    ['of a word', 'a\x1b[31mred\x1b[0mb', [['a', {}], ['red', { ink: 1 }], ['b', {}]]],
    ['bright ones, grounds, and what they are combined with', '\x1b[1;4;94;103mx\x1b[22;24;39my', [['x', { bold: true, underlined: true, ink: 12, ground: 11 }], ['y', { ground: 11 }]]],
    ['of many', '\x1b[38;5;208ma\x1b[48;2;1;2;255mb\x1b[m\x1b[38:2::16:32:48mc', [['a', { ink: 208 }], ['b', { ink: 208, ground: '#0102ff' }], ['c', { ink: '#102030' }]]],
    ['that nobody knows, and private sequences', '\x1b[38;5;999ma\x1b[>4;2mb\x1b[58mc', [['abc', {}]]],
    ['over lines, and written over', '\x1b[32mgreen\nstill\x1b[0m\rS', [['green', { ink: 2 }], ['\nS', {}], ['till', { ink: 2 }]]],
    ['erased', '\x1b[31mred\r\x1b[0m\x1b[Kx', [['x', {}]]],
  ]) {
    test(name, () => assert.deepEqual(looks(text), runs));
  }

  test('are those of xterm, and can be read on each other', () => {
    assert.deepEqual([1, 15, 16, 208, 231, 232, 255, '#123456'].map(rgbOf), ['#cd0000', '#ffffff', '#000000', '#ff8700', '#ffffff', '#080808', '#eeeeee', '#123456']);
    for (let ground = 0; ground < 256; ++ground) {
      for (const ink of [undefined, 0, 7, 8, 15, 33, 160, 226]) {
        assert.ok(contrast(inkOn(rgbOf(ground), ink === undefined ? undefined : rgbOf(ink)), rgbOf(ground)) >= 4.5, `${ink} on ${ground}`);
      }
    }
    assert.deepEqual(restyled({ bold: true }, ''), {});
  });
});

const pressed = (key, more = {}) => keySends({ key, ctrlKey: false, altKey: false, metaKey: false, ...more });

test('keys send what those of a terminal do; characters and the browser\'s own keys send nothing', () => {
  assert.deepEqual(['Enter', 'Backspace', 'ArrowUp', 'Delete'].map((key) => pressed(key)), ['\r', '\x7f', '\x1b[A', '\x1b[3~']);
  assert.deepEqual(['c', 'D', 'l'].map((key) => pressed(key, { ctrlKey: true })), ['\x03', '\x04', '\f']);
  assert.deepEqual([pressed('a'), pressed('Tab'), pressed('F5'), pressed('t', { ctrlKey: true }), pressed('c', { metaKey: true })], Array(5).fill(undefined));
});

/** Types these texts without a TTY. Returns what was sent and what is shown. */
function typed(...texts) {
  const screen = new Screen();
  const sent = [];
  const type = lineTyping({ send: (text) => sent.push(text), end: () => sent.push('END'), leave: () => sent.push('LEFT'), show: (text) => screen.write(text) });
  for (const text of texts) type(text);
  return { sent, shown: screen.lines };
}

describe('typing without a terminal on the other side', () => {
  for (const [name, texts, sent, lines] of [
    ['sends whole lines, and shows them', ['on', 'e\r', 'two'], ['one\n'], ['one', 'two']],
    ['corrects', ['abd', '\x7f', 'c\r', '\x7f'], ['abc\n'], ['abc', '']],
    ['forgets a line', ['secret', '\x15', 'x\r'], ['x\n'], ['x', '']],
    ['brings back earlier lines', ['a\r', 'b\r', '\x1b[A', '\x1b[A', '\x1b[B', '!\r'], ['a\n', 'b\n', 'b!\n'], ['a', 'b', 'b!', '']],
    ['ends at Ctrl-D, which first sends what there is', ['ab', '\x04', '\x04'], ['ab', 'END'], ['ab']],
    ['leaves at Ctrl-C', ['ab', '\x03'], ['LEFT'], ['ab^C', '']],
    ['takes no other keys', ['a', '\x1b[C', '\x01', '\r'], ['a\n'], ['a', '']],
  ]) {
    test(name, () => assert.deepEqual(typed(...texts), { sent, shown: lines }));
  }
});
