import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { late } from '../cluster/late';
import { Missing } from './missing';

interface Props<Part> {
  /** Imports and readies the part. Only the first one that is given counts. */
  load(): Promise<Part>;
  children(part: Part): ComponentChild;
}

/** A part of this page that needs WebAssembly: it appears when that is loaded, or else why it is not. */
export function LateView<Part>({ load, children }: Props<Part>) {
  const [state, setState] = useState<{ part?: Part; fault?: Error }>({});
  useEffect(() => {
    late(load).then(
      (part) => setState({ part }),
      (fault: Error) => setState({ fault }),
    );
  }, []);
  if (state.fault) return <Missing fault={state.fault} />;
  if (state.part === undefined) return <p class="starting">Loading…</p>;
  return <>{children(state.part)}</>;
}
