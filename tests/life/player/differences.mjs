// The list of differences of two histories. Hard ones fail a recording; soft ones depend on timing, or are steps that the
// recording does not show. The checks:
//
//   a  answers and waits    b  final objects    c  transitions and steps    d  Events    e  field managers

/** @typedef {{check: string, hard: boolean, text: string}} Difference */

export class Differences {
  /** @type {Difference[]} */
  list = [];

  hard(check, text) {
    this.list.push({ check, hard: true, text });
  }

  soft(check, text) {
    this.list.push({ check, hard: false, text });
  }

  add(check, isHard, text) {
    this.list.push({ check, hard: isHard, text });
  }
}

/** What preemption finds depends on when it is tried. */
export const withoutPreemption = (text) => text?.replace(/preemption: .*/, '');
