import type { Column, DataObject } from '../catalog/catalog.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { canonicalText } from './canonical-text.ts';
import type { ValueMatch, MatchedColumn } from './compiled-query.ts';
import { printRelationSql } from './print-query.ts';
import type { Relation } from './query-tree.ts';
import { quoteIdentifier } from './quote.ts';
import type { SideColumn } from './relationship-side.ts';

/** One side of a mapping that compares texts. */
interface ComparedSide {
  readonly relation: Relation;
  readonly object: DataObject;
  readonly entry: Column;
  /** SQL of its values and texts over the relation. */
  readonly value: string;
  readonly text: string;
}

/** A column of one relationship side, read from a relation; undefined for an unknown column. */
export function comparedSide(
  { column, entry, object, text }: SideColumn,
  relation: Relation,
): ComparedSide | undefined {
  if (!entry || !object) return undefined;
  const value = quoteIdentifier(column.name);
  const detachedText = entry.type === 'VARCHAR' ? value : canonicalText(value, entry.type, 'duckdb', entry.sense);
  return { relation, object, entry, value, text: text ? quoteIdentifier(text.name) : detachedText };
}

/** Undefined when equal values always have equal texts, or types are incompatible. */
export function valueMatch(left: ComparedSide, right: ComparedSide): ValueMatch | undefined {
  const kinds = new Set([kindOf(left.entry), kindOf(right.entry)]);
  const isNumber = kinds.has('number') && [...kinds].every((kind) => kind === 'number' || kind === 'text');
  const isOther = kinds.size === 1 && !kinds.has('text') && !kinds.has(undefined);
  if (!isNumber && !isOther) return undefined;
  const [one, other] = [rowsOf(left, isNumber), rowsOf(right, isNumber)];
  const pairs = `(SELECT DISTINCT text, value FROM (${one}) AS side) AS one JOIN (SELECT DISTINCT text, value FROM (${other}) AS side) AS other ON one.value = other.value`;
  return {
    left: matched(left),
    right: matched(right),
    unusual:
      isNumber || left.entry.type === right.entry.type
        ? `SELECT ${unusual(one, left, isNumber)} OR ${unusual(other, right, isNumber)} AS unusual`
        : undefined,
    sql: `SELECT one.text AS left_text, other.text AS right_text FROM ${pairs} WHERE one.text <> other.text ORDER BY 1, 2 LIMIT 1`,
  };
}

/** Texts with their values. A non-numeric text equals nothing. */
function rowsOf({ relation, entry, text, value }: ComparedSide, isNumber: boolean): string {
  const shown = isNumber && kindOf(entry) === 'text' ? `TRY_CAST(${value} AS DOUBLE)` : value;
  return `SELECT ${text} AS text, ${shown} AS value FROM (\n${printRelationSql(relation, duckdb)}\n) AS side WHERE ${text} IS NOT NULL`;
}

/** Whether a text differs from the usual notation of its value; without any, equal values have equal texts. */
function unusual(rows: string, { entry }: ComparedSide, isNumber: boolean): string {
  const type = kindOf(entry) === 'text' ? 'DOUBLE' : entry.type;
  const usual = isNumber ? canonicalText('value', type, 'duckdb') : 'CAST(value AS VARCHAR)';
  return `EXISTS (SELECT 1 FROM (${rows}) AS side WHERE text <> ${usual})`;
}

function kindOf({ sense }: Column): 'number' | 'moment' | 'time' | 'boolean' | 'text' | undefined {
  switch (sense) {
    case 'integer':
    case 'number':
      return 'number';
    case 'date':
    case 'timestamp':
      return 'moment';
    case 'time':
    case 'boolean':
    case 'text':
      return sense;
    default:
      return undefined;
  }
}

function matched({ object, entry }: ComparedSide): MatchedColumn {
  const file = object.file?.split(/[\\/]/).at(-1);
  return { column: entry.name, dataObject: object.name, type: entry.type, file };
}
