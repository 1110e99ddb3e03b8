// `.cache/bench.json`: an array of the last runs of `npm run bench`, oldest first, one a line.
import { readFileSync, writeFileSync } from 'node:fs';

const runsKept = 50;

/**
 * Adds a run to a file, or replaces the one of the same date, so that a run can be written after each bench. A file that
 * cannot be read is begun anew.
 */
export function keepRun(path, run) {
  const others = runsOf(path).filter(({ date }) => date !== run.date);
  const runs = [...others, run].slice(-runsKept);
  writeFileSync(path, `[\n${runs.map((each) => JSON.stringify(each, shortNumber)).join(',\n')}\n]\n`);
}

function runsOf(path) {
  try {
    const runs = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(runs) ? runs.filter((run) => Array.isArray(run?.benches)) : [];
  } catch {
    return [];
  }
}

/** A bench may have hundreds of rounds. */
function shortNumber(_key, value) {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}
