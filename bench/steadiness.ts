import { readFileSync } from 'node:fs';
import { median } from './measure.ts';

/** Tells whether the machine was all ours: what is timed while something else uses it says nothing about the server. */
export interface Steadiness {
  /** Since the call before; takes a millisecond or so. */
  wasSteady(): boolean;
}

/** The same computation takes so much longer. */
const slower = 1.5;
/** The share of the time that the host of a virtual machine gave to others. */
const mostStolen = 0.01;

export function createSteadiness(): Steadiness {
  // It is compiled in stages, the last of which comes after some hundred calls.
  for (let round = 0; round < 1_000; round += 1) computation();
  const usual = median(Array.from({ length: 100 }, computation));
  let last = { stolen: stolenMilliseconds(), at: performance.now() };
  return {
    wasSteady() {
      const now = { stolen: stolenMilliseconds(), at: performance.now() };
      const stolen = (now.stolen - last.stolen) / (now.at - last.at);
      last = now;
      return stolen <= mostStolen && Math.min(computation(), computation()) < usual * slower;
    },
  };
}

/** Milliseconds of a computation that needs no memory. */
function computation(): number {
  const start = performance.now();
  let value = 0;
  for (let step = 0; step < 300_000; step += 1) value = (value * 31 + step) | 0;
  return performance.now() - start + (value === 1 ? 1e-9 : 0);
}

/** What Linux knows of it, in ticks of ten milliseconds, all processors together. */
function stolenMilliseconds(): number {
  const [all = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  return Number(all.trim().split(/\s+/)[8] ?? 0) * 10;
}
