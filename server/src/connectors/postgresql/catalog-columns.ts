import type { Column, ForeignKey } from '../../catalog/catalog.ts';
import { sampleValues } from '../../catalog/sample-values.ts';
import { endOfEscaped } from '../../model/quoted-text.ts';
import type { ColumnsRow, StatisticsRow, TypeRow } from './catalog-queries.ts';
import { columnTypeOf, type PostgresType } from './column-type.ts';

/** The columns of a relation in catalog order; empty without permission. */
export function readColumns(row: ColumnsRow | undefined, context: ColumnContext): Column[] {
  if (!row) return [];
  const references = columnReferences(context.foreignKeys);
  const planner = new Map(context.planner?.columns.map((column, index) => [column, index]));
  return row.names.map((name, index): Column => {
    const comment = row.comments[index];
    const collation = row.collations[index];
    const type = context.typeOf(row.type_ids[index] ?? '0', row.modifiers[index] ?? -1);
    const target = references.get(name);
    const place = planner.get(name);
    const nullShare = place === undefined ? undefined : context.planner?.null_shares[place];
    const distinct =
      place === undefined ? undefined : distinctEstimate(context.planner?.distincts[place], context.rows);
    return {
      name,
      type: row.types[index] ?? '',
      sense: columnTypeOf(type).sense,
      nullable: row.nullable[index] ?? true,
      primaryKey: context.primaryKey.includes(name),
      ...(typeof collation === 'string' && { collation }),
      ...(typeof comment === 'string' && { comment }),
      ...(target && { references: target }),
      ...(type.labels && { values: type.labels.map((value) => ({ value })) }),
      ...(place !== undefined && sampleValues(name, arrayLiteralValues(context.planner?.samples[place] ?? ''))),
      ...(nullShare !== undefined && { nullShare: roundShare(nullShare) }),
      ...(distinct !== undefined && { distinctEstimate: distinct }),
    };
  });
}

/** Further metadata of a relation. */
interface ColumnContext {
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly planner: StatisticsRow | undefined;
  readonly rows: number | undefined;
  readonly typeOf: (id: string, modifier: number) => PostgresType;
}

/** Domains are resolved to their base type, which has the modifier. */
export function typeReader(types: readonly TypeRow[]): (id: string, modifier: number) => PostgresType {
  const byId = new Map(types.map((type) => [type.id, type]));
  const read = (id: string, modifier: number): PostgresType => {
    const type = byId.get(id);
    if (type?.kind === 'd') return read(type.base, type.modifier);
    const known = { oid: Number(id), modifier, kind: type?.kind ?? 'b', category: type?.category ?? 'U' };
    return type?.labels ? { ...known, labels: type.labels } : known;
  };
  return read;
}

/** Of several foreign keys on a column, the one with the fewest columns is the most specific. */
function columnReferences(foreignKeys: readonly ForeignKey[]): ReadonlyMap<string, NonNullable<Column['references']>> {
  const references = new Map<string, NonNullable<Column['references']>>();
  for (const key of foreignKeys.toSorted((left, right) => left.columns.length - right.columns.length)) {
    key.columns.forEach((column, index) => {
      const target = key.references.columns[index];
      if (target !== undefined && !references.has(column)) {
        references.set(column, { dataObject: key.references.dataObject, column: target });
      }
    });
  }
  return references;
}

/** A negative number is a share of the rows, for counts that grow with the table; 0 is unknown. */
function distinctEstimate(distinct: number | undefined, rows: number | undefined): number | undefined {
  if (distinct === undefined || distinct === 0) return undefined;
  if (distinct > 0) return distinct;
  return rows === undefined ? undefined : Math.round(-distinct * rows);
}

/** PostgreSQL stores a 4-byte float: further digits are noise. */
function roundShare(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}

/**
 * Parses a one-dimensional array printed by PostgreSQL, such as `{a,"b, c"}`. The text may be truncated: an incomplete
 * value is dropped.
 */
export function* arrayLiteralValues(text: string): Generator<string> {
  for (let start = 1, end: number; start < text.length; start = end + 1) {
    const isQuoted = text[start] === '"';
    end = isQuoted ? (endOfEscaped(text, start) ?? text.length) : endOfPlain(text, start);
    const behind = text[end];
    if (behind !== ',' && behind !== '}') return;
    const value = text.slice(start, end);
    if (isQuoted) yield value.slice(1, -1).replaceAll(/\\([^])/g, '$1');
    else if (value !== 'NULL' && value !== '') yield value;
    if (behind === '}') return;
  }
}

function endOfPlain(text: string, start: number): number {
  const sign = /[",{}]/g;
  sign.lastIndex = start;
  return sign.exec(text)?.index ?? text.length;
}
