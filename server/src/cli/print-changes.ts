import {
  type ChangeKind,
  type ChangePart,
  type ChangedRows,
  type EndMatches,
  type GraphChanges,
  type MeasuredNumbers,
  type NamedChange,
  type RuleNumbers,
  type VariantChange,
  changeParts,
  kindsOfPart,
} from '../../../protocol/graph-changes.ts';
import type { SchemaChange } from '../../../protocol/graph-diff.ts';
import { measureText } from '../../../protocol/measure-outcome.ts';
import { thousands } from '../../../protocol/thousands.ts';
import { textTable } from './text-table.ts';

/** Maximum number of lines of one table; JSON has all, except for variants. */
const shownLines = 20;

/** Maximum number of activities of a variant. */
const shownActivities = 8;

const titles: Readonly<Record<ChangePart, string>> = {
  entities: 'Entities',
  events: 'Events',
  values: 'Values',
  entries: 'Master data',
  versions: 'Values with times',
  correlations: 'Correlations',
  relations: 'Relations',
  paths: 'Directly follows',
  variants: 'Cases by variant',
  rules: 'Violations of rules',
  measures: 'Values of measures',
  expectations: 'Rows against expectations',
};

/** A table of what differs. */
export interface ChangeTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows that are left out. */
  readonly more: number;
}

/** The tables of a comparison, one for each part in which something differs. */
export function changeTables(changes: GraphChanges): readonly ChangeTable[] {
  const parts = changeParts.flatMap((part) => {
    const differing = changes[part];
    if (differing.length === 0) return [];
    const kinds: readonly ChangeKind[] = kindsOfPart[part];
    const shown = kinds.filter((kind) => differing.some((change) => (change[kind] ?? 0) > 0));
    const header = [titles[part], 'Before', 'Now', ...shown.map(capitalized)];
    const cells = (change: NamedChange): readonly string[] => [
      change.name,
      thousands(change.before),
      thousands(change.after),
      ...shown.map((kind) => countText(change[kind])),
    ];
    return limited(header, byWeight(differing), cells);
  });
  return [
    ...parts,
    ...matchTable(changes.relations),
    ...variantTable(changes),
    ...verdictTable(changes.rules),
    ...measureTable(changes.measures),
  ];
}

/** The same as lines of text. */
export function changeLines(changes: GraphChanges): readonly string[] {
  return changeTables(changes).flatMap(({ header, rows, more }) => [
    '',
    ...textTable(header, rows, new Set([...header.keys()].slice(1))),
    ...(more > 0 ? [`… and ${thousands(more)} more`] : []),
  ]);
}

function limited<T>(
  header: readonly string[],
  all: readonly T[],
  cells: (each: T) => readonly string[],
  count = all.length,
): readonly ChangeTable[] {
  if (all.length === 0) return [];
  return [{ header, rows: all.slice(0, shownLines).map(cells), more: Math.max(0, count - shownLines) }];
}

/** Those with most changes first. */
function byWeight(changes: readonly NamedChange[]): readonly NamedChange[] {
  const weight = (change: NamedChange): number =>
    (['new', 'gone', 'moved', 'changed'] as const).reduce((sum, kind) => sum + (change[kind] ?? 0), 0);
  return changes.toSorted((one, other) => weight(other) - weight(one));
}

function variantTable({ variantCases, differingVariants }: GraphChanges): readonly ChangeTable[] {
  const cells = ({ entityType, activities, events, before, after }: VariantChange): readonly string[] => [
    `${entityType}: ${activities.slice(0, shownActivities).join(' → ')}${events > shownActivities ? ` → … (${thousands(events)})` : ''}`,
    thousands(before),
    thousands(after),
  ];
  return limited(['Variant', 'Before', 'Now'], variantCases, cells, differingVariants);
}

/** The ends of relationships whose entities are matched otherwise. */
function matchTable(relations: readonly NamedChange[]): readonly ChangeTable[] {
  const ends = relations.flatMap(({ name, before: pairs, after: pairsNow, matches: { before, after } = {} }) =>
    (['source', 'target'] as const).flatMap((end): readonly (readonly string[])[] => {
      const [old, now] = [matchText(before?.[end], pairs), matchText(after?.[end], pairsNow)];
      const of = after?.[end].name ?? before?.[end].name ?? end;
      return old === now ? [] : [[`${name}, ${end} ${of}`, old, now]];
    }),
  );
  return limited(['Matched entities', 'Before', 'Now'], ends, (cells) => cells);
}

function matchText(numbers: EndMatches | undefined, pairs: number): string {
  if (!numbers) return 'not there';
  const { matched, unmatched, most } = numbers;
  const rest = unmatched === null ? '' : `, ${thousands(unmatched)} unmatched`;
  const each = Number((pairs / matched).toFixed(2));
  const fanOut = matched === 0 ? '' : `, ${each} ${each === 1 ? 'pair' : 'pairs'} each, at most ${thousands(most)}`;
  return `${thousands(matched)} matched${rest}${fanOut}`;
}

/** The verdicts of rules whose numbers differ. */
function verdictTable(rules: readonly NamedChange[]): readonly ChangeTable[] {
  return limited(['Rule', 'Before', 'Now'], rules, ({ name, verdicts }) => [
    name,
    verdictText(verdicts?.before),
    verdictText(verdicts?.after),
  ]);
}

function verdictText(numbers: RuleNumbers | undefined): string {
  if (!numbers) return 'not there';
  if (numbers.error !== null) return 'not judged';
  return `${numbers.holds ? 'holds' : 'broken'}: ${thousands(numbers.kept)} kept, ${thousands(numbers.broken)} broken, ${thousands(numbers.pending + numbers.undecided)} open`;
}

/** The numbers of measures that differ. */
function measureTable(measures: readonly NamedChange[]): readonly ChangeTable[] {
  return limited(['Measure', 'Before', 'Now'], measures, ({ name, measured }) => [
    name,
    numbersText(measured?.before),
    numbersText(measured?.after),
  ]);
}

function numbersText(numbers: MeasuredNumbers | undefined): string {
  if (!numbers) return 'not there';
  const { error, ...values } = numbers;
  const text = measureText({ ...values, ...(error !== null && { error }) });
  return numbers.met === false ? `${text} · misses its target` : text;
}

function countText(count: number | undefined): string {
  return count === undefined || count === 0 ? '' : thousands(count);
}

function capitalized(kind: ChangeKind): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

/** A property of one graph only, or of another type, and what it concerns. */
export function schemaText({ element, property, before, after, usedBy = [] }: SchemaChange): string {
  const change = `${element}, ${property}: ${before ?? 'not there'} → ${after ?? 'gone'}`;
  return usedBy.length === 0 ? change : `${change} (used by ${usedBy.join(', ')})`;
}

/** The rows behind the numbers, a table for each. */
export function rowLines(rows: readonly ChangedRows[] = []): readonly string[] {
  return rows.flatMap((each) => ['', rowsTitle(each), ...textTable(each.columns, each.rows.map(cellTexts))]);
}

export function rowsTitle({ part, kind, rows, truncated }: ChangedRows): string {
  return `${part}.${kind}${truncated ? ` (the first ${rows.length})` : ''}`;
}

export function cellTexts(row: ChangedRows['rows'][number]): readonly string[] {
  return row.map((cell) => (cell === null ? '' : String(cell)));
}
