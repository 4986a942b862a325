// Checks of a long run, which are printed as they end.

/** Counts checks. */
export class Checks {
  passed = 0;
  failed = 0;

  /** Runs a check; what it returns is printed beside it. */
  async check(what, body) {
    try {
      const result = await body();
      ++this.passed;
      console.log(`ok      ${what}${result ? `: ${result}` : ''}`);
    } catch (error) {
      ++this.failed;
      console.log(`FAILED  ${what}: ${error.stack}`);
    }
  }

  /** Prints the last line and ends the process. */
  end() {
    console.log(`${this.passed} passed, ${this.failed} failed`);
    process.exit(this.failed ? 1 : 0);
  }
}
