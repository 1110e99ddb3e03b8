import { duckdb } from '../../dialects/duckdb.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, percent, quoted, timeColumn } from '../finding-texts.ts';
import { groupBy } from '../group-by.ts';
import { sequenceColumns } from '../sequence-columns.ts';
import { stepTable } from '../step-tables.ts';

const { quote } = duckdb.literals;

/** A pair of activities whose events are sometimes at one time. */
interface Tie {
  readonly source: { readonly element: string; readonly activity: string };
  readonly target: { readonly element: string; readonly activity: string };
  readonly tied: number;
  readonly steps: number;
}

/** At least this share of the steps between two activities. */
const leastShare = 0.02;
/** From this share on, the two are one moment, recorded as two events in one order. */
const alwaysShare = 0.9;
const leastTied = 5;

/**
 * Consecutive events of different activities at one time, whose order only the order of elements and rows in the file
 * decides, because their elements have no `sequence`.
 */
export const sameTimeOrder: FindingSearch = {
  kind: 'same-time-order',
  async find(graph) {
    const ties = (await readTies(graph)).filter(
      ({ source, target }) => !isDecided(graph, source.element, target.element),
    );
    const byElements = groupBy(ties, ({ source, target }) => inFile(graph, source.element, target.element).join('\0'));
    const found = await Promise.all(byElements.map((pairs) => findingOf(graph, pairs)));
    return found.flatMap((finding) => finding ?? []);
  },
};

async function readTies({ store, options, flaggedBy }: SearchedGraph): Promise<readonly Tie[]> {
  const rows = await store.query(
    `SELECT source_element, source_activity, target_element, target_activity, count(*) AS steps,
  count(*) FILTER (WHERE source_time = target_time) AS tied
FROM ${stepTable} WHERE source_activity <> target_activity AND target_event_id NOT IN (${flaggedBy('dominant-entity')}) GROUP BY ALL ORDER BY tied DESC, source_activity, target_activity`,
    options,
  );
  return rows.map((row) => ({
    source: { element: String(row['source_element']), activity: String(row['source_activity']) },
    target: { element: String(row['target_element']), activity: String(row['target_activity']) },
    steps: Number(row['steps']),
    tied: Number(row['tied']),
  }));
}

function isDecided({ element }: SearchedGraph, ...names: readonly string[]): boolean {
  return names.every((name) => element(name)?.sequence !== undefined);
}

/** Two names of elements in the order of the file. */
function inFile({ element }: SearchedGraph, one: string, other: string): readonly [string, string] {
  return (element(one)?.index ?? 0) <= (element(other)?.index ?? 0) ? [one, other] : [other, one];
}

/** Of the pairs of activities of two elements. */
async function findingOf(graph: SearchedGraph, pairs: readonly [Tie, ...Tie[]]): Promise<FoundFinding | undefined> {
  // Both orders of two activities together: the file puts all ties of two elements in one.
  const unordered = groupBy(pairs, ({ source, target }) => [source.activity, target.activity].sort().join('\0')).map(
    (both) => ({ most: both[0], tied: sumOf(both, 'tied'), steps: sumOf(both, 'steps') }),
  );
  const [tied, steps] = [sumOf(pairs, 'tied'), sumOf(pairs, 'steps')];
  if (tied < leastTied) return undefined;
  const doubtful = unordered.filter((pair) => {
    const share = pair.tied / pair.steps;
    return pair.tied >= leastTied && share >= leastShare && share < alwaysShare;
  });
  const [shown = unordered[0]] = doubtful;
  const { source, target } = shown?.most ?? pairs[0];
  const [first, element] = inFile(graph, source.element, target.element);
  const elements = [...new Set([first, element])];
  const columns = await sequenceColumns(
    elements.flatMap((name) => graph.element(name) ?? []),
    graph,
  );
  const between = first === element ? `of ${quoted(element)}` : `between ${quoted(first)} and ${quoted(element)}`;
  return {
    kind: 'same-time-order',
    severity: doubtful.length > 0 ? 'warning' : 'info',
    element,
    column: timeColumn(graph.element(element), 'start'),
    count: tied,
    of: steps,
    counts: 'steps',
    message: `${countOf(tied, steps, 'step')} ${between} ${tied === 1 ? 'has' : 'have'} both events at the same time, so that the order of the file decides which comes first: such as ${quoted(source.activity)} before ${quoted(target.activity)} (${percent((shown?.tied ?? 0) / (shown?.steps ?? 1))} of the steps between these).`,
    remedy:
      first === element
        ? `Write sequence: COLUMN at ${quoted(element)}, a column that numbers the rows in their true order, or take a time that is finer.`
        : `Write sequence: COLUMN at both elements, with values that can be compared, or put the element that comes first above the other one; for dates that mean the end of the day, write atEndOfDay: true.`,
    flagged: `SELECT unnest([target_event_id, source_event_id]) AS id FROM ${stepTable}
WHERE source_time = target_time AND source_activity <> target_activity AND ${isOf(pairs)}`,
    ...(columns.length > 0 && { hint: { kind: 'sequence', elements, columns } }),
  };
}

function sumOf(pairs: readonly Tie[], number: 'tied' | 'steps'): number {
  return pairs.reduce((sum, pair) => sum + pair[number], 0);
}

function isOf(pairs: readonly Tie[]): string {
  const elements = new Set(pairs.map(({ source, target }) => `${quote(source.element)}, ${quote(target.element)}`));
  return `(source_element, target_element) IN (${[...elements].map((pair) => `(${pair})`).join(', ')})`;
}
