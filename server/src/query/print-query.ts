import type { Dialect, TextColumn } from '../dialects/dialect.ts';
import type { LocatedSql } from '../model/source-range.ts';
import type { CompiledQuery } from './compiled-query.ts';
import { quotePath } from './quote.ts';
import type {
  ColumnInQuery,
  ComparedColumn,
  Comparison,
  Condition,
  ElementRows,
  ElementSelect,
  ExpressionItem,
  PairSelect,
  Relation,
  SelectItem,
} from './query-tree.ts';
import { sqlTokens } from './sql-tokens.ts';
import { createSqlWriter, sliceSql, type SqlWriter } from './sql-writer.ts';

type PrintedQuery = Pick<CompiledQuery, 'sql' | 'fragments' | 'references'>;

/** Prints the query of an element. */
export function printElementSelect(select: ElementSelect, dialect: Dialect): PrintedQuery {
  const writer = createSqlWriter();
  const { items, rows, isDistinct } = select;
  const columns = items.flatMap((item) => ('column' in item ? [columnToGroup(item, dialect)] : []));
  const groups = isDistinct === true ? groupsOf(columns, dialect) : undefined;
  writer.text(isDistinct === true && !groups ? 'SELECT DISTINCT\n  ' : 'SELECT\n  ');
  printItems(writer, items, dialect);
  writer.text('\n');
  printRows(writer, rows, '', dialect);
  if (groups) writer.text(groups);
  return writer.finish();
}

/**
 * Prints the query of a relationship.
 * @param options.isEveryMatch equal pairs are left in, as often as rows match
 */
export function printPairSelect(
  select: PairSelect,
  dialect: Dialect,
  { isEveryMatch = false }: { readonly isEveryMatch?: boolean } = {},
): PrintedQuery {
  const { quote } = dialect.identifiers;
  const writer = createSqlWriter();
  const keys = [...select.sourceKey, ...select.targetKey];
  const items = [...keys, ...(select.shown ?? [])];
  const columns = items.map((item) => columnToGroup(item, dialect));
  const groups = isEveryMatch ? undefined : groupsOf(columns, dialect);
  writer.text(isEveryMatch || groups ? 'SELECT\n  ' : 'SELECT DISTINCT\n  ');
  printItems(writer, items, dialect);
  writer.text('\nFROM (\n');
  printRelation(writer, select.source, dialect);
  writer.text(`\n) AS ${quote('source')}\nJOIN `);
  if (select.cross) {
    writer.reference(quotePath(select.cross.from.path, dialect), select.cross.from.range);
    writer.text(` AS ${quote('cross')}\n  ON `);
    printConditions(writer, select.cross.conditions, dialect);
    writer.text('\nJOIN ');
  }
  writer.text('(\n');
  printRelation(writer, select.target, dialect);
  writer.text(`\n) AS ${quote('target')}\n  ON `);
  printConditions(writer, select.conditions, dialect);
  writer.text('\nWHERE ');
  keys.forEach(({ column }, index) => {
    if (index > 0) writer.text('\n  AND ');
    printColumn(writer, column, dialect);
    writer.text(' IS NOT NULL');
  });
  if (groups) writer.text(groups);
  return writer.finish();
}

/** GROUP BY expressions in place of DISTINCT, if DISTINCT would not compare texts like keys. */
export function groupsOf(
  columns: readonly { readonly sql: string; readonly textType?: TextColumn | undefined }[],
  { operators: { texts } }: Dialect,
): string | undefined {
  if (!texts || texts.selected || !columns.some(({ textType }) => textType)) return undefined;
  return `\nGROUP BY ${columns.map(({ sql, textType }) => (textType ? texts.group(sql) : sql)).join(', ')}`;
}

/** SQL of a text whose equality is that of its characters, as keys compare. */
export function textByCharacters(text: string, column: TextColumn, { operators: { texts } }: Dialect): string {
  if (!texts) return text;
  return texts.selected ? texts.selected(text, column) : texts.group(text);
}

function columnToGroup({ column, textType }: SelectItem, dialect: Dialect) {
  return { sql: columnSql(column, dialect), textType };
}

/** The rows of an element as a relationship side. */
export function printRelationSql(relation: Relation, dialect: Dialect): string {
  const writer = createSqlWriter();
  printRelation(writer, relation, dialect);
  return writer.finish().sql;
}

function printRelation(writer: SqlWriter, relation: Relation, dialect: Dialect): void {
  writer.text(`  SELECT ${dialect.identifiers.quote(relation.rows.from.alias)}.*`);
  if (relation.joinedColumns.length > 0) {
    writer.text(',\n    ');
    printItems(writer, relation.joinedColumns, dialect, ',\n    ');
  }
  writer.text('\n');
  printRows(writer, relation.rows, '  ', dialect);
}

/** User SQL is on its own lines, so that a trailing comment ends with it. */
function printRows(writer: SqlWriter, rows: ElementRows, indent: string, dialect: Dialect): void {
  writer.text(`${indent}FROM `);
  writer.reference(quotePath(rows.from.path, dialect), rows.from.range);
  writer.text(` AS ${dialect.identifiers.quote(rows.from.alias)}`);
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

function printItems(
  writer: SqlWriter,
  items: readonly (SelectItem | ExpressionItem)[],
  dialect: Dialect,
  separator = ',\n  ',
): void {
  items.forEach((item, index) => {
    if (index > 0) writer.text(separator);
    if ('column' in item) printSelected(writer, item, dialect);
    else printComputed(writer, item.expression);
    writer.text(` AS ${dialect.identifiers.quote(item.as)}`);
  });
}

function printSelected(writer: SqlWriter, { column, textType }: SelectItem, dialect: Dialect): void {
  const sql = columnSql(column, dialect);
  writer.reference((textType && dialect.operators.texts?.selected?.(sql, textType)) ?? sql, column.range);
}

function printComputed(writer: SqlWriter, expression: LocatedSql): void {
  writer.text('(\n');
  writer.fragment(expression);
  writer.text('\n)');
}

function printColumn(writer: SqlWriter, column: ColumnInQuery, dialect: Dialect): void {
  writer.reference(columnSql(column, dialect), column.range);
}

function printCompared(writer: SqlWriter, column: ComparedColumn, dialect: Dialect): void {
  const { textOf } = column;
  if (!textOf) return printColumn(writer, column, dialect);
  const text = dialect.canonical.value(`(${columnSql(column, dialect)})`, textOf.type, textOf.sense);
  writer.reference(text, column.range);
}

function columnSql({ alias, name }: ColumnInQuery, dialect: Dialect): string {
  return quotePath([alias, name], dialect);
}

function printConditions(writer: SqlWriter, conditions: readonly Condition[], dialect: Dialect): void {
  conditions.forEach((condition, index) => {
    if (index > 0) writer.text('\n  AND ');
    if (condition.kind === 'expression') {
      writer.text('(\n');
      printExpression(writer, condition.expression, dialect);
      writer.text('\n)');
      return;
    }
    printComparison(writer, condition, dialect);
  });
}

function printComparison(
  writer: SqlWriter,
  { left, operator, right, range, texts, times, numbers, canonical }: Comparison,
  dialect: Dialect,
): void {
  const { operators } = dialect;
  const { sign, suffix } = dialect.operators.comparison(operator);
  const print = (operand: (column: ComparedColumn) => void): void => {
    operand(left);
    writer.text(' ');
    writer.reference(sign, range);
    writer.text(' ');
    operand(right);
    writer.text(suffix);
  };
  const plain = (): void => print((column) => printCompared(writer, column, dialect));
  const asTimes = operators.times;
  if (times && asTimes && !asTimes.areAlike(times.left, times.right, times.timeZone)) {
    const { timeZone } = times;
    if (operator === '=' && asTimes.areEqualAsStored?.(times.left, times.right, timeZone)) {
      plain();
      writer.text('\n  AND ');
    }
    return print((column) => {
      const [kept, other] = column === left ? [times.left, times.right] : [times.right, times.left];
      writer.reference(asTimes.operand(columnSql(column, dialect), kept, timeZone, other), column.range);
    });
  }
  if (canonical) {
    return print((column) => {
      const { type, sense } = column === left ? canonical.left : canonical.right;
      const text = dialect.canonical.value(`(${columnSql(column, dialect)})`, type, sense);
      writer.reference(operators.texts?.operand(text, operator) ?? text, column.range);
    });
  }
  const exact =
    numbers &&
    operators.numbers?.condition({ sql: columnSql(left, dialect), type: numbers.left }, operator, {
      sql: columnSql(right, dialect),
      type: numbers.right,
    });
  if (exact !== undefined) return writer.reference(exact, range);
  const byCharacters =
    texts && !operators.texts?.areAlike?.(texts.left, texts.right, operator) ? operators.texts : undefined;
  if (!byCharacters) return plain();
  // Texts that are equal by characters are also equal by the collation, which may have an index.
  if (operator === '=' && !byCharacters.areAlike && texts?.left.collation === texts?.right.collation) {
    print((column) => printColumn(writer, column, dialect));
    writer.text('\n  AND ');
  }
  print((column) => writer.reference(byCharacters.operand(columnSql(column, dialect), operator), column.range));
}

/** The alias `cross` is a reserved word and is quoted in expressions. */
export function printExpression(
  writer: SqlWriter,
  expression: LocatedSql,
  { identifiers, lexis }: Pick<Dialect, 'identifiers' | 'lexis'>,
): void {
  const tokens = sqlTokens(expression.value, lexis);
  let printed = 0;
  tokens.forEach((token, index) => {
    const bare = token.kind === 'word' && token.text.toLowerCase() === 'cross';
    if (!bare || tokens[index + 1]?.text !== '.' || tokens[index - 1]?.text === '.') return;
    if (token.start > printed) writer.fragment(sliceSql(expression, printed, token.start));
    const start = expression.sourceOffsets[token.start] ?? expression.range.start;
    writer.reference(identifiers.quote('cross'), {
      start,
      end: expression.sourceOffsets[token.end] ?? expression.range.end,
    });
    printed = token.end;
  });
  writer.fragment(sliceSql(expression, printed, expression.value.length));
}
