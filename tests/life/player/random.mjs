// Numbers that look random and follow from a seed.

export class Random {
  #state;

  constructor(seed) {
    this.#state = seed;
  }

  /** Returns a whole number from 0 up to but without `limit`. */
  below(limit) {
    this.#state = (this.#state * 1664525 + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}
