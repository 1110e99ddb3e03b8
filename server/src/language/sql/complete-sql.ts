import type { Scalar } from 'yaml';
import type { Catalog, SqlDialect } from '../../catalog/catalog.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import type { Dialect, SqlFunction } from '../../dialects/dialect.ts';
import { dialectNamed } from '../../dialects/index.ts';
import { type SqlLexis, standardLexis } from '../../dialects/standard/lexis.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { columnDetail, columnMarkdown, objectDetail, objectMarkdown } from '../describe-catalog.ts';
import { catalogNotice } from '../completion/catalog-notice.ts';
import type { CompletionProposal, KnownPlace } from '../completion/completion-proposal.ts';
import { scalarAt, styleOf, toStepPath } from '../cursor/scalar-place.ts';
import { isJson } from '../json-text.ts';
import { completeValues } from './complete-values.ts';
import { judgedDialect, judgedLists, judgedNames } from './judged-names.ts';
import { sqlIdentifier } from './nearest-identifier.ts';
import { type SqlCursor, spelt, sqlContent, sqlCursor } from './sql-cursor.ts';
import { code, line, paragraphs, prose } from '../markdown.ts';
import { completionOf } from './sql-keywords.ts';
import { type ScopedTable, tablesInScope } from './sql-scope.ts';
import type { GraphContext } from '../graph-context.ts';

/** Fields with SQL values. */
const sqlProperties = new Set(['where', 'joins', 'expression']);
const judgedProperties = new Set(['where', 'sql']);

/**
 * Completion inside existing custom SQL: columns and aliases in scope, tables after FROM and JOIN, functions and
 * keywords of the dialect; in rules and measures properties and names of events, entities and types. Undefined outside of
 * SQL.
 */
export function completeSql(known: GraphContext, offset: number): readonly CompletionProposal[] | undefined {
  const { graph, yaml } = known.parsed;
  const { contents } = yaml.document;
  const place = scalarAt(contents, offset) ?? scalarAt(contents, behindBlanks(yaml.text, offset));
  if (place?.role !== 'value') return undefined;
  const { path, indexes } = toStepPath(place.path);
  const property = sqlProperty(path);
  if (property === undefined) return undefined;
  const { scalar, inFlow } = place;
  const style = styleOf(scalar);
  const content = sqlContent(scalar, yaml.text);
  // A new line of a block scalar, and an unclosed quote, need a repaired text.
  if (!content || !isClosed(scalar, yaml.text) || (style === 'block' && offset > content.end)) return undefined;
  // The header of a block scalar, and the text after a closing quote, are not SQL.
  if (offset < content.start || (style !== 'plain' && offset > content.end)) return [];
  const isEmpty = scalar.value === null || scalar.value === '';
  const spelling = { style, inFlow, isEmpty, lead: '', tail: '' };
  const list = path[0] ?? '';
  const cursor = sqlCursor(yaml.text, content.start, offset, spelling, lexisOf({ ...known, graph, list }));
  return propose({ ...known, graph, property, list, index: indexes[0] ?? -1, text: yaml.text, offset }, cursor);
}

/** Completes empty SQL, or SQL in broken text; `graph` is parsed from the repaired text. */
export function completeSqlPlace(
  known: GraphContext & { readonly graph: EntityGraph },
  place: KnownPlace,
  text: string,
  offset: number,
): readonly CompletionProposal[] | undefined {
  const property = sqlProperty(place.path);
  const top = place.path[0] ?? '';
  if (place.in !== 'value' || property === undefined || !tops.has(top)) return undefined;
  const { style, inFlow, lead, tail, replace, start } = place;
  const content = style === 'block' ? text.indexOf('\n', start) + 1 : style === 'plain' ? start : start + 1;
  const typed = text.slice(content, offset);
  // Nothing may follow the indicator of a block scalar.
  if (offset < content || /^[|>][-+0-9]*$/.test(typed)) return [];
  const isEmpty = typed.trim() === '' && text.slice(offset, replace.end).trim() === '';
  const spelling = { style, inFlow, isEmpty, lead, tail };
  const cursor = sqlCursor(text, Math.min(content, offset), offset, spelling, lexisOf({ ...known, list: top }));
  return propose({ ...known, property, list: top, index: place.indexes[0] ?? -1, text, offset }, cursor);
}

/** The scope of SQL at a path; computed times have the scope of a filter. Undefined for other paths. */
function sqlProperty(path: readonly string[]): string | undefined {
  const property = path.at(-1) ?? '';
  if (judgedLists.has(path[0] ?? '')) return judgedProperties.has(property) ? property : undefined;
  if (!sqlProperties.has(property)) return undefined;
  return property === 'expression' && path[0] === 'elements' ? 'where' : property;
}

const tops = new Set(['elements', 'entities', 'relationships', ...judgedLists]);

function isClosed(scalar: Scalar, text: string): boolean {
  const style = styleOf(scalar);
  if (style !== 'single' && style !== 'double') return true;
  const [start = 0, end = 0] = scalar.range ?? [];
  return end - start > 1 && text[end - 1] === text[start];
}

/** A plain scalar excludes trailing blanks, after which its SQL continues. */
function behindBlanks(text: string, offset: number): number {
  const isBlank = (at: number): boolean => text[at] === ' ' || text[at] === '\t';
  let end = offset;
  while (isBlank(end)) end += 1;
  const isEnd = end === text.length || text[end] === '\n' || text.startsWith('\r\n', end);
  if (!isEnd) return offset;
  let start = offset;
  while (isBlank(start - 1)) start -= 1;
  return start;
}

/** Context of SQL completion. */
interface SqlKnowledge extends GraphContext {
  readonly graph: EntityGraph;
  readonly property: string;
  /** The list of the file in which it stands. */
  readonly list: string;
  /** The element or relationship of the SQL. */
  readonly index: number;
  readonly text: string;
  readonly offset: number;
}

/** An item before quoting. */
interface SqlProposal extends Pick<CompletionProposal, 'label' | 'kind' | 'detail' | 'documentation'> {
  readonly sql: string;
  /** Items are grouped in this order. */
  readonly group: 1 | 2 | 3 | 4;
}

/** Lexical rules of the source's dialect. */
function lexisOf(known: Pick<SqlKnowledge, 'parsed' | 'graph' | 'sources' | 'catalog' | 'list'>): SqlLexis {
  const dialect = known.catalog?.dialect ?? sourceKind(kindOf(known))?.dialect;
  if (judgedLists.has(known.list)) return judgedDialect(known.graph, dialect).lexis;
  return dialect === undefined ? standardLexis : dialectNamed(dialect).lexis;
}

function propose(known: SqlKnowledge, cursor: SqlCursor): readonly CompletionProposal[] {
  const { graph, list, index, catalog, text, offset } = known;
  const kind = catalog?.kind ?? kindOf(known);
  const dialect = catalog?.dialect ?? sourceKind(kind)?.dialect;
  if (judgedLists.has(list)) return proposeJudged(known, cursor, judgedDialect(graph, dialect));
  const tables = catalog ? tablesInScope(graph, list, index, catalog) : [];
  if (catalog) {
    const isQuoted = cursor.spelling.style === 'single';
    const values = completeValues(tables, text, offset, isQuoted, catalog.dialect);
    if (values) return values;
  }
  if (cursor.inside === 'text') return [];
  const json = isJson(text);
  const proposals = candidates(known, cursor, tables, { kind, dialect });
  return [
    ...proposals.flatMap((candidate) => inserted(candidate, cursor, json)),
    ...catalogNotice(known, text, cursor.replace),
  ];
}

/** In the SQL of a rule or a measure. */
function proposeJudged(known: SqlKnowledge, cursor: SqlCursor, dialect: Dialect): readonly CompletionProposal[] {
  if (cursor.inside === 'text') return [];
  const { qualifier, inside } = cursor;
  const named = judgedNames(known, qualifier, dialect).map((name): SqlProposal => ({
    ...name,
    group: name.kind === 'column' ? 1 : 2,
  }));
  const { functions, conditionWords } = completionOf(dialect.name);
  const more =
    qualifier !== undefined || inside === 'name'
      ? []
      : [...words(conditionWords), ...functions.map((each) => functionProposal(each, undefined, cursor.isCalled))];
  const json = isJson(known.text);
  return [...named, ...more].flatMap((candidate) => inserted(candidate, cursor, json));
}

function candidates(
  { graph, property, catalog }: SqlKnowledge,
  cursor: SqlCursor,
  tables: readonly ScopedTable[],
  { kind, dialect }: { readonly kind: string | undefined; readonly dialect: SqlDialect | undefined },
): readonly SqlProposal[] {
  const { before, qualifier, inside } = cursor;
  const columns = catalog ? columnsOf(tables, qualifier, catalog) : [];
  if (qualifier !== undefined) return columns;
  const named = [...columns, ...(catalog ? aliases(tables, catalog) : ends(property))];
  if (inside === 'name') return named;
  if (/\b(from|join)\s+(lateral\s+)?$/i.test(before)) return objects(graph, catalog);
  // Before ON there is nothing to compare.
  const isCondition = property !== 'joins' || /\b(?:on|using)\b(?![^]*\bjoin\b)/i.test(before);
  const { functions, conditionWords, joinWords } = completionOf(dialect);
  const joining = property === 'joins' ? words(joinWords) : [];
  if (!isCondition) return [...named, ...joining];
  return [
    ...named,
    ...joining,
    ...words(conditionWords),
    ...functions.map((each) => functionProposal(each, kind, cursor.isCalled)),
  ];
}

/** Kind of the graph's source. */
function kindOf({ parsed, graph, sources }: Pick<SqlKnowledge, 'parsed' | 'graph' | 'sources'>): string | undefined {
  const name = (parsed.graph.dataSource ?? graph.dataSource)?.value;
  return sources?.sources.find((source) => source.name.value === name)?.kind?.value;
}

function columnsOf(
  tables: readonly ScopedTable[],
  qualifier: string | undefined,
  catalog: Catalog,
): readonly SqlProposal[] {
  const wanted = tables.filter(
    ({ alias }) => qualifier === undefined || alias.toLowerCase() === qualifier.toLowerCase(),
  );
  return wanted.flatMap(({ alias, object }) =>
    object.columns.map((column): SqlProposal => {
      const name = sqlIdentifier(column.name, catalog);
      // With several tables in scope, an unqualified name may be ambiguous.
      const sql = qualifier === undefined && tables.length > 1 ? `${sqlIdentifier(alias, catalog)}.${name}` : name;
      return {
        label: sql,
        kind: 'column',
        sql,
        group: 1,
        detail: columnDetail(column),
        documentation: columnMarkdown(column),
      };
    }),
  );
}

function aliases(tables: readonly ScopedTable[], catalog: Catalog): readonly SqlProposal[] {
  if (tables.length < 2) return [];
  return tables.map(({ alias, object }) => ({
    label: alias,
    kind: 'dataObject',
    sql: sqlIdentifier(alias, catalog),
    group: 2,
    detail: objectDetail(object),
  }));
}

/** Aliases of both relationship ends in an expression. */
function ends(property: string): readonly SqlProposal[] {
  if (property !== 'expression') return [];
  return ['source', 'target'].map((end) => ({ label: end, kind: 'dataObject', sql: end, group: 2 }));
}

/** Tables of the source, or those named in the graph without a catalog. */
function objects(graph: EntityGraph, catalog: Catalog | undefined): readonly SqlProposal[] {
  if (!catalog) {
    const names = [
      ...graph.dataObjects,
      ...[...graph.elements, ...graph.entities].flatMap(({ dataObject }) => dataObject ?? []),
    ];
    const written = names.map(({ value }) => value).filter((name) => /^[a-z_][a-z0-9_.]*$/.test(name));
    return [...new Set(written)].map((name) => ({ label: name, kind: 'dataObject', sql: name, group: 1 }));
  }
  return catalog.objects.map((object) => ({
    label: object.name,
    kind: 'dataObject',
    group: 1,
    sql: object.name
      .split('.')
      .map((part) => sqlIdentifier(part, catalog))
      .join('.'),
    detail: objectDetail(object),
    documentation: objectMarkdown(object),
  }));
}

function words(list: readonly string[]): readonly SqlProposal[] {
  return list.map((word) => ({ label: word, kind: 'keyword', sql: word, group: 3 }));
}

function functionProposal(
  { name, takes, says }: SqlFunction,
  kind: string | undefined,
  isCalled: boolean,
): SqlProposal {
  const isHere = sourceKind(kind)?.capabilities.isFetched === true;
  return {
    label: name,
    kind: 'function',
    group: 4,
    sql: isCalled ? name : `${name}($0)`,
    detail: takes,
    documentation: paragraphs(
      code(`${name}${takes}`),
      prose(says),
      isHere ? line`It is computed here, on the records that were fetched.` : undefined,
    ),
  };
}

function inserted(
  { sql, group, ...shown }: SqlProposal,
  cursor: SqlCursor,
  json: boolean,
): readonly CompletionProposal[] {
  const text = spelt(sql, cursor.spelling, json);
  if (text === undefined) return [];
  const { label } = shown;
  const { nameQuote: quote } = cursor;
  return [
    {
      ...shown,
      insertText: text,
      isSnippet: shown.kind === 'function' && sql.endsWith('($0)'),
      // The typed part of a quoted name starts with its quote.
      filterText: quote === undefined ? label : `${quote}${label.replaceAll(/["`]/g, '')}${quote}`,
      replace: cursor.replace,
      sortText: `${group}${label}`,
    },
  ];
}
