// `npm run mutants -- --sample N [--seed TEXT] [--room FOLDER]`: makes small mistakes in the sources, one at a time, and
// tells which of them the tests find. Needs the calls that `npm test -- --record` has recorded.
//
// Not Stryker: it runs the tests in its own process, on files that it has instrumented, and so does not see the built
// programs, pages and VS Code in which half of our tests find their failures.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judgeMutant } from './mutants/judge-mutant.mjs';
import { mutantsOf } from './mutants/make-mutants.mjs';
import { mutatedCopy } from './mutants/mutated-copy.mjs';
import { sampleMutants } from './mutants/sample-mutants.mjs';
import { wilsonInterval } from './mutants/wilson-interval.mjs';
import { root } from './paths.mjs';
import { exitOnSignals } from './process-group.mjs';
import { readCalledSources } from './selection/called-sources.mjs';
import { calledLinesFile } from './selection/recording.mjs';
import { projectFiles } from './selection/select-changed.mjs';

const sources = /^((client|server|webview)\/src|protocol)\/.*(?<!\.d)\.ts$/;

exitOnSignals();
const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: 'entity-graph' },
    room: { type: 'string', default: '' },
  },
});
const count = Number(values.sample);
if (!(count >= 1)) throw new Error('Usage: npm run mutants -- --sample N [--seed TEXT] [--room FOLDER]');

const files = projectFiles();
const called = readCalledLines();
if (called.size === 0) throw new Error('Nothing is recorded: run npm test -- --record first.');
const mutated = files.filter((file) => sources.test(file) && file.startsWith(values.room));
const mutants = new Map(mutated.map((file) => [file, mutantsOf(file, readFileSync(join(root, file), 'utf8'))]));
const sample = sampleMutants(mutants, count, values.seed);
const results = await judgeAll(sample);
console.log(report(results));

/** By test file, the lines in which called functions start, by source file; no lines where only the file is known. */
function readCalledLines() {
  if (existsSync(calledLinesFile)) return new Map(Object.entries(JSON.parse(readFileSync(calledLinesFile, 'utf8'))));
  return new Map(
    [...readCalledSources()].map(([test, called]) => [test, Object.fromEntries([...called].map((each) => [each, []]))]),
  );
}

async function judgeAll(sample) {
  const sound = new Map();
  const results = [];
  const waiting = [...sample];
  const work = async () => {
    const copy = mutatedCopy(files);
    process.on('exit', copy.remove);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const tests = testsOf(next);
      const { outcome, by } = await judgeMutant(next.mutant, tests, copy, sound);
      results.push({ ...next, outcome, by, tests: tests.length });
      console.log(`${results.length}/${sample.length} ${outcome}: ${describe(next.mutant)}${by ? ` (${by})` : ''}`);
    }
    copy.remove();
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism(), sample.length) }, work));
  const unsound = [...sound].filter(([, passes]) => !passes).map(([tests]) => tests);
  if (unsound.length > 0) console.log(`\nFail without a change, and so do not count: ${unsound.join(', ')}`);
  return results;
}

/** Those that call its function; the most special ones, which call the fewest sources, first. */
function testsOf({ mutant: { file }, functionLine }) {
  const isStale = existsSync(calledLinesFile) && statSync(join(root, file)).mtimeMs > statSync(calledLinesFile).mtimeMs;
  const callsIt = (lines) => lines && (isStale || lines.length === 0 || lines.includes(functionLine));
  const callers = [...called].filter(([, bySource]) => callsIt(bySource[file]));
  const size = (bySource) => Object.keys(bySource).length;
  return callers.sort(([, left], [, right]) => size(left) - size(right)).map(([test]) => test);
}

function describe({ file, line, kind, before, after }) {
  const short = (text) => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
  return `${file}:${line} ${kind}: ${short(before)} → ${short(after)}`;
}

/** Markdown, for `bench/notes/`. */
function report(all) {
  const valid = all.filter(({ outcome }) => outcome !== 'not built');
  const rooms = [...new Set(valid.map(({ room }) => room))].sort();
  const row = (name, results) => {
    const number = (outcome) => results.filter((result) => result.outcome === outcome).length;
    return `| ${name} | ${number('killed')} | ${number('timed out')} | ${number('survived')} |`;
  };
  const survivors = valid.filter(({ outcome }) => outcome === 'survived');
  const found = valid.length - survivors.length;
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const [from, to] = valid.length > 0 ? wilsonInterval(found, valid.length) : [0, 1];
  return [
    '',
    `Seed \`${values.seed}\`, ${valid.length} mutants${all.length > valid.length ? `, and ${all.length - valid.length} that could not be built` : ''}`,
    '',
    '| room | killed | timed out | survived |',
    '|---|--:|--:|--:|',
    ...rooms.map((room) =>
      row(
        room,
        valid.filter((each) => each.room === room),
      ),
    ),
    row('all', valid),
    '',
    `Found: ${found} of ${valid.length}, ${percent(found / valid.length)} (95 % interval ${percent(from)} to ${percent(to)})`,
    ...(survivors.length > 0 ? ['', 'Survived:', ''] : []),
    ...survivors.map(
      ({ mutant, tests }) => `* ${describe(mutant)}${tests === 0 ? ' (no test calls the function)' : ''}`,
    ),
  ].join('\n');
}
