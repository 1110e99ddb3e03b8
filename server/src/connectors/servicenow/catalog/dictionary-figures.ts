import { isSourceError } from '../../source-error.ts';
import type { AggregateGroup } from '../api/aggregate-api.ts';
import { retryWithHalfSize } from '../records/retry-with-half-size.ts';
import type { CallOptions } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { AggregateParameters } from '../api/parameters.ts';

/** Change figures by table name: different after an entry was created, changed or deleted. */
type TableFigures = Readonly<Record<string, string>>;

/** The same, by dictionary table. */
export type DictionaryFigures = Readonly<Record<string, TableFigures>>;

/** Dictionary tables of tables, and of views. */
interface DescribingTable {
  readonly table: string;
  /** The field with the name of the described table. */
  readonly by: string;
  /** Whether missing figures of this table make the result unknown. */
  readonly isNeeded: boolean;
}

export const tableDescriptions: readonly DescribingTable[] = [
  { table: 'sys_db_object', by: 'name', isNeeded: true },
  { table: 'sys_dictionary', by: 'name', isNeeded: true },
  { table: 'sys_choice', by: 'name', isNeeded: false },
  // Labels may be stored separately.
  { table: 'sys_documentation', by: 'name', isNeeded: false },
];

export const viewDescriptions: readonly DescribingTable[] = [
  { table: 'sys_db_view', by: 'name', isNeeded: false },
  { table: 'sys_db_view_table', by: 'view.name', isNeeded: false },
  { table: 'sys_db_view_table_field', by: 'view_table.view.name', isNeeded: false },
];

/**
 * Number of dictionary entries of each table or view, time of the last change, and sum of modification counts: one
 * request per dictionary table. Undefined if unavailable.
 */
export async function dictionaryFigures(
  { aggregates }: Pick<ServiceNowClient, 'aggregates'>,
  described: readonly DescribingTable[],
  names: readonly string[],
  options: CallOptions,
): Promise<DictionaryFigures | undefined> {
  const figures: Record<string, TableFigures> = {};
  const parts = await Promise.all(
    described.map(async (each) => {
      const { table, by, isNeeded } = each;
      const found: Record<string, string> = {};
      for (const some of chunksOf(names)) {
        const groups = await groupsOf(aggregates, each, some, options);
        if (!groups) return isNeeded ? undefined : { table, found: {} };
        for (const group of groups) found[group.groupedBy[by] ?? ''] = figuresOf(group);
      }
      return { table, found };
    }),
  );
  for (const part of parts) {
    if (!part) return undefined;
    figures[part.table] = sorted(part.found);
  }
  return figures;
}

/** The figures of a table's own entry: equal to those of `sys_db_object` if nothing has changed. */
export function entryFigures(updated: string, changes: string): string {
  return figuresText('1', updated, changes);
}

/** Combines the figures of several readings; undefined if one is unknown. */
export function mergedFigures(parts: readonly (DictionaryFigures | undefined)[]): DictionaryFigures | undefined {
  if (parts.length === 0 || parts.includes(undefined)) return undefined;
  const tables = [...new Set(parts.flatMap((part) => Object.keys(part ?? {})))].sort();
  const merged = tables.map((table) => [
    table,
    sorted(Object.assign({}, ...parts.map((part) => part?.[table] ?? {})) as TableFigures),
  ]);
  return Object.fromEntries(merged) as DictionaryFigures;
}

/** Number of names per request, limited by the URL length. */
export function chunksOf(values: readonly string[]): readonly (readonly string[])[] {
  const size = 50;
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}

async function groupsOf(
  aggregates: ServiceNowClient['aggregates'],
  { table, by }: DescribingTable,
  names: readonly string[],
  options: CallOptions,
): Promise<readonly AggregateGroup[] | undefined> {
  const parameters: AggregateParameters = {
    query: `${by}IN${names.join(',')}`,
    count: true,
    maxFields: ['sys_updated_on'],
    sumFields: ['sys_mod_count'],
    groupBy: [by],
  };
  try {
    return await retryWithHalfSize(1, () => aggregates.aggregate(table, parameters, options));
  } catch (error) {
    if (isSourceError(error) && ['permission-denied', 'object-missing'].includes(error.code)) return undefined;
    throw error;
  }
}

function figuresOf({ count = '', max, sum }: AggregateGroup): string {
  return figuresText(count, max?.['sys_updated_on'] ?? '', sum?.['sys_mod_count'] ?? '');
}

function figuresText(count: string, updated: string, changes: string): string {
  return `${count} ${updated} ${changes === '' ? '' : Number(changes)}`;
}

/** Sorted, so that equal figures give equal texts. */
function sorted(figures: TableFigures): TableFigures {
  return Object.fromEntries(Object.entries(figures).sort(([one], [other]) => (one < other ? -1 : 1)));
}
