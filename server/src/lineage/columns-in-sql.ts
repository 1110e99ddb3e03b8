import { type DataObject, findColumn } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { LocatedSql, SourceRange } from '../model/source-range.ts';
import type { ElementScope } from '../query/element-scope.ts';
import { joinedObjects } from '../query/joined-objects.ts';
import { identifierKey } from '../query/sql-names.ts';
import { type SqlToken, sqlTokens } from '../query/sql-tokens.ts';

/** A column that SQL names, and where. */
interface ColumnInSql {
  readonly object: DataObject;
  readonly column: string;
  readonly range: SourceRange;
  /** It stands behind an alias. */
  readonly isQualified: boolean;
}

/** What the names before a dot stand for, by their folded text; the first entry without alias comes first. */
export interface SqlObject {
  readonly alias: string;
  readonly object: DataObject;
}

/** The data objects that SQL of an element can name: its own one and those that it joins. Unknown ones are left out. */
export function objectsInScope({ rows, object, catalog }: ElementScope): readonly SqlObject[] {
  const key = (name: string) => identifierKey(name, catalog.dialect);
  const own = object ? [{ alias: key(rows.from.alias), object }] : [];
  const joined = joinedObjects(rows.joins?.value ?? '', catalog);
  return [...own, ...joined.map((each) => ({ alias: key(each.alias), object: each.object }))];
}

/**
 * The columns that SQL names, in order. A name behind an alias is a column of that object; a bare name is one of each object that has
 * such a column. Names that are neither, such as those of tables in subqueries, are left out.
 */
export function columnsInSql(sql: LocatedSql, objects: readonly SqlObject[], dialect: string): readonly ColumnInSql[] {
  const { identifiers, lexis } = dialectNamed(dialect);
  const tokens = sqlTokens(sql.value, lexis).filter(({ kind }) => kind !== 'comment');
  const nameOf = (token: SqlToken | undefined): string | undefined =>
    token?.kind === 'quoted'
      ? identifiers.key(token.text)
      : token?.kind === 'word'
        ? identifiers.fold(token.text)
        : undefined;
  return tokens.flatMap((token, index) => {
    const name = nameOf(token);
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    // `name.` is an alias or a schema, `name(` a function.
    if (name === undefined || after?.text === '.' || (token.kind === 'word' && after?.text === '(')) return [];
    const alias = before?.text === '.' ? nameOf(tokens[index - 2]) : undefined;
    if (before?.text === '.' && alias === undefined) return [];
    const range = rangeIn(sql, token);
    return objects
      .filter((each) => alias === undefined || each.alias === alias)
      .flatMap(({ object }) => {
        const column = findByKey(object, name, dialect);
        return column === undefined ? [] : [{ object, column, range, isQualified: alias !== undefined }];
      });
  });
}

function rangeIn({ range, sourceOffsets }: LocatedSql, { start, end }: SqlToken): SourceRange {
  return { start: sourceOffsets[start] ?? range.start, end: sourceOffsets[end] ?? range.end };
}

function findByKey(object: DataObject, key: string, dialect: string): string | undefined {
  return (findColumn(object, key) ?? object.columns.find(({ name }) => identifierKey(name, dialect) === key))?.name;
}
