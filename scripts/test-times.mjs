import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder, root } from './paths.mjs';

/** Of a whole run; `npm test -- --record` writes it anew. */
const committed = join(root, 'test/test-times.json');
/** Of the runs on this machine. */
const measured = join(cacheFolder, 'test-times.json');

/** Of a file that has never run. */
const usual = { seconds: 30, processorSeconds: 10 };

/**
 * How long jobs took the last time: on this machine, else in the committed record.
 * @returns {(name: string) => { seconds: number, processorSeconds: number }}
 */
export function readTestTimes() {
  const times = { ...read(committed), ...read(measured) };
  return (name) => {
    const found = times[name];
    return found ? { seconds: found[0], processorSeconds: found[1] } : usual;
  };
}

/**
 * Keeps the times of this run beside those of jobs that it did not run.
 * @param {ReadonlyMap<string, { seconds: number, processorSeconds?: number }>} times by the names of jobs
 * @param {{ isRecorded: boolean }} options `isRecorded` writes them into the committed record
 */
export function keepTestTimes(times, { isRecorded }) {
  const found = Object.fromEntries(
    [...times].map(([name, { seconds, processorSeconds = seconds }]) => [
      name,
      [round(seconds), round(processorSeconds)],
    ]),
  );
  write(measured, { ...read(measured), ...found });
  if (isRecorded) write(committed, found);
}

const round = (seconds) => Math.round(seconds * 10) / 10;

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** A line for each job, so that a change shows in a diff. */
function write(file, times) {
  const lines = Object.keys(times)
    .sort()
    .map((name) => `  ${JSON.stringify(name)}: [${times[name].join(', ')}]`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}
