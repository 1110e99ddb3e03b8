import {
  type ChangeKind,
  type ChangePart,
  type GraphChanges,
  type NamedChange,
  type RuleNumbers,
  type VariantChange,
  changeParts,
  kindsOfPart,
} from '../../../protocol/graph-changes.ts';
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
  return [...parts, ...variantTable(changes), ...verdictTable(changes.rules)];
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

function countText(count: number | undefined): string {
  return count === undefined || count === 0 ? '' : thousands(count);
}

function capitalized(kind: ChangeKind): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
