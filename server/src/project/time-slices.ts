import { setImmediate as nextTurn } from 'node:timers/promises';

/** Length of a time slice before pending requests are handled: less than a screen frame. */
const sliceMs = 10;

/** Handling a request takes several turns of the event loop: the message is read, queued, and then started. */
const turnsOfOthers = 6;

/** Cooperative scheduling of long work. */
interface TimeSlices {
  /** Whether the current time slice is used up. */
  isTimeUp(): boolean;
  /** Yields to other work when the time slice is used up; resolves at once otherwise. */
  pause(): Promise<void>;
}

export function createTimeSlices(): TimeSlices {
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
