import { useState } from 'preact/hooks';
import { type ComparedChange, compareSnapshots } from '../../api/compare';
import type { Place } from '../../cluster/place';
import { takeSnapshot } from '../../cluster/snapshots';
import { ChangeList } from '../change-list';

/** Forks of clusters, of which there is one at a time. */
export interface Forking {
  /** The cluster of which the fork was made; undefined without a fork. */
  origin: Place | undefined;
  /** The fork, if there is one. */
  fork: Place | undefined;
  /** Makes a fork from a snapshot and shows it. `origin`: with which it is compared. */
  make(snapshot: string, origin: Place): Promise<Place>;
}

interface Props {
  place: Place;
  forking: Forking | undefined;
  tell(text: string): void;
}

/** Forks the shown cluster, and compares the fork with it. */
export function ForkControls({ place, forking, tell }: Props) {
  const [compared, setCompared] = useState<{ snapshots: [string, string]; busy: boolean }>();
  if (!forking || place.locked !== undefined) return null;
  const { origin, fork, make } = forking;
  const attempt = (work: Promise<void>) => void work.catch((fault: Error) => tell(fault.message));
  const begin = async () => void (await make(await takeSnapshot(place.client.transport), place));
  const compare = async () => {
    const snapshots = await Promise.all([takeSnapshot(origin!.client.transport), takeSnapshot(fork!.client.transport)]);
    setCompared({ snapshots, busy: false });
  };
  return (
    <>
      {place.where !== 'fork' && (
        <button class="button" title="A second cluster in this page, with the same objects, versions and time; work in both and compare" onClick={() => attempt(begin())}>
          Fork
        </button>
      )}
      {origin && fork && (
        <button class="button" aria-pressed={compared !== undefined} onClick={() => (compared ? setCompared(undefined) : attempt(compare()))}>
          Compare with {place.where === 'fork' ? 'the original' : 'the fork'}
        </button>
      )}
      {compared && <Differences compared={compared} onBusy={(busy) => setCompared({ ...compared, busy })} />}
    </>
  );
}

function Differences({ compared: { snapshots, busy }, onBusy }: { compared: { snapshots: [string, string]; busy: boolean }; onBusy(busy: boolean): void }) {
  const changes: ComparedChange[] = compareSnapshots(...snapshots, busy);
  return (
    <div class="changes differences" role="region" aria-label="Differences" tabIndex={0}>
      <p class="muted" role="status">
        From the original to the fork: {changes.length === 0 ? 'the same' : `${changes.length} differ`}
      </p>
      <label class="check">
        <input type="checkbox" checked={busy} onChange={(event) => onBusy(event.currentTarget.checked)} />
        <span>With events and leases</span>
      </label>
      <ChangeList changes={changes} />
    </div>
  );
}
