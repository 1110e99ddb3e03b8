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
  return nestedValueSql(name, parseType(column.type), column, plan, 1);
}

function nestedValueSql(
  value: string,
  type: NestedType,
  column: PlanColumn,
  plan: ReadPlan,
  depth: number,
): string | undefined {
  switch (type.kind) {
    case 'leaf': {
      const leaf = { ...column, type: type.type };
      return isMadeOfText(leaf, plan) ? valueSql(value, leaf, plan) : undefined;
    }
    case 'list': {
      const item = `item${depth}`;
      const items = nestedValueSql(item, type.items, column, plan, depth + 1);
      return items === undefined ? undefined : `list_transform(${value}, lambda ${item}: ${items})`;
    }
    case 'struct': {
      const fields = type.fields.map(({ name, type: inner }) => {
        const text = `struct_extract(${value}, ${embeddedLiteral(name)})`;
        return { name, text, converted: nestedValueSql(text, inner, column, plan, depth) };
      });
      if (fields.every(({ converted }) => converted === undefined)) return undefined;
      const list = fields.map(({ name, text, converted }) => `${quoteIdentifier(name)} := ${converted ?? text}`);
      // Without the condition a missing object would become one of missing values.
      return `CASE WHEN ${value} IS NOT NULL THEN struct_pack(${list.join(', ')}) END`;
    }
  }
}
