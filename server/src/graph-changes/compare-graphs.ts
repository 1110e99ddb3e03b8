import {
  type ChangeCounts,
  type ChangeKind,
  type ChangePart,
  type ChangedRows,
  type GraphChanges,
  type NamedChange,
  changeParts,
  kindsOfPart,
} from '../../../protocol/graph-changes.ts';
import { embeddedLiteral } from '../query/quote.ts';
import type { DuckDbSession, StatementOptions } from '../store/duckdb-store.ts';
import type { ComparedTable } from './compared-schema.ts';
import {
  changeStatements,
  correlationSizesSql,
  countedCorrelationsSql,
  countedEventsSql,
  countedPathsSql,
  countedRelationsSql,
  differenceStatements,
  eventSizesSql,
  pathSizesSql,
  variantSizesSql,
} from './link-changes.ts';
import { relationshipMatches } from './match-changes.ts';
import {
  type MeasuredSides,
  expectationChangesSql,
  expectationSizesSql,
  measureChangesSql,
  measureSizesSql,
  measuredNumbers,
} from './measure-changes.ts';
import { type Side, entityPairsSql, pairEvents, sides } from './pair-events.ts';
import {
  type JudgedSides,
  readNumbers,
  ruleChangesSql,
  ruleSizesSql,
  ruleVerdictsSql,
  violationDifferencesSql,
} from './rule-changes.ts';
import { createEntryChangesSql, createValueChangesSql, entryStatements, eventValuesSql } from './value-changes.ts';
import { variantCases, variantStatements } from './variant-changes.ts';

/** The tables of two graphs, paired by the names in their files. */
export interface ComparedGraphs {
  readonly elements: readonly ComparedTable[];
  /** The entries of `entities`, and their tables of values over time. */
  readonly entries: readonly ComparedTable[];
  readonly versions: readonly ComparedTable[];
  readonly judged: JudgedSides;
  readonly measured: MeasuredSides;
  /** Which graphs have the tables of the process map. */
  readonly mapped: Readonly<Record<Side, boolean>>;
}

/** Differences of two graphs; their rows can be read while the session is open. */
export interface ComparedChanges {
  readonly changes: GraphChanges;
  /** The numbers of all things of a part, whether they differ or not. */
  readonly all: Readonly<Record<ChangePart, readonly NamedChange[]>>;
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
  await both.run(entityPairsSql, options);
  await pairEvents(both, graphs.elements, options);
  for (const statement of statementsOf(graphs)) await both.run(statement, options);
  const counted = new Map<ChangePart, readonly NamedChange[]>();
  for (const part of changeParts) counted.set(part, await countPart(both, part, graphs, options));
  counted.set('rules', await withVerdicts(both, counted.get('rules') ?? [], graphs.judged, options));
  const measured = await measuredNumbers(both, graphs.measured, options);
  const of = (part: ChangePart): readonly NamedChange[] => counted.get(part) ?? [];
  counted.set(
    'measures',
    of('measures').map((each) => ({ ...each, measured: measured.get(each.name) ?? {} })),
  );
  const matches = await relationshipMatches(both, options);
  counted.set(
    'relations',
    of('relations').map((each) => ({ ...each, matches: matches.get(each.name) ?? {} })),
  );
  const listed = byPart((part) => of(part).filter((change) => isChange(part, change)));
  const changes: GraphChanges = {
    ...listed,
    totals: byPart((part) => totalOf(part, of(part))),
    ...(await variantCases(both, options)),
    changed: Object.values(listed).some((part) => part.length > 0),
  };
  return {
    changes,
    all: byPart(of),
    rows: (part, kind, limit, name) => changedRows(both, { part, kind, limit, name }, options),
  };
}

/** The changed rows behind each number that is not 0. @param limit the most rows of each number */
export async function allRows(compared: ComparedChanges, limit: number): Promise<readonly ChangedRows[]> {
  const found: ChangedRows[] = [];
  for (const part of changeParts) {
    for (const kind of kindsOfPart[part]) {
      if ((compared.changes.totals[part][kind] ?? 0) > 0) found.push(await compared.rows(part, kind, limit));
    }
  }
  return found;
}

function byPart<T>(value: (part: ChangePart) => T): Record<ChangePart, T> {
  return Object.fromEntries(changeParts.map((part) => [part, value(part)])) as Record<ChangePart, T>;
}

/** In the order in which they need each other, after the pairs of entities and events. */
function statementsOf({ elements, entries, versions, judged, measured }: ComparedGraphs): readonly string[] {
  return [
    createValueChangesSql,
    ...elements.flatMap((element) => eventValuesSql(element) ?? []),
    createEntryChangesSql('entry'),
    ...entries.flatMap((entry) => entryStatements('entry', entry)),
    createEntryChangesSql('version'),
    ...versions.flatMap((entry) => entryStatements('version', entry)),
    ...differenceStatements,
    violationDifferencesSql(judged),
    ...changeStatements,
    ...variantStatements,
    ruleChangesSql(judged),
    measureChangesSql(measured),
    expectationChangesSql,
  ];
}

interface PartTable {
  /** The temporary table or view with its changes. */
  readonly table: string;
  /** How many changes there are, `name`, `kind` and `n`, where that is found faster without their rows. */
  readonly counted?: string;
  /** A query of the names of a graph and how many rows each has: `name`, `n`. */
  readonly sizes: (side: Side, graphs: ComparedGraphs) => string;
}

const grouped = (name: string, from: string): string => `SELECT ${name} AS name, count(*) AS n FROM ${from} GROUP BY 1`;

const partTables: Readonly<Record<ChangePart, PartTable>> = {
  entities: { table: 'entity_change', sizes: (side) => grouped('entity_type', `${side}.entity`) },
  events: { table: 'event_change', counted: countedEventsSql, sizes: eventSizesSql },
  values: {
    table: 'value_change',
    sizes: (side, { elements, entries, versions }) =>
      united([...elements, ...entries, ...versions].flatMap((table) => propertySizes(side, table))),
  },
  entries: { table: 'entry_change', sizes: (side, { entries }) => united(tableSizes(side, entries)) },
  versions: { table: 'version_change', sizes: (side, { versions }) => united(tableSizes(side, versions)) },
  correlations: {
    table: 'correlation_change',
    counted: countedCorrelationsSql,
    sizes: correlationSizesSql,
  },
  relations: {
    table: 'relation_change',
    counted: countedRelationsSql,
    sizes: (side) => grouped('relationship', `${side}.relation`),
  },
  paths: {
    table: 'path_change',
    counted: countedPathsSql,
    sizes: (side, { mapped }) => pathSizesSql(side, mapped[side]),
  },
  variants: { table: 'variant_change', sizes: (side, { mapped }) => variantSizesSql(side, mapped[side]) },
  rules: { table: 'rule_change', sizes: (side, { judged }) => ruleSizesSql(side, judged) },
  measures: { table: 'measure_change', sizes: (side, { measured }) => measureSizesSql(side, measured) },
  expectations: { table: 'expectation_change', sizes: expectationSizesSql },
};

function tableSizes(side: Side, tables: readonly ComparedTable[]): readonly string[] {
  return tables.map((each) => sizesOf(side, each, [each.name]));
}

function propertySizes(side: Side, table: ComparedTable): readonly string[] {
  const names = table.properties.map(({ name }) => `${table.name}.${name}`);
  return names.length === 0 ? [] : [sizesOf(side, table, names)];
}

/** The number of rows of a table, under several names. */
function sizesOf(side: Side, table: ComparedTable, names: readonly string[]): string {
  const count = table[side] === undefined ? '0' : `(SELECT count(*) FROM ${side}.${table[side]})`;
  return `SELECT unnest([${names.map(embeddedLiteral).join(', ')}]) AS name, ${count} AS n`;
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
  const { table, counted = `SELECT name, kind, 1 AS n FROM ${table}`, sizes } = partTables[part];
  const kinds = kindsOfPart[part];
  const [before, after] = sides.map((side) => sizes(side, graphs));
  const counts = kinds.map((kind) => `sum(n) FILTER (kind = '${kind}') AS "${kind}"`).join(', ');
  const rows = await both.query(
    `SELECT name, coalesce(b.n, 0) AS before, coalesce(a.n, 0) AS after, ${kinds.map((kind) => `coalesce("${kind}", 0) AS "${kind}"`).join(', ')}
     FROM (${before}) AS b FULL JOIN (${after}) AS a USING (name)
     LEFT JOIN (SELECT name, ${counts} FROM (${counted}) GROUP BY 1) AS c USING (name) ORDER BY 1`,
    options,
  );
  return rows.map((row) => ({
    name: String(row['name']),
    before: Number(row['before']),
    after: Number(row['after']),
    ...Object.fromEntries(kinds.map((kind) => [kind, Number(row[kind])])),
  }));
}

/** Whether something differs; the numbers of rules, measures and matches are compared, too. Values of rows that are gone are none. */
function isChange(part: ChangePart, change: NamedChange): boolean {
  const { before, after } = change.verdicts ?? change.measured ?? change.matches ?? {};
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
