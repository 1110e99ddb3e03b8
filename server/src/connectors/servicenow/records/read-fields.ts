import type { Column } from '../../../catalog/catalog.ts';
import type { ObjectRead } from '../../../query/compiled-query.ts';
import { identifierKey, mentionedNames } from '../../../query/sql-names.ts';
import type { Cells, ReadOptions } from '../../fetched/record-source.ts';
import { SourceError } from '../../source-error.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { childClass } from '../catalog/dot-walks.ts';
import { cellReader } from './record-cells.ts';
import type { PlatformRecord } from '../api/table-api.ts';

/**
 * Reads the columns of records, and detects unreadable fields, which the instance silently omits. Columns that no query
 * needs are optional.
 */
interface FieldReader {
  /** Throws `permission-denied` when a record lacks a field of `where`, unless a shortfall is accepted. */
  cells(page: readonly PlatformRecord[]): readonly Cells[];
  /** Number of records with all fields. */
  regular(records: number): void;
  /** Warns about fields missing in all or some records. Throws `permission-denied` for a missing field of `where`. */
  report(listeners: Pick<ReadOptions, 'onWarning' | 'onUnreadable'>): void;
}

export function fieldReader(
  config: Pick<ServiceNowConfig, 'displayValue' | 'onShortfall'>,
  read: ObjectRead,
): FieldReader {
  const readers = read.columns.map((column) => cellReader(column, config.displayValue));
  const had = readers.map(() => 0);
  const needed = new Set(filterColumns(read));
  // Paths through an empty reference may be omitted.
  const isStrict = read.columns.map(
    (column) => config.onShortfall === 'fail' && needed.has(column) && !column.name.includes('.'),
  );
  let records = 0;
  return {
    cells(page) {
      records += page.length;
      return page.map((record) =>
        readers.map((readCell, index) => {
          const cell = readCell(record);
          if (cell === undefined) {
            const column = read.columns[index];
            if (isStrict[index] && column) throw unreadableFilter(read, column);
            return null;
          }
          had[index] = (had[index] ?? 0) + 1;
          return cell;
        }),
      );
    },
    regular(count) {
      records += count;
      for (const index of had.keys()) had[index] = (had[index] ?? 0) + count;
    },
    report({ onWarning, onUnreadable }) {
      if (records === 0) return;
      const unseen = read.columns.filter(({ name }, index) => had[index] === 0 && name !== read.proof);
      const filter = unseen.find((column) => needed.has(column));
      if (filter) throw unreadableFilter(read, filter);
      const ofChildren = unseen.filter(({ name }) => childClass(name) !== undefined);
      const hidden = unseen.filter((column) => !ofChildren.includes(column));
      if (hidden.length > 0) {
        const names = hidden.map(({ name }) => name).join(', ');
        onWarning(`The user may not read these fields of ${read.dataObject}, so they are empty: ${names}.`);
      }
      if (ofChildren.length > 0) {
        const names = ofChildren.map(({ name }) => name).join(', ');
        onWarning(
          `The instance gives no fields of child classes with records of ${read.dataObject}, so these are empty: ${names}. Join the table of the class by sys_id instead.`,
        );
      }
      let isWhole = unseen.length === 0;
      for (const [index, column] of read.columns.entries()) {
        const lacking = records - (had[index] ?? 0);
        if (lacking === 0 || lacking === records || column.name.includes('.')) continue;
        if (column.name === read.proof) continue;
        isWhole = false;
        const effect = needed.has(column) ? 'where takes it for empty there' : 'it is empty there';
        onWarning(`The user may not read ${column.name} of ${lacking} records of ${read.dataObject}: ${effect}.`);
      }
      if (!isWhole) onUnreadable?.();
    },
  };
}

/** Columns used by the filters of a read. */
export function filterColumns({ columns, filters = [] }: ObjectRead): readonly Column[] {
  const mentioned = filters.map((filter) => mentionedNames(filter, 'duckdb'));
  return columns.filter(({ name }) => mentioned.some((names) => names.has(identifierKey(name, 'duckdb'))));
}

/** The platform ignores a condition on such a field or selects nothing, and SQL would find it empty. */
export function unreadableFilter({ dataObject }: ObjectRead, { name }: Pick<Column, 'name'>): SourceError {
  return new SourceError(
    'permission-denied',
    `The user may not read ${name} of ${dataObject}, which where filters by: which records it means is not known.`,
    { remedy: 'Give the user a role that may read the field, or filter by another one.' },
  );
}
