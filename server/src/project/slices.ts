import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work goes on before requests that have come in meanwhile are answered: less than a frame of the screen. */
const sliceMs = 10;

/** A message is read in one turn of the event loop, queued for the next, and what it asks for begun in the one after. */
const turnsOfOthers = 6;

/** Long work that lets others have their turn. */
export interface Slices {
  /** Whether the time of this slice is up. */
  isTimeUp(): boolean;
  /** Lets others have their turn if the time is up; resolves at once otherwise. */
  pause(): Promise<void>;
}

export function createSlices(): Slices {
  let until = performance.now() + sliceMs;
  return {
    isTimeUp: () => performance.now() > until,
    async pause() {
      if (performance.now() <= until) return;
      for (let turn = 0; turn < turnsOfOthers; turn += 1) await nextTurn();
      until = performance.now() + sliceMs;
    },
  };
}
