/** A stage of a plan that one worker runs, although its rows grow with the graph. */
export interface SingleStage {
  readonly stage: string;
  readonly why: string;
}

interface Fragment {
  readonly kind: string;
  /** From the root, such as `Aggregate[type = FINAL]`. */
  readonly operators: readonly string[];
  /** As the optimizer estimates it; undefined where it does not. */
  readonly rows: number | undefined;
  readonly sources: readonly string[];
}

/**
 * The stages of a plan of `EXPLAIN (TYPE DISTRIBUTED)` that one worker runs over rows. Final aggregates and the first rows of
 * an order get a few rows from each worker, and what a statement returns is read by one program anyway.
 * @param mayOrderRanges a window over one row a range is no such stage
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
    if (window !== undefined && !mayOrderRanges) found.push({ stage, why: window });
    for (const source of isResult || window !== undefined ? [] : sources) {
      const fragment = fragments.get(source);
      if (!fragment || !sendsFewRows(fragment)) found.push({ stage, why: `rows of ${fragment?.operators[0] ?? '?'}` });
    }
  }
  return found;
}

function readFragment(text: string): readonly [id: string, fragment: Fragment] {
  const [, id = '', kind = ''] = /^Fragment (\d+) \[(\w+)/u.exec(text) ?? [];
  const operators = [...text.matchAll(/^[ │├└─]*(?:[├└]─ |^ {4})([A-Z]\w+)(\[[^\n]*)?$/gmu)].map(
    ([, name = '', rest = '']) => name + rest,
  );
  const rows = /Estimates: \{rows: (\d+) /u.exec(text)?.[1];
  const sources = [...text.matchAll(/sourceFragmentIds = \[([\d, ]+)\]/gu)].flatMap(([, ids = '']) => ids.split(', '));
  return [id, { kind, operators, rows: rows === undefined ? undefined : Number(rows), sources }];
}

/** A table that hardly has rows is read where it is needed, instead of sending what it is joined with to its workers. */
function sendsFewRows({ operators: [root = ''], rows }: Fragment): boolean {
  if (/^(?:Aggregate\[type = PARTIAL\]|TopNPartial|LimitPartial|TableWriter|Values)/u.test(root)) return true;
  return root.startsWith('TableScan') && rows !== undefined && rows <= 1;
}
