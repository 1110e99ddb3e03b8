import type { Catalog, SqlDialect } from '../../catalog/catalog.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import type { EntitySource, Relationship } from '../../model/entity-graph.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { Problem } from '../../model/problem.ts';
import type { LocatedSql, SourceRange } from '../../model/source-range.ts';
import { sqlOfEntry } from '../../model/entry-columns.ts';
import { mapErrorPosition } from '../../query/map-error-position.ts';
import { doubleEquals } from '../sql/double-equals.ts';
import { nearestIdentifiers, textInNameQuotes } from '../sql/nearest-identifier.ts';
import { completionOf } from '../sql/sql-keywords.ts';
import { type PlacedQuestion, nameQuestions, syntaxQuestions } from '../sql/sql-questions.ts';
import { type PendingAnswer, type SqlMistake, type SqlValidator, isPending } from '../sql/sql-validator.ts';
import type { CheckContext, GraphCheck } from './check.ts';
import { dialectOf } from './dialect-of.ts';

/**
 * Problems of custom SQL found by the parser of the source's dialect. A syntax error is an error if the parser is the
 * source's own, else a warning, because versions differ. Unknown names are errors in every version.
 */
export const customSql: GraphCheck = {
  codes: ['sql-syntax', 'timestamp-type', 'sql-error', 'unknown-column', 'unknown-alias', 'unknown-data-object'],
  scope: 'linked',
  check(context) {
    const { graph, index } = context;
    return [
      ...graph.elements.flatMap((element) => (sqlOfEntry(element).length > 0 ? answered(context, element, []) : [])),
      ...graph.relationships.flatMap((relationship) => {
        if (!relationship.mappings.some(({ kind }) => kind === 'expression')) return [];
        const { source, target } = relationship;
        return answered(
          context,
          relationship,
          [source, target].map((end) => end && index.endNamed(end.value)),
        );
      }),
    ];
  },
};

/** Problems of custom SQL of entries of `entities`. */
export const customSqlOfMasterData: GraphCheck = {
  codes: customSql.codes,
  check: (context) =>
    context.graph.entities.flatMap((entry) => (sqlOfEntry(entry).length > 0 ? answered(context, entry, []) : [])),
};

/** Available results; a validator returns the others later. */
function answered(
  graphContext: CheckContext,
  entry: EntitySource | Relationship,
  ends: readonly (EntitySource | undefined)[],
): readonly Problem[] {
  const context = contextOfEntry(graphContext, entry, ends);
  if (!context) return [];
  const { catalog, sqlValidator, onPending } = context;
  if (!sqlValidator) return [];
  const { found, pending } = problemsOf(sqlValidator, entry, ends, context);
  if (pending.length > 0) {
    for (const answer of pending) onPending?.(answer);
    return [];
  }
  const dialect = dialectOf(context);
  const severity = isOwnParser(dialect, catalog) ? 'error' : 'warning';
  const validated: readonly Problem[] = found.map((problem) =>
    problem.code === 'sql-syntax' ? { ...problem, code: problem.code, severity } : problem,
  );
  if (!dialect?.validator.acceptsUnknownOperators) return validated;
  const isReadable = (sql: LocatedSql | undefined): boolean =>
    found.every(({ code, range }) => code !== 'sql-syntax' || !sql || !isWithin(range, sql.range));
  const readable = customSqlOf(entry).filter(isReadable);
  return [...validated, ...readable.flatMap((sql) => doubleEquals(sql, dialect.label))];
}

/**
 * The context with the catalog and the validator of the entry's own data source. Undefined for expressions across data
 * sources, which DuckDB runs, and while nothing is known of a data source that is not the file's.
 */
function contextOfEntry(
  context: CheckContext,
  entry: EntitySource | Relationship,
  ends: readonly (EntitySource | undefined)[],
): CheckContext | undefined {
  const { catalog, graph } = context;
  const places = 'mappings' in entry ? [...ends, ...(entry.crossTable ? [entry.crossTable] : [])] : [entry];
  if (!catalog) {
    const main = graph.dataSource?.value;
    return places.every((place) => dataSourceNamed(graph, place) === main) ? context : undefined;
  }
  if (!catalog.others) return context;
  const [own, ...others] = [...new Set(places.map((place) => catalogOf(catalog, place)))];
  if (!own || others.length > 0) return undefined;
  const sqlValidator =
    own.dialect === catalog.dialect ? context.sqlValidator : context.otherValidators?.get(own.dialect);
  return { ...context, catalog: own, sqlValidator };
}

function isWithin(range: SourceRange, { start, end }: SourceRange): boolean {
  return range.start >= start && range.end <= end;
}

function customSqlOf(entry: EntitySource | Relationship): readonly (LocatedSql | undefined)[] {
  if (!('mappings' in entry)) return sqlOfEntry(entry);
  return entry.mappings.map((mapping) => (mapping.kind === 'expression' ? mapping.expression : undefined));
}

/** Whether the source itself uses the validating parser. */
function isOwnParser(dialect: Dialect | undefined, catalog: Catalog | undefined): boolean {
  if (!dialect) return false;
  const { parserVersion } = dialect.validator;
  return parserVersion === undefined || catalog?.engineVersion === parserVersion;
}

function problemsOf(
  validator: SqlValidator,
  entry: EntitySource | Relationship,
  ends: readonly (EntitySource | undefined)[],
  context: CheckContext,
): Validated {
  const { catalog, parsed } = context;
  const { text } = parsed.yaml;
  const ask = (questions: readonly PlacedQuestion[]): readonly Answered[] =>
    questions.map((question) => {
      const answer = validator(question);
      if (isPending(answer)) return { question, found: [], pending: [answer] };
      const found = answer.flatMap((mistake) => toProblem(mistake, question, entry, catalog, text));
      return { question, found, pending: [] };
    });
  // Syntax can be validated without a catalog; only identifier quoting depends on the dialect.
  const syntax = ask(syntaxQuestions(entry, dialectOf(context) ?? duckdb));
  const isUnreadable = ({ found }: Answered): boolean => found.some(({ code }) => code === 'sql-syntax');
  const unreadable = syntax.filter(isUnreadable).flatMap(({ question }) => question.printed.fragments);
  const places = new Set(unreadable.map(({ source }) => source.range.start));
  // All statements are submitted before results are read.
  const names = catalog ? ask(nameQuestions(entry, ends, catalog, places)) : [];
  // Until the syntax is known, an answer about names may concern unreadable SQL.
  const answered = [...syntax, ...names.filter((each) => !isUnreadable(each))];
  return {
    found: answered.flatMap(({ found }) => found),
    pending: [...syntax, ...names].flatMap(({ pending }) => pending),
  };
}

interface Answered extends Validated {
  readonly question: PlacedQuestion;
}

interface Validated {
  readonly found: readonly Problem[];
  readonly pending: readonly PendingAnswer[];
}

function toProblem(
  mistake: SqlMistake,
  { printed }: PlacedQuestion,
  entry: EntitySource | Relationship,
  catalog: Catalog | undefined,
  text: string,
): readonly Problem[] {
  if (mistake.kind === 'type') return noTimestamp(mistake, printed);
  const range = mapErrorPosition(printed, mistake.position);
  // Errors in generated parts of the statement are not the user's.
  if (!range) return [];
  if (mistake.kind === 'syntax') return [syntaxProblem(mistake, printed, range, catalog)];
  const { name } = mistake;
  if (mistake.kind === 'other' || name === undefined) {
    const nearest = nearestNames(name ?? '', mistake.candidates ?? []);
    const said = `${mistake.message ?? 'The source cannot run this SQL'}.`.replace(/([.!])\.$/, '$1');
    const message = [said, didYouMean(nearest)].join(' ').trimEnd();
    const suggested = nearest.length > 0 ? { suggestions: nearest, isVerbatim: true } : {};
    return [{ code: 'sql-error', severity: 'warning', message, range, ...suggested }];
  }
  if (mistake.kind === 'table') return catalog ? unknownTable(name, catalog, range, text) : [];
  // Columns of a subquery in an end's joins are unknown here.
  if ('mappings' in entry && name.includes('.')) return [];
  const nearest = nearestNames(name, mistake.candidates ?? []);
  const what =
    mistake.kind === 'column' ? 'a column that this SQL can read' : 'a table or alias that this SQL can read';
  const source = printed.fragments.find(
    ({ source: { range: all } }) => all.start <= range.start && range.end <= all.end,
  );
  const meant =
    mistake.kind === 'column' && nearest.length === 0 && source
      ? textInNameQuotes(name, range, source.source, text)
      : undefined;
  const remedy =
    meant === undefined
      ? (didYouMean(nearest) ?? remedies[mistake.kind])
      : `Double quotes are for names; a text is written in single quotes: '${name}'.`;
  return [
    {
      code: mistake.kind === 'column' ? 'unknown-column' : 'unknown-alias',
      severity: 'error',
      message: `"${name}" is not ${what}. ${remedy}`,
      range,
      ...(meant === undefined
        ? nearestIdentifiers(nearest, range, text, catalog)
        : { suggestions: [meant], isVerbatim: true }),
    },
  ];
}

/** Only computed times have a required type. */
function noTimestamp({ name = '' }: SqlMistake, { fragments }: PlacedQuestion['printed']): readonly Problem[] {
  const [expression] = fragments;
  if (!expression) return [];
  const message = `This expression gives values of type ${name}: it must give timestamps or dates. Convert them in the expression.`;
  return [{ code: 'timestamp-type', severity: 'error', message, range: expression.source.range }];
}

const remedies = {
  column: 'Correct the name, or join the table that has it.',
  alias: 'Correct the name, or join the table.',
} as const;

/** Tables of other schemas may be read too, so only probable typing errors are reported. */
function unknownTable(name: string, catalog: Catalog, range: SourceRange, text: string): readonly Problem[] {
  if (!catalog.complete || catalog.unreadable?.includes(name)) return [];
  const nearest = nearestNames(
    name,
    catalog.objects.map((object) => object.name),
  );
  if (nearest.length === 0 || nearest[0] === name) return [];
  const message = `"${name}" is not a data object of "${catalog.dataSource}". ${didYouMean(nearest) ?? ''}`;
  return [
    {
      code: 'unknown-data-object',
      severity: 'error',
      message,
      range,
      ...nearestIdentifiers(nearest, range, text, catalog),
    },
  ];
}

function syntaxProblem(
  { position }: SqlMistake,
  { sql, fragments }: PlacedQuestion['printed'],
  range: SourceRange,
  catalog: Catalog | undefined,
) {
  const last = fragments.at(-1);
  const tooEarly = last !== undefined && position >= last.offset + last.source.value.length;
  const word = sql.slice(position).match(/^(?:\w+|"[^"]*"|'[^']*'|\S)/u)?.[0] ?? '';
  const nearest = tooEarly ? [] : nearestSqlWords(word, catalog?.dialect);
  const isAtStart = fragments.some(
    ({ offset, source }) =>
      sql.slice(offset, position).trim() === '' && position >= offset && position < offset + source.value.length,
  );
  const where =
    isAtStart && /^where$/i.test(word)
      ? `"${word}" stands before this SQL already. Remove it.`
      : `SQL syntax error near "${word}".`;
  const message = tooEarly ? 'The SQL ends too early. Complete it.' : [where, didYouMean(nearest)].join(' ').trim();
  return {
    code: 'sql-syntax',
    severity: 'warning',
    message,
    range,
    ...(nearest.length > 0 ? { suggestions: nearest, isVerbatim: true } : {}),
  } as const;
}

/** Keywords similar to an unknown word, in its letter case; none for a keyword. */
function nearestSqlWords(word: string, dialect: SqlDialect | undefined): readonly string[] {
  const upper = word.toUpperCase();
  const { conditionWords, joinWords } = completionOf(dialect);
  const words = new Set([...conditionWords, ...joinWords].flatMap((each) => each.split(' ')));
  if (!/^[A-Z]{3,}$/.test(upper) || words.has(upper)) return [];
  const nearest = nearestNames(upper, words);
  return word === upper ? nearest : nearest.map((each) => each.toLowerCase());
}
