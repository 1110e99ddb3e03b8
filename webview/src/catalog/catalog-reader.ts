import type { CatalogState } from '../../../protocol/catalog-state.ts';
import type { Ask } from '../request-channel.ts';
import { type ObjectsState, knownOf } from './objects-state.ts';

/** Reads the data objects of the graph's source, and follows reads of other surfaces. */
export interface CatalogReader {
  state(): ObjectsState;
  /** @param refresh reads the source itself again. */
  load(refresh: boolean): void;
  /** Stops reading, for all surfaces. */
  stop(): void;
  /** Takes a state that the extension has sent. */
  told(state: CatalogState): void;
}

interface CatalogReaderOptions {
  readonly ask: Ask;
  state(): ObjectsState;
  become(objects: ObjectsState): void;
}

export function createCatalogReader({ ask, state, become }: CatalogReaderOptions): CatalogReader {
  /** Number of the latest request, and whether it is pending. */
  let turn = 0;
  let isAsked = false;

  function load(refresh: boolean): void {
    turn += 1;
    const mine = turn;
    isAsked = true;
    // Known data objects stay in sight until there are newer ones.
    const known = knownOf(state());
    const before = known ? { before: known } : {};
    if (!known || refresh) become({ kind: 'loading', since: performance.now(), ...before });
    void ask('dataObjects', refresh ? { refresh } : {}).then((outcome) => {
      if (mine !== turn) return;
      isAsked = false;
      become(outcome.ok ? { kind: 'known', ...outcome.value } : { kind: 'failed', error: outcome.error, ...before });
    });
  }

  return {
    state,
    load,
    stop: () => void ask('stopReading', {}),
    told(change) {
      const now = state();
      if (change.kind === 'known') {
        if (!isAsked) load(false);
      } else if (change.kind === 'reading') {
        if (now.kind === 'known') return;
        const before = knownOf(now);
        const since = performance.now() - change.elapsedMs;
        become({ kind: 'loading', since, step: change.step, before });
      } else if (!isAsked && now.kind !== 'known') become({ kind: 'failed', error: change.error });
    },
  };
}
