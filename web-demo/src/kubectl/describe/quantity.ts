// Sums of quantities: `250m`, `64Mi`, `1Gi`.

export interface Quantity {
  /** In thousandths. */
  milli: bigint;
  binary: boolean;
}

const kBinary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const kDecimal = ['m', '', 'k', 'M', 'G', 'T', 'P', 'E'];

export const kZero: Quantity = { milli: 0n, binary: false };

export function quantityOf(given: string | number | undefined): Quantity {
  const [, number = '0', suffix = ''] = /^([-+]?[\d.]+)(.*)$/.exec(String(given ?? 0)) ?? [];
  const binary = kBinary.indexOf(suffix);
  if (binary > 0) return { milli: thousandths(number) * 1024n ** BigInt(binary), binary: true };
  const decimal = kDecimal.indexOf(suffix);
  if (decimal >= 0) return { milli: (thousandths(number) * 1000n ** BigInt(decimal)) / 1000n, binary: false };
  // Smaller ones are rounded up, as Kubernetes does it with thousandths.
  const small = { u: 1000n, n: 1_000_000n }[suffix];
  if (small) return { milli: (thousandths(number) / 1000n + small - 1n) / small, binary: false };
  return { milli: BigInt(Math.round(Number(`${number}${suffix}`) * 1000)), binary: false };
}

function thousandths(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole || '0') * 1000n + BigInt(part.padEnd(3, '0').slice(0, 3));
}

/** The sum has the form of the first that is not zero. */
export const sum = (a: Quantity, b: Quantity): Quantity => ({ milli: a.milli + b.milli, binary: a.milli === 0n ? b.binary : a.binary });
export const greater = (a: Quantity, b: Quantity): Quantity => (b.milli > a.milli ? b : a);

/** As Kubernetes writes it: the largest unit without a fraction. */
export function quantityText({ milli, binary }: Quantity): string {
  if (milli === 0n) return '0';
  if (binary && milli % 1000n === 0n) {
    let value = milli / 1000n;
    let unit = 0;
    for (; value % 1024n === 0n && unit < kBinary.length - 1; unit++) value /= 1024n;
    return `${value}${kBinary[unit]}`;
  }
  let value = milli;
  let unit = 0;
  for (; value % 1000n === 0n && unit < kDecimal.length - 1; unit++) value /= 1000n;
  return `${value}${kDecimal[unit]}`;
}

/** The whole percentage of one of another. */
export const percentage = (part: Quantity, whole: Quantity) => (whole.milli === 0n ? 0 : Math.trunc((Number(part.milli) / Number(whole.milli)) * 100));
