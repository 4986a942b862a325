// Seeded damage to bytes.

/** A generator of whole numbers below a bound, the same for the same seed (mulberry32). */
export function randomOf(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const kInteresting = [0, 1, 2, 4, 8, 9, 10, 13, 32, 126, 127, 128, 254, 255];

const kDamages = [
  // One bit.
  (bytes, random) => {
    const at = random(bytes.length);
    bytes[at] ^= 1 << random(8);
    return bytes;
  },
  // One byte.
  (bytes, random) => {
    bytes[random(bytes.length)] = kInteresting[random(kInteresting.length)];
    return bytes;
  },
  // A part is missing.
  (bytes, random) => {
    const from = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random(16))]);
  },
  // A part stands twice.
  (bytes, random) => {
    const from = random(bytes.length);
    const part = bytes.subarray(from, from + 1 + random(64));
    return Buffer.concat([bytes.subarray(0, from), part, bytes.subarray(from)]);
  },
  // Random bytes in the middle.
  (bytes, random) => {
    const at = random(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(Array.from({ length: 1 + random(32) }, () => random(256))), bytes.subarray(at)]);
  },
  // The end is missing.
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
];

/** Returns a copy of `bytes` with one to four damages, or the beginning of one input with the end of `other`. */
export function mutated(bytes, other, random) {
  let damaged = Buffer.from(bytes);
  if (random(8) === 0) damaged = Buffer.concat([damaged.subarray(0, random(damaged.length + 1)), other.subarray(random(other.length + 1))]);
  for (let i = 1 + random(4); i > 0 && damaged.length > 0; i--) damaged = kDamages[random(kDamages.length)](Buffer.from(damaged), random);
  return damaged;
}
