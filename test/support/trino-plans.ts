import type { TrinoProxy } from './trino-proxy.ts';
import type { TestTrino } from './trino-server.ts';

/** A stage of a plan that one worker runs, although its rows grow with the graph. */
export interface SingleStage {
  readonly stage: string;
  readonly why: string;
  /** The rows are those of a table that is empty, as the optimizer knows: it plans otherwise where there are some. */
  readonly isOfEmptyTable: boolean;
}

/** The plans of the statements that passed a proxy. */
export interface WatchedPlans {
  /** How many statements were planned, without those that differ in numbers and runs only. */
  readonly count: number;
  /** Statements with a stage of one worker over rows, and why. */
  readonly onOneWorker: readonly string[];
  /** Statements that were seen over an empty table only. */
  readonly seenEmpty: readonly string[];
}

/** Plans each statement before it passes a proxy, but for those whose rows go to this one machine. */
export function watchPlans({ run }: Pick<TestTrino, 'run'>, proxy: TrinoProxy): WatchedPlans {
  const planned = new Set<string>();
  const onOneWorker: string[] = [];
  const seenEmpty = new Map<string, string>();
  proxy.onStatement = async ({ sql, headers }) => {
    if (!/^(?:CREATE TABLE|INSERT|UPDATE|SELECT|WITH)/u.test(sql)) return;
    // Rows that are pulled or fetched go to this one machine, and so do the names of tables.
    if (headers['x-trino-transaction-id'] !== undefined || /system\.jdbc|information_schema/u.test(sql)) return;
    // Statements that differ in numbers and runs have one plan.
    const form = sql.replaceAll(/ekg_\w+/gu, '').replaceAll(/\d+/gu, '');
    if (planned.has(form)) return;
    const [[plan]] = (await run(`EXPLAIN (TYPE DISTRIBUTED) ${sql}`, headers)) as [[string]];
    const stages = singleStages(plan, /^CREATE TABLE \w+_offsets AS/u.test(sql));
    if (stages.some(({ isOfEmptyTable }) => isOfEmptyTable)) {
      seenEmpty.set(form, sql);
      return;
    }
    planned.add(form);
    seenEmpty.delete(form);
    onOneWorker.push(...stages.map(({ stage, why }) => `${stage}: ${why}\n${sql}`));
  };
  return {
    get count() {
      return planned.size;
    },
    onOneWorker,
    get seenEmpty() {
      return [...seenEmpty.values()];
    },
  };
}

interface Fragment {
  readonly kind: string;
  /** From the root, such as `Aggregate[type = FINAL]`. */
  readonly operators: readonly string[];
  /** The optimizer expects no rows. */
  readonly isEmpty: boolean;
  readonly sources: readonly string[];
}

/**
 * The stages of a plan of `EXPLAIN (TYPE DISTRIBUTED)` that one worker runs over rows. Final aggregates and the first rows of
 * an order get a few rows from each worker, and what a statement returns is read by one program anyway.
 * @param mayOrderRanges accepts a window over groups by one column, which have one row for each range
 */
export function singleStages(plan: string, mayOrderRanges: boolean): readonly SingleStage[] {
  const fragments = new Map(
    plan
      .split(/^(?=Fragment )/mu)
      .slice(1)
      .map(readFragment),
  );
  const found: SingleStage[] = [];
  for (const [stage, { kind, operators, sources }] of fragments) {
    if (kind !== 'SINGLE') continue;
    const isResult = operators[0]?.startsWith('Output') === true && operators.length === 2;
    const window = operators.find((operator) => /^(?:Window|RowNumber|TopNRanking|MarkDistinct|Sort)/u.test(operator));
    if (window !== undefined && !mayOrderRanges) found.push({ stage, why: window, isOfEmptyTable: false });
    const isFound = window !== undefined && !mayOrderRanges;
    for (const source of isResult || isFound ? [] : sources) {
      const fragment = fragments.get(source);
      const sendsFew = window === undefined ? sendsFewRows : sendsGroups;
      if (fragment && sendsFew(fragment)) continue;
      const root = fragment?.operators[0] ?? '?';
      const isOfEmptyTable = root.startsWith('TableScan') && fragment?.isEmpty === true;
      found.push({ stage, why: `rows of ${root}`, isOfEmptyTable });
    }
  }
  return found;
}

function readFragment(text: string): readonly [id: string, fragment: Fragment] {
  const [, id = '', kind = ''] = /^Fragment (\d+) \[(\w+)/u.exec(text) ?? [];
  const operators = [...text.matchAll(/^[ │├└─]*(?:[├└]─ |^ {4})([A-Z]\w+)(\[[^\n]*)?$/gmu)].map(
    ([, name = '', rest = '']) => name + rest,
  );
  const sources = [...text.matchAll(/sourceFragmentIds = \[([\d, ]+)\]/gu)].flatMap(([, ids = '']) => ids.split(', '));
  const isEmpty = /Estimates: \{rows: (\S+)/u.exec(text)?.[1] === '0';
  return [id, { kind, operators, isEmpty, sources }];
}

/** Tables of a build that hardly have rows are read where they are needed; others may grow, also if they are small here. */
function sendsFewRows({ operators: [root = ''] }: Fragment): boolean {
  if (/^(?:Aggregate\[type = PARTIAL\]|TopNPartial|LimitPartial|TableWriter|Values)/u.test(root)) return true;
  return /^TableScan\[table = \w+:\w+\.(?:\w+_bounds_\d+|\w+_offsets|published)\$data\b/u.test(root);
}

/** One row for each value of a column, counted where rows of the value are brought together. */
function sendsGroups({ kind, operators: [root = ''] }: Fragment): boolean {
  return kind === 'HASH' && /^Aggregate\[type = FINAL, keys = \[\w+\]\]/u.test(root);
}
