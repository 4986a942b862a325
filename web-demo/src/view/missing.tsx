import { useEffect } from 'preact/hooks';
import { isBuiltNow, NotBuilt } from '../cluster/late';

const kLookAgain = 3000;

/** Shown in place of a part that could not be loaded. */
export function Missing({ fault }: { fault: Error }) {
  const unbuilt = fault instanceof NotBuilt;
  useEffect(() => {
    if (!unbuilt) return undefined;
    const timer = setInterval(() => void isBuiltNow().then((built) => built && location.reload()), kLookAgain);
    return () => clearInterval(timer);
  }, [unbuilt]);
  return (
    <div class="missing" role="alert">
      <h1>{unbuilt ? fault.message : 'The cluster inside this page did not load.'}</h1>
      <p>
        {unbuilt
          ? 'It is WebAssembly, which is still being built or was left out of this build. It appears here as soon as it is there.'
          : fault.message}
      </p>
      <button class="button" onClick={() => location.reload()}>
        Retry
      </button>
    </div>
  );
}
