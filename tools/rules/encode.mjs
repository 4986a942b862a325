// Steps as the bytes that core/rules/program.h describes.

const kHasText = 1;
const kHasDetail = 2;
const kMore = 0x80;

/** Returns a number of 0 and above in seven bits a byte, the low ones first. */
export function varint(number) {
  const bytes = [];
  let rest = number;
  for (; rest >= kMore; rest = Math.floor(rest / kMore)) bytes.push((rest % kMore) | kMore);
  return [...bytes, rest];
}

/** Returns a number of either sign: 0, -1, 1, -2 as 0, 1, 2, 3. */
export const signed = (number) => varint(number < 0 ? -2 * number - 1 : 2 * number);

/** Returns a text with a zero byte behind it, which Brotli compresses better than a length. */
const stringOf = (text) => [...Buffer.from(text, 'utf8'), 0];

/**
 * Returns the bytes of steps. `numbers`: { steps, tests: Map of the enumerators, formats: Map, checks, predicates, fills, shared: a function from a
 * name to its number }.
 */
export function encode(steps, numbers) {
  const head = (step) => {
    const number = numbers.steps.get(`k${step.what}`);
    if (number === undefined) throw new Error(`core/rules/program.h has no step k${step.what}`);
    return (number << 2) | (step.text ? kHasText : 0) | (step.detail ? kHasDetail : 0);
  };
  const texts = (step) => [...(step.text ? stringOf(step.text) : []), ...(step.detail ? stringOf(step.detail) : [])];

  /** Returns the step's own part, between its head and its texts. */
  const middle = (step) => {
    switch (step.what) {
      case 'If':
      case 'And':
        return [numbers.tests.get(`k${step.test}`) | (step.negated ? 0x10 : 0) | (step.otherwise ? 0x20 : 0), ...(step.predicate ? varint(numbers.predicates(step.predicate)) : [])];
      case 'On':
        return [step.writes];
      case 'Member':
        return [(step.atList ? 1 : 0) | (step.idle ? 2 : 0)];
      case 'Check':
        return varint(numbers.checks(step.check));
      case 'Filler':
        return varint(numbers.fills(step.filler));
      case 'Rules':
        return varint(numbers.shared(step.shared));
      case 'Is':
        return varint(numbers.formats.get(step.format));
      default:
        return [];
    }
  };

  const one = (step) => {
    const own = [...middle(step), ...texts(step), ...(step.numbers ?? []).flatMap(signed)];
    if (!step.steps) return [...(step.stops ? [numbers.steps.get('kStop') << 2] : []), head(step), ...own];
    const within = [...own, ...step.steps.flatMap(one)];
    return [head(step), ...varint(within.length), ...within];
  };
  return steps.flatMap(one);
}
