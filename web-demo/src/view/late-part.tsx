import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Props<Part> {
  /** Of two parts that can stand in the same place, each needs a `key`: the first `load` alone is called. */
  load(): Promise<Part>;
  children(part: Part): ComponentChild;
}

/** A part of this page that is loaded when it is first shown. Nothing is shown until then. */
export function LatePart<Part>({ load, children }: Props<Part>) {
  const [part, setPart] = useState<{ loaded: Part }>();
  useEffect(() => void load().then((loaded) => setPart({ loaded })), []);
  return part ? <>{children(part.loaded)}</> : null;
}
