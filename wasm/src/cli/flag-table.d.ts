/** A flag of `tabernetes serve`, as flags/serve.json describes it for every host. */
export interface Flag {
  /** Without dashes. */
  name: string;
  /** What --help calls its value; that of a BOOL may be left out. */
  value: string;
  help: string;
  /** Its value where none is given, as a command line would have it. */
  default?: string;
  /** What holds then, in words. */
  otherwise?: string;
  repeats?: true;
  /** It may stand for "none". */
  mayBeEmpty?: true;
  /** Of a number. */
  most?: string;
  /** One of these; anything if left out. */
  choices?: string[];
}

/** In the order in which --help tells them. */
declare const flags: readonly Flag[];
export default flags;
