import { eventColumns } from './events.ts';
import { phaseOf } from './phases.ts';
import type { FilledTable } from './ranged/filled-table.ts';
import type { GraphShape } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** The pairs of starts and ends in two rows: `start_event_id`, `end_event_id`. */
export const pairsTable = 'paired';

/**
 * The tables that pair the starts and ends of elements with a `lifecycle`, first in, first out, within own entity and
 * activity, and `ranked`, in which ends without a start are starts. None without such elements.
 */
export function pairedTables(elements: readonly StagedElement[], shape: GraphShape): readonly FilledTable[] {
  if (!shape.hasTransitions) return [];
  const same = ['element', 'entity_id', ...activityColumns(shape)];
  const running = `PARTITION BY ${same.join(', ')} ORDER BY id`;
  const isEnd = `phase = ${phaseOf('end')}`;
  const ofPairs = `element IN (${numbersOf(elements)}) AND (opens OR ${isEnd})`;
  // An end is without a start where more ends than starts have come than at any event before.
  const counted = `SELECT *, sum(CASE WHEN opens THEN -1 ELSE 1 END) OVER (${running} ROWS UNBOUNDED PRECEDING) AS surplus FROM unpaired WHERE ${ofPairs}`;
  const highest = `SELECT *, max(surplus) OVER (${running} ROWS UNBOUNDED PRECEDING) AS most FROM (${counted}) AS counted`;
  const compared = `SELECT *, coalesce(lag(most) OVER (${running}), 0) AS most_before FROM (${highest}) AS highest`;
  const numbered = (condition: string): string =>
    `(SELECT id, ${same.join(', ')}, row_number() OVER (${running}) AS place FROM (${compared}) AS compared WHERE ${condition})`;
  const isSame = ['element', 'entity_id', 'place'].map((column) => `ended.${column} = started.${column}`);
  const isSameActivity = activityColumns(shape).map(
    (column) => `(ended.${column} = started.${column} OR (ended.${column} IS NULL AND started.${column} IS NULL))`,
  );
  const pairs = `SELECT started.id AS start_event_id, ended.id AS end_event_id
    FROM ${numbered('opens')} AS started JOIN ${numbered(`NOT opens AND NOT (most > 0 AND most > most_before)`)} AS ended
      ON ${[...isSame, ...isSameActivity].join(' AND ')}`;
  const columns = eventColumns(shape).map((column) => {
    if (column !== 'phase') return `event.${column}`;
    return `CASE WHEN event.element IN (${numbersOf(elements)}) AND event.${isEnd} AND pair.end_event_id IS NULL THEN CAST(${phaseOf('start')} AS smallint) ELSE event.phase END AS phase`;
  });
  const ranked = `SELECT event.id, ${columns.join(', ')} FROM unpaired AS event LEFT JOIN ${pairsTable} AS pair ON pair.end_event_id = event.id${shape.dialect.build.keepsRowOrder ? ' ORDER BY event.id' : ''}`;
  return [
    { name: pairsTable, title: 'Pairs of starts and ends', selects: [pairs] },
    { name: 'ranked', title: 'Order of events', selects: [ranked] },
  ];
}

/** The numbers of the elements whose rows are paired. */
export function numbersOf(elements: readonly StagedElement[]): string {
  return elements.flatMap(({ plan, transition }) => (transition ? [plan.number] : [])).join(', ');
}

function activityColumns({ dialect, activities }: GraphShape): readonly string[] {
  if (!activities) return [];
  return dialect.storage ? ['activity', 'other_activity'] : ['activity'];
}
