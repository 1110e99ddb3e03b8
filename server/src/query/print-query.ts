import type { SqlDialect } from '../catalog/catalog.ts';
import type { MappingOperator } from '../model/entity-graph.ts';
import type { LocatedSql } from '../model/source-range.ts';
import { canonicalText } from './canonical-text.ts';
import type { CompiledQuery } from './compiled-query.ts';
import { quoteIdentifier, quotePath } from './quote.ts';
import type {
  ColumnInQuery,
  ComparedColumn,
  Condition,
  ElementRows,
  ElementSelect,
  PairSelect,
  Relation,
  SelectItem,
} from './query-tree.ts';
import { sqlTokens } from './sql-tokens.ts';
import { createSqlWriter, sliceSql, type SqlWriter } from './sql-writer.ts';

/** What printing leaves to the dialect. */
export interface SqlPrinter {
  readonly dialect: SqlDialect;
  /** `left operator right` of two printed columns: the operator as written, and what follows the right side. */
  operator(operator: MappingOperator): { readonly sign: string; readonly suffix: string };
}

export type PrintedQuery = Pick<CompiledQuery, 'sql' | 'fragments' | 'references'>;

/** Prints the query of an element. */
export function printElementSelect(select: ElementSelect): PrintedQuery {
  const writer = createSqlWriter();
  writer.text('SELECT\n  ');
  printItems(writer, select.items);
  writer.text('\n');
  printRows(writer, select.rows, '');
  return writer.finish();
}

/** Prints the query of a relationship. */
export function printPairSelect(select: PairSelect, printer: SqlPrinter): PrintedQuery {
  const writer = createSqlWriter();
  writer.text('SELECT DISTINCT\n  ');
  printItems(writer, [...select.sourceKey, ...select.targetKey]);
  writer.text('\nFROM (\n');
  printRelation(writer, select.source);
  writer.text('\n) AS "source"\nJOIN ');
  if (select.cross) {
    writer.reference(quotePath(select.cross.from.path), select.cross.from.range);
    writer.text(' AS "cross"\n  ON ');
    printConditions(writer, select.cross.conditions, printer);
    writer.text('\nJOIN ');
  }
  writer.text('(\n');
  printRelation(writer, select.target);
  writer.text('\n) AS "target"\n  ON ');
  printConditions(writer, select.conditions, printer);
  writer.text('\nWHERE ');
  [...select.sourceKey, ...select.targetKey].forEach(({ column }, index) => {
    if (index > 0) writer.text('\n  AND ');
    printColumn(writer, column);
    writer.text(' IS NOT NULL');
  });
  return writer.finish();
}

/** The rows of an element as one side of a relationship. */
export function printRelationSql(relation: Relation): string {
  const writer = createSqlWriter();
  printRelation(writer, relation);
  return writer.finish().sql;
}

function printRelation(writer: SqlWriter, relation: Relation): void {
  writer.text(`  SELECT ${quoteIdentifier(relation.rows.from.alias)}.*`);
  if (relation.joinedColumns.length > 0) {
    writer.text(',\n    ');
    printItems(writer, relation.joinedColumns, ',\n    ');
  }
  writer.text('\n');
  printRows(writer, relation.rows, '  ');
}

/** User text stands on lines of its own, so that a comment at its end cannot swallow what follows. */
function printRows(writer: SqlWriter, rows: ElementRows, indent: string): void {
  writer.text(`${indent}FROM `);
  writer.reference(quotePath(rows.from.path), rows.from.range);
  writer.text(` AS ${quoteIdentifier(rows.from.alias)}`);
  if (rows.joins) {
    writer.text('\n');
    writer.fragment(rows.joins);
  }
  if (rows.where) {
    writer.text(`\n${indent}WHERE (\n`);
    writer.fragment(rows.where);
    writer.text('\n)');
  }
}

function printItems(writer: SqlWriter, items: readonly SelectItem[], separator = ',\n  '): void {
  items.forEach((item, index) => {
    if (index > 0) writer.text(separator);
    printColumn(writer, item.column);
    writer.text(` AS ${quoteIdentifier(item.as)}`);
  });
}

function printColumn(writer: SqlWriter, column: ColumnInQuery): void {
  writer.reference(columnSql(column), column.range);
}

function printCompared(writer: SqlWriter, column: ComparedColumn, { dialect }: SqlPrinter): void {
  const { textOf } = column;
  if (!textOf) return printColumn(writer, column);
  writer.reference(canonicalText(columnSql(column), textOf.type, dialect, textOf.sense), column.range);
}

function columnSql({ alias, name }: ColumnInQuery): string {
  return `${quoteIdentifier(alias)}.${quoteIdentifier(name)}`;
}

function printConditions(writer: SqlWriter, conditions: readonly Condition[], printer: SqlPrinter): void {
  conditions.forEach((condition, index) => {
    if (index > 0) writer.text('\n  AND ');
    if (condition.kind === 'expression') {
      writer.text('(\n');
      printExpression(writer, condition.expression);
      writer.text('\n)');
      return;
    }
    const { sign, suffix } = printer.operator(condition.operator);
    printCompared(writer, condition.left, printer);
    writer.text(' ');
    writer.reference(sign, condition.range);
    writer.text(' ');
    printCompared(writer, condition.right, printer);
    writer.text(suffix);
  });
}

/** The alias `cross` is a reserved word in both dialects: where an expression reads a column of it, it is quoted. */
export function printExpression(writer: SqlWriter, expression: LocatedSql): void {
  const tokens = sqlTokens(expression.value);
  let printed = 0;
  tokens.forEach((token, index) => {
    const bare = token.kind === 'word' && token.text.toLowerCase() === 'cross';
    if (!bare || tokens[index + 1]?.text !== '.' || tokens[index - 1]?.text === '.') return;
    if (token.start > printed) writer.fragment(sliceSql(expression, printed, token.start));
    const start = expression.sourceOffsets[token.start] ?? expression.range.start;
    writer.reference('"cross"', { start, end: expression.sourceOffsets[token.end] ?? expression.range.end });
    printed = token.end;
  });
  writer.fragment(sliceSql(expression, printed, expression.value.length));
}
