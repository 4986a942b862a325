// Time, as the player sees it: the real one, or that of a server whose clock stands until it is advanced. With the latter a
// replay takes as long as its requests, and everything happens in the same order each time.

/** The times between the steps of a server's clock, in milliseconds: short while something happens, longer when all is quiet. */
const kSteps = [
  { quietFor: 10_000, step: 250 },
  { quietFor: 3000, step: 100 },
  { quietFor: 500, step: 50 },
  { quietFor: 0, step: 10 },
];

/** The time between things that are due at once, in milliseconds: clients are not that quick, and the control loops see each. */
const kBetween = 4;

class Clock {
  /** Returns after `seconds`. */
  async sleep(seconds) {
    await this.until(seconds, () => false);
  }

  /** Waits at most `seconds` for `isTrue()`. Returns whether it became true. */
  async until(seconds, isTrue) {
    const end = this.now() + seconds * 1000;
    for (;;) {
      if (isTrue()) return true;
      if (this.now() >= end) return false;
      await this.tick(end - this.now());
    }
  }
}

const realSleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class RealClock extends Clock {
  now() {
    return Date.now();
  }

  /** Does some work after `seconds`. Returns a function that calls it off. */
  after(seconds, work) {
    const timer = setTimeout(work, seconds * 1000);
    return () => clearTimeout(timer);
  }

  /** Lets a moment pass, at most `most` milliseconds. */
  tick(most) {
    return realSleep(Math.min(most, 20));
  }

  /** Returns when everything that a request has caused at once is known. */
  async settle() {}
}

/** The clock of a server started with --clock. */
export class ServerClock extends Clock {
  #api;
  #now;
  #feed;
  #timers = []; // { due, work }, in the order of `due`
  #lastChange;

  /** @param {{catchUp: () => Promise<boolean>}} feed brings in what has changed; returns whether anything has */
  constructor(api, time, feed) {
    super();
    this.#api = api;
    this.#now = this.#lastChange = Date.parse(time);
    this.#feed = feed;
  }

  now() {
    return this.#now;
  }

  after(seconds, work) {
    const timer = { due: this.#now + Math.max(seconds * 1000, 10), work }; // nobody answers at once
    const later = this.#timers.findIndex(({ due }) => due > timer.due);
    this.#timers.splice(later < 0 ? this.#timers.length : later, 0, timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  async tick(most) {
    const { step } = kSteps.find(({ quietFor }) => this.#now - this.#lastChange >= quietFor);
    const next = this.#timers.length ? this.#timers[0].due - this.#now : Infinity;
    await this.#advance(Math.max(0, Math.min(step, Math.ceil(most), next)));
    await this.#runTimers();
  }

  async settle() {
    await this.#advance(0);
  }

  async #advance(ms) {
    const { code, json } = await this.#api.request('POST', '/-/tabernetes/clock', { body: { advance: `${ms}ms` } });
    if (code !== 200) throw new Error(`the clock does not advance: ${code} ${json?.message}`);
    this.#now += ms;
    if (await this.#feed.catchUp()) this.#lastChange = this.#now;
  }

  async #runTimers() {
    const due = this.#timers.filter((timer) => timer.due <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.due > this.#now);
    for (const { work } of due) {
      await work();
      await this.#advance(kBetween);
    }
  }
}
