import { embeddedLiteral, quoteIdentifier } from '../../query/quote.ts';
import { isMadeOfText, valueSql } from './cell-values.ts';
import { type NestedType, parseType, typeName } from './nested-types.ts';
import type { PlanColumn, ReadPlan } from './plan-types.ts';

/** The type as which DuckDB reads a column: texts where `columnValueSql` converts them, in JSON also deep inside. */
export function typeAsRead(column: PlanColumn, plan: Pick<ReadPlan, 'kind'>): string {
  const leaf = (type: string): string => (isMadeOfText({ ...column, type }, plan) ? 'VARCHAR' : type);
  return plan.kind === 'json' ? typeName(parseType(column.type), leaf) : leaf(column.type);
}

/** SQL of the value of a column that was read as `typeAsRead`; undefined if that is the value. */
export function columnValueSql(column: PlanColumn, plan: ReadPlan): string | undefined {
  const name = quoteIdentifier(column.name);
  if (plan.kind !== 'json') return isMadeOfText(column, plan) ? valueSql(name, column, plan) : undefined;
  return nestedValueSql({ sql: name, names: 0, objects: 0 }, parseType(column.type), column, plan);
}

/** An expression of a value inside a column. */
interface Inner {
  readonly sql: string;
  /** Names of lambda parameters around it. */
  readonly names: number;
  /** Objects around it up to the nearest name. */
  readonly objects: number;
}

/** Objects in objects whose values have the whole path in their SQL, which grows with the square of the depth. */
const mostObjects = 6;

/**
 * The conversion of a text inside this many objects has the path to it once instead of a dozen times: each time DuckDB
 * makes vectors for everything in each object on the path. The list that names the text takes time for each row, which is
 * more than that for shorter paths.
 */
const manyObjects = 3;

function nestedValueSql(value: Inner, type: NestedType, column: PlanColumn, plan: ReadPlan): string | undefined {
  const { sql, names, objects } = value;
  const item: Inner = { sql: `item${names + 1}`, names: names + 1, objects: 0 };
  switch (type.kind) {
    case 'leaf': {
      const leaf = { ...column, type: type.type };
      if (!isMadeOfText(leaf, plan)) return undefined;
      if (objects < manyObjects) return valueSql(sql, leaf, plan);
      return `list_transform([${sql}], lambda ${item.sql}: ${valueSql(item.sql, leaf, plan)})[1]`;
    }
    case 'list': {
      const items = nestedValueSql(item, type.items, column, plan);
      return items === undefined ? undefined : `list_transform(${sql}, lambda ${item.sql}: ${items})`;
    }
    case 'struct': {
      if (objects >= mostObjects) {
        const named = nestedValueSql(item, type, column, plan);
        return named === undefined ? undefined : `list_transform([${sql}], lambda ${item.sql}: ${named})[1]`;
      }
      const fields = type.fields.map(({ name, type: inner }) => {
        const text = `struct_extract(${sql}, ${embeddedLiteral(name)})`;
        const converted = nestedValueSql({ sql: text, names, objects: objects + 1 }, inner, column, plan);
        return { name, text, converted };
      });
      if (fields.every(({ converted }) => converted === undefined)) return undefined;
      const list = fields.map(({ name, text, converted }) => `${quoteIdentifier(name)} := ${converted ?? text}`);
      // Without the condition a missing object would become one of missing values.
      return `CASE WHEN ${sql} IS NOT NULL THEN struct_pack(${list.join(', ')}) END`;
    }
  }
}
