import {
  type ChangeCounts,
  type ChangeKind,
  type ChangePart,
  type ChangedRows,
  type GraphChanges,
  type NamedChange,
  type VariantChange,
  changeParts,
  kindsOfPart,
} from '../../../protocol/graph-changes.ts';
import { embeddedLiteral } from '../query/quote.ts';
import type { DuckDbSession, StatementOptions } from '../store/duckdb-store.ts';
import type { ComparedTable } from './compared-schema.ts';
import { linkStatements, pathSizesSql, variantCasesSql } from './link-changes.ts';
import { type Side, entityPairsSql, eventPairStatements, sides } from './pair-events.ts';
import { type JudgedSides, readNumbers, ruleChangesSql, ruleSizesSql, ruleVerdictsSql } from './rule-changes.ts';
import { createEntryChangesSql, createValueChangesSql, entryStatements, eventValuesSql } from './value-changes.ts';

/** The tables of two graphs, paired by the names in their files. */
export interface ComparedGraphs {
  readonly elements: readonly ComparedTable[];
  /** The entries of `entities`, and their tables of values over time. */
  readonly entries: readonly ComparedTable[];
  readonly versions: readonly ComparedTable[];
  readonly judged: JudgedSides;
}

/** Maximum number of listed variants. */
const shownVariants = 20;

/** Differences of two graphs; their rows can be read while the session is open. */
export interface ComparedChanges {
  readonly changes: GraphChanges;
  /** The names of all things of a part, whether they differ or not. */
  readonly names: Readonly<Record<ChangePart, ReadonlySet<string>>>;
  /** The rows behind a number; `name` selects those of one thing. */
  rows(part: ChangePart, kind: ChangeKind, limit: number, name?: string): Promise<ChangedRows>;
}

/**
 * Compares two graphs, attached as `before` and `after` (docs/semantics.md#20-changes). Each number is the number of rows
 * of a temporary table of the session. Rejects like the session.
 */
export async function compareGraphs(
  both: DuckDbSession,
  graphs: ComparedGraphs,
  options: StatementOptions,
): Promise<ComparedChanges> {
  for (const statement of statementsOf(graphs)) await both.run(statement, options);
  const counted = new Map<ChangePart, readonly NamedChange[]>();
  for (const part of changeParts) counted.set(part, await countPart(both, part, graphs, options));
  counted.set('rules', await withVerdicts(both, counted.get('rules') ?? [], graphs.judged, options));
  const of = (part: ChangePart): readonly NamedChange[] => counted.get(part) ?? [];
  const listed = byPart((part) => of(part).filter((change) => isChange(part, change)));
  const changes: GraphChanges = {
    ...listed,
    totals: byPart((part) => totalOf(part, of(part))),
    ...(await variantCases(both, options)),
    changed: Object.values(listed).some((part) => part.length > 0),
  };
  return {
    changes,
    names: byPart((part) => new Set(of(part).map(({ name }) => name))),
    rows: (part, kind, limit, name) => changedRows(both, { part, kind, limit, name }, options),
  };
}

function byPart<T>(value: (part: ChangePart) => T): Record<ChangePart, T> {
  return Object.fromEntries(changeParts.map((part) => [part, value(part)])) as Record<ChangePart, T>;
}

/** In the order in which they need each other. */
function statementsOf({ elements, entries, versions, judged }: ComparedGraphs): readonly string[] {
  return [
    entityPairsSql,
    ...eventPairStatements(elements),
    createValueChangesSql,
    ...elements.flatMap((element) => eventValuesSql(element) ?? []),
    createEntryChangesSql('entry'),
    ...entries.flatMap((entry) => entryStatements('entry', entry)),
    createEntryChangesSql('version'),
    ...versions.flatMap((entry) => entryStatements('version', entry)),
    ...linkStatements,
    ruleChangesSql(judged),
  ];
}

interface PartTable {
  /** The temporary table with its changes. */
  readonly table: string;
  /** A query of the names of a graph and how many rows each has: `name`, `n`. */
  readonly sizes: (side: Side, graphs: ComparedGraphs) => string;
}

const grouped = (name: string, from: string): string => `SELECT ${name} AS name, count(*) AS n FROM ${from} GROUP BY 1`;

const partTables: Readonly<Record<ChangePart, PartTable>> = {
  entities: { table: 'entity_change', sizes: (side) => grouped('entity_type', `${side}.entity`) },
  events: { table: 'event_change', sizes: (side) => grouped('element', `event_${side}`) },
  values: {
    table: 'value_change',
    sizes: (side, { elements, entries, versions }) =>
      united([...elements, ...entries, ...versions].flatMap((table) => propertySizes(side, table))),
  },
  entries: { table: 'entry_change', sizes: (side, { entries }) => united(tableSizes(side, entries)) },
  versions: { table: 'version_change', sizes: (side, { versions }) => united(tableSizes(side, versions)) },
  correlations: { table: 'correlation_change', sizes: (side) => grouped('qualifier', `${side}.event_entity`) },
  relations: { table: 'relation_change', sizes: (side) => grouped('relationship', `${side}.relation`) },
  paths: { table: 'path_change', sizes: (side) => pathSizesSql(side) },
  variants: { table: 'variant_change', sizes: (side) => grouped('entity_type', `variant_${side}`) },
  rules: { table: 'rule_change', sizes: (side, { judged }) => ruleSizesSql(side, judged) },
};

function tableSizes(side: Side, tables: readonly ComparedTable[]): readonly string[] {
  return tables.map((each) => {
    const count = each[side] === undefined ? '0' : `(SELECT count(*) FROM ${side}.${each[side]})`;
    return `SELECT ${embeddedLiteral(each.name)} AS name, ${count} AS n`;
  });
}

function propertySizes(side: Side, table: ComparedTable): readonly string[] {
  return table.properties.flatMap(({ name }) => tableSizes(side, [{ ...table, name: `${table.name}.${name}` }]));
}

/** An entry with versions has two tables with properties of the same names. */
function united(sizes: readonly string[]): string {
  if (sizes.length === 0) return 'SELECT NULL::VARCHAR AS name, 0 AS n WHERE false';
  return `SELECT name, sum(n) AS n FROM (${sizes.join(' UNION ALL ')}) GROUP BY name`;
}

async function countPart(
  both: DuckDbSession,
  part: ChangePart,
  graphs: ComparedGraphs,
  options: StatementOptions,
): Promise<readonly NamedChange[]> {
  const { table, sizes } = partTables[part];
  const kinds = kindsOfPart[part];
  const [before, after] = sides.map((side) => sizes(side, graphs));
  const counts = kinds.map((kind) => `count(*) FILTER (kind = '${kind}') AS "${kind}"`).join(', ');
  const rows = await both.query(
    `SELECT name, coalesce(b.n, 0) AS before, coalesce(a.n, 0) AS after, ${kinds.map((kind) => `coalesce("${kind}", 0) AS "${kind}"`).join(', ')}
     FROM (${before}) AS b FULL JOIN (${after}) AS a USING (name)
     LEFT JOIN (SELECT name, ${counts} FROM ${table} GROUP BY 1) AS c USING (name) ORDER BY 1`,
    options,
  );
  return rows.map((row) => ({
    name: String(row['name']),
    before: Number(row['before']),
    after: Number(row['after']),
    ...Object.fromEntries(kinds.map((kind) => [kind, Number(row[kind])])),
  }));
}

/** Whether something differs; the numbers of rules are compared, too. Values of rows that are gone are none. */
function isChange(part: ChangePart, change: NamedChange): boolean {
  const { before, after } = change.verdicts ?? {};
  return (
    (part !== 'values' && change.before !== change.after) ||
    Object.values(kindsOfPart).some((kinds) => kinds.some((kind) => (change[kind] ?? 0) > 0)) ||
    JSON.stringify(before) !== JSON.stringify(after)
  );
}

function totalOf(part: ChangePart, all: readonly NamedChange[]): ChangeCounts {
  const sum = (of: (each: NamedChange) => number | undefined): number =>
    all.reduce((total, each) => total + (of(each) ?? 0), 0);
  return {
    before: sum(({ before }) => before),
    after: sum(({ after }) => after),
    ...Object.fromEntries(kindsOfPart[part].map((kind) => [kind, sum((each) => each[kind])])),
  };
}

async function withVerdicts(
  both: DuckDbSession,
  rules: readonly NamedChange[],
  judged: JudgedSides,
  options: StatementOptions,
): Promise<readonly NamedChange[]> {
  const rows = await both.query(ruleVerdictsSql(judged), options);
  const verdicts = new Map(
    rows.map((row) => {
      const [before, after] = [readNumbers(row['before']), readNumbers(row['after'])];
      return [String(row['name']), { ...(before && { before }), ...(after && { after }) }] as const;
    }),
  );
  return rules.map((rule) => ({ ...rule, verdicts: verdicts.get(rule.name) ?? {} }));
}

async function variantCases(
  both: DuckDbSession,
  options: StatementOptions,
): Promise<Pick<GraphChanges, 'variantCases' | 'differingVariants'>> {
  const rows = await both.query(variantCasesSql(shownVariants), options);
  const listed = rows.map((row): VariantChange => ({
    entityType: String(row['entity_type']),
    activities: JSON.parse(String(row['activities'])) as readonly string[],
    events: Number(row['events']),
    before: Number(row['before']),
    after: Number(row['after']),
  }));
  return { variantCases: listed, differingVariants: Number(rows[0]?.['differing'] ?? 0) };
}

async function changedRows(
  both: DuckDbSession,
  {
    part,
    kind,
    limit,
    name,
  }: {
    readonly part: ChangePart;
    readonly kind: ChangeKind;
    readonly limit: number;
    readonly name: string | undefined;
  },
  options: StatementOptions,
): Promise<ChangedRows> {
  const hidden = part === 'values' ? 'kind, event' : 'kind';
  const named = name === undefined ? '' : ` AND name = ${embeddedLiteral(name)}`;
  const { columns, rows } = await both.table(
    `SELECT * EXCLUDE (${hidden}) FROM ${partTables[part].table} WHERE kind = ${embeddedLiteral(kind)}${named}
     ORDER BY ALL LIMIT ${Math.trunc(limit) + 1}`,
    options,
  );
  return {
    part,
    kind,
    columns: columns.map((column) => column.name),
    rows: rows.slice(0, limit),
    truncated: rows.length > limit,
  };
}
