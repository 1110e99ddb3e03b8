import type { BenchResult } from './bench-result.ts';
import { median } from './measure.ts';
import type { StatementCosts } from './trino-costs.ts';

/** The costs of building a graph inside Trino. */
export interface BuildCosts {
  readonly events: number;
  readonly seconds: number;
  readonly statements: readonly StatementCosts[];
}

/**
 * @param builds of each size
 * @param bare processor time of the script by hand for the largest one
 * @param onNodes how many there are, if it is more than one
 */
export function resultsOf(builds: readonly (readonly BuildCosts[])[], bare: number, onNodes: string): BenchResult[] {
  const seconds = builds.map(medianSeconds);
  const last = builds.at(-1)?.at(-1);
  const [ofSmall, ofLarge] = [seconds[0], seconds.at(-1)];
  if (!last || ofSmall === undefined || ofLarge === undefined) throw new Error('No round was run.');
  builds.forEach(describeSize);
  describeStatements(last);
  const name = `engine: source in Trino, ${last.events.toLocaleString('en')} events${onNodes}`;
  const perMillion = (total: number): number => (total / last.events) * 1e6;
  const ratio = ofLarge / bare;
  const growth = ofLarge / ofSmall;
  return [
    {
      name: `${name}, processor time a million events`,
      ...{ value: perMillion(ofLarge), unit: 's', floor: perMillion(bare), ratio },
      rounds: secondsOf(builds.at(-1)).map(perMillion),
      goal: '≤ 1.5 × the same tables by hand',
      ok: ratio <= 1.5,
    },
    {
      name: `${name}, processor time beside that of a quarter of the rows`,
      ...{ value: ofLarge, unit: 's', floor: ofSmall, ratio: growth },
      ...{ rounds: secondsOf(builds.at(-1)), floorRounds: secondsOf(builds[0]) },
      goal: '≤ 5.2 ×',
      ok: growth <= 5.2,
    },
  ];
}

/**
 * A buffer between stages has up to this size (Trino's `exchange.max-buffer-size` and `sink.max-buffer-size`), however many
 * rows pass it: a statement that held less is judged as if it had held so much.
 */
const buffers = 32e6;

/** With what the memory on two nodes is compared. */
interface Comparison {
  /** The nodes that built half of the rows. */
  readonly where: 'one node' | 'the same two nodes';
  /** How much more may be held, with some allowance: ranges are spread over nodes by chance. */
  readonly mostGrowth: number;
}

/**
 * The memory of each statement on the fullest of two nodes, beside that of half of the rows. The result is of the statement
 * that grows most.
 * @param half builds of half of the rows
 */
export function memoryResult(
  half: readonly BuildCosts[],
  onTwo: readonly BuildCosts[],
  { where, mostGrowth }: Comparison,
): BenchResult {
  const growths = memoryGrowths(half, onTwo);
  const [most] = growths;
  const [before, after] = [half, onTwo].map(([first]) => (first?.events ?? 0).toLocaleString('en'));
  if (!most) throw new Error('No statement has held memory.');
  console.log(`  memory of the fullest of two nodes at ${after} events, beside ${where} at ${before}:`);
  for (const each of growths.filter(({ held, ratio }) => held >= buffers / 2 || ratio > 1)) {
    const text = `${(each.before / 1e6).toFixed(1)} to ${(each.after / 1e6).toFixed(1)} MB (${each.ratio.toFixed(2)} ×)`;
    console.log(`  ${text}${each.before < buffers ? ', judged as from 32 MB' : ''}: ${each.statement.slice(0, 80)}`);
  }
  return {
    name: `engine: source in Trino, ${after} events on two nodes, memory on the fullest node of the statement that grows most, beside ${before} events on ${where}`,
    ...{ value: most.after / 1e6, unit: 'MB', floor: Math.max(most.before, buffers) / 1e6, ratio: most.ratio },
    goal: `≤ ${mostGrowth} × (statements below 32 MB are judged as from 32 MB)`,
    ok: most.ratio <= mostGrowth,
  };
}

/**
 * The costs of a graph whose size no round had, beside what follows from the rounds. @param builds of the sizes of the rounds
 */
export function farResult(builds: readonly (readonly BuildCosts[])[], far: BuildCosts, onNodes: string): BenchResult {
  describeSize([far]);
  const predict = modelOf(builds);
  for (const ofSize of builds.slice(1, -1)) {
    const events = ofSize[0]?.events ?? Number.NaN;
    console.log(
      `  ${events.toLocaleString('en')} events: ${predict(events).toFixed(2)} s in the model, ${medianSeconds(ofSize).toFixed(2)} s measured`,
    );
  }
  const predicted = predict(far.events);
  const ratio = far.seconds / predicted;
  return {
    name: `engine: source in Trino, ${far.events.toLocaleString('en')} events${onNodes}, one build, processor time beside that of the model`,
    ...{ value: far.seconds, unit: 's', floor: predicted, ratio },
    goal: '0.67 to 1.5 ×',
    ok: ratio >= 0.67 && ratio <= 1.5,
  };
}

/** The seconds of so many events: a part for each statement and one for each event, by the smallest and the largest size. */
function modelOf(builds: readonly (readonly BuildCosts[])[]): (events: number) => number {
  const [small, large] = [builds.at(0) ?? [], builds.at(-1) ?? []];
  const eventsOf = ([first]: readonly BuildCosts[]): number => first?.events ?? Number.NaN;
  const perEvent = (medianSeconds(large) - medianSeconds(small)) / (eventsOf(large) - eventsOf(small));
  const fixed = medianSeconds(small) - perEvent * eventsOf(small);
  console.log(`  model: ${fixed.toFixed(2)} s, and ${(perEvent * 1e6).toFixed(1)} µs an event`);
  return (events) => fixed + perEvent * events;
}

const secondsOf = (builds: readonly BuildCosts[] = []): number[] => builds.map(({ seconds }) => seconds);

const medianSeconds = (builds: readonly BuildCosts[]): number => median(secondsOf(builds));

interface MemoryGrowth {
  readonly statement: string;
  readonly before: number;
  readonly after: number;
  /** The larger of both. */
  readonly held: number;
  /** As it is judged. */
  readonly ratio: number;
}

/** Memory of each statement at each size, the median of all builds; the largest growth first. */
function memoryGrowths(small: readonly BuildCosts[], large: readonly BuildCosts[]): readonly MemoryGrowth[] {
  const peaks = medianPeaks(small);
  return [...medianPeaks(large)]
    .map(([statement, after]): MemoryGrowth => {
      const before = peaks.get(statement) ?? 0;
      return { statement, before, after, held: Math.max(before, after), ratio: after / Math.max(before, buffers) };
    })
    .toSorted((one, other) => other.ratio - one.ratio);
}

function medianPeaks(builds: readonly BuildCosts[]): ReadonlyMap<string, number> {
  const peaks = new Map<string, number[]>();
  for (const { statements } of builds) {
    const seen = new Map<string, number>();
    for (const { form, peakBytes } of statements) {
      // Statements of two elements may differ in their numbers only.
      const number = (seen.get(form) ?? 0) + 1;
      seen.set(form, number);
      const name = number === 1 ? form : `(${number}) ${form}`;
      peaks.set(name, [...(peaks.get(name) ?? []), peakBytes]);
    }
  }
  return new Map([...peaks].map(([name, values]) => [name, median(values)]));
}

/** What the model of the time on paper is checked against (docs/engine-source.md). */
function describeSize(builds: readonly BuildCosts[]): void {
  const [first] = builds;
  if (!first) return;
  const { events, statements } = first;
  const shuffled = statements.reduce((total, each) => total + each.shuffledBytes, 0);
  const stages = statements.map((each) => each.stages);
  const seconds = medianSeconds(builds);
  const micros = ((seconds / events) * 1e6).toFixed(1);
  console.log(
    `  ${events.toLocaleString('en')} events: ${seconds.toFixed(2)} s (${builds.map((each) => each.seconds.toFixed(2)).join(', ')}), ${micros} µs and ${Math.round(shuffled / events)} bytes shuffled an event`,
  );
  console.log(
    `  planned in ${median(builds.map(planningOf)).toFixed(2)} s of processor time of the coordinator, which is not in these seconds`,
  );
  console.log(
    `  ${statements.length} statements, ${stages.reduce((total, count) => total + count, 0)} stages, at most ${Math.max(...stages)} in one`,
  );
}

function planningOf({ statements }: BuildCosts): number {
  return statements.reduce((total, { planningSeconds }) => total + planningSeconds, 0);
}

function describeStatements({ events, statements }: BuildCosts): void {
  const costly = statements.toSorted((one, other) => other.seconds - one.seconds).slice(0, 8);
  for (const { form, seconds, peakBytes, shuffledBytes } of costly) {
    console.log(
      `  ${((seconds / events) * 1e6).toFixed(1)} µs, ${Math.round(peakBytes / events)} B of memory and ${Math.round(shuffledBytes / events)} B shuffled an event: ${form.slice(0, 60)}`,
    );
  }
}
