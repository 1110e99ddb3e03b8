import {
  type EntityGraph,
  type EntitySource,
  type Mapping,
  type Relationship,
  masterDataName,
} from '../model/entity-graph.ts';
import { columnsOfEntry, sqlOfEntry } from '../model/entry-columns.ts';
import { type Measure, measureValuesIn, writtenWhat } from '../model/measure.ts';
import { type FieldValues, valuesIn } from '../model/process-rule.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import type { Located, LocatedSql, SourceRange } from '../model/source-range.ts';
import type { Steps } from '../model/steps.ts';
import { type SqlRole, joinAliases, sqlRoles } from './sql/sql-roles.ts';

/** Token types for names, as known to colour themes. */
export const semanticTokenTypes = [
  'event',
  'class',
  'property',
  'namespace',
  'keyword',
  'function',
  'variable',
  'type',
  'string',
  'number',
  'comment',
  'enumMember',
] as const;

export interface SemanticToken {
  readonly range: SourceRange;
  readonly type: (typeof semanticTokenTypes)[number];
}

/** Cached tokens of entries, relative to their start: unchanged entries are only moved. */
export type TokenCache = WeakMap<object, EntryTokens>;

interface EntryTokens {
  /** Aliases available to the entry; for a relationship, those of its ends. */
  readonly aliases: readonly Aliases[];
  readonly tokens: readonly SemanticToken[];
}

/** The tokens of a graph by entry. */
export interface GraphTokens {
  readonly entries: readonly {
    readonly range: SourceRange;
    /**
     * In text order, relative to the start of the entry; the same array while the entry is unchanged, unless it has
     * tokens elsewhere.
     */
    readonly tokens: readonly SemanticToken[];
  }[];
  /** Tokens outside of entries. */
  readonly others: readonly SemanticToken[];
}

/** All tokens of a graph in text order. */
export function wholeOrder({ entries, others }: GraphTokens): readonly SemanticToken[] {
  return inOrder([...others, ...entries.flatMap(({ range, tokens }) => moved(tokens, range.start))]);
}

/** Tokens of a graph by entry, rules and measures: activities, data objects, columns with aliases, SQL. Reuses the tokens of unchanged entries. */
export function* findingGraphTokens(
  { graph, yaml: { text } }: ParsedEntityGraph,
  memo: TokenCache,
): Steps<GraphTokens> {
  const { dataSource, dataObjects, elements, entities, relationships, rules, measures } = graph;
  const entryTokens = (
    entry: { readonly range: SourceRange },
    aliases: readonly Aliases[],
    read: () => readonly SemanticToken[],
  ): GraphTokens['entries'][number] => {
    const { range } = entry;
    const before = memo.get(entry);
    if (before?.aliases.every((each, index) => each === aliases[index])) return { range, tokens: before.tokens };
    const found = inOrder(read());
    const tokens = moved(found, -range.start);
    // Tokens of a YAML alias are at its anchor, and do not move with the entry.
    const isOwn = found.every((token) => range.start <= token.range.start && token.range.end <= range.end);
    if (isOwn) memo.set(entry, { aliases, tokens });
    return { range, tokens };
  };
  const aliasesOf = joinedAliases(graph, memo);
  const entries: GraphTokens['entries'][number][] = [];
  for (const entry of [...elements, ...entities]) {
    const aliases = aliasesOf(entry);
    entries.push(entryTokens(entry, [aliases], () => tokensOfEntry(entry, text, aliases)));
    yield;
  }
  for (const relationship of relationships) {
    const ends = [relationship.source?.value, relationship.target?.value].map(aliasesOf);
    entries.push(entryTokens(relationship, ends, () => relationshipTokens(relationship, text, ends)));
    yield;
  }
  const others = [
    ...named('namespace', [dataSource]),
    ...named('class', dataObjects),
    ...rules.flatMap((rule) => processTokens((type) => valuesIn(rule, type), text)),
    ...measures.flatMap((measure) => measureTokens(measure, text)),
  ];
  return { entries, others };
}

function moved(tokens: readonly SemanticToken[], distance: number): readonly SemanticToken[] {
  return tokens.map(({ type, range: { start, end } }) => ({
    type,
    range: { start: start + distance, end: end + distance },
  }));
}

/** Tokens in text order. Aliased content is included once, at its anchor. */
export function inOrder(tokens: readonly SemanticToken[]): readonly SemanticToken[] {
  let end = -1;
  return tokens
    .toSorted((left, right) => left.range.start - right.range.start)
    .filter(({ range }) => {
      const isFree = range.start >= end && range.start < range.end;
      if (isFree) end = range.end;
      return isFree;
    });
}

type Aliases = ReadonlySet<string>;

/** Aliases for columns of an element: its own, or those of elements with the same activity name. */
function joinedAliases(
  { elements, entities }: EntityGraph,
  memo: TokenCache,
): (element: EntitySource | string | undefined) => Aliases {
  const byActivity = new Map<string | undefined, EntitySource>([
    ...entities.map((entry) => [masterDataName(entry), entry] as const),
    ...elements.map((element) => [element.activityName?.value, element] as const),
  ]);
  return (asked) => {
    const element = typeof asked === 'string' ? byActivity.get(asked) : asked;
    if (!element?.joins) return noAliases;
    return memo.get(element)?.aliases[0] ?? joinAliases(element.joins.value);
  };
}

const noAliases: Aliases = new Set();

function tokensOfEntry(entry: EntitySource, text: string, aliases: Aliases): readonly SemanticToken[] {
  return [
    ...named('event', ['isMasterData' in entry ? entry.name : entry.activityName]),
    ...named('class', [entry.dataObject]),
    ...columns(
      columnsOfEntry(entry).flatMap(({ names }) => names),
      aliases,
    ),
    ...sqlOfEntry(entry).flatMap((sql) => sqlTokens(sql, text)),
  ];
}

function relationshipTokens(
  { source, target, mappings, crossTable, path }: Relationship,
  text: string,
  [ofSource = noAliases, ofTarget = noAliases]: readonly Aliases[],
): readonly SemanticToken[] {
  const mapped = (mapping: Mapping): readonly SemanticToken[] =>
    mapping.kind === 'expression'
      ? sqlTokens(mapping.expression, text)
      : [...columns([mapping.source], ofSource), ...columns([mapping.target], ofTarget)];
  return [
    ...named('event', [source, target]),
    ...named('event', path?.steps.map(({ relationship }) => relationship) ?? []),
    ...mappings.flatMap(mapped),
    ...named('class', [crossTable?.dataObject]),
    ...columns(crossTable?.sourceMappings.flatMap(({ column, cross }) => [column, cross]) ?? [], ofSource),
    ...columns(crossTable?.targetMappings.flatMap(({ column, cross }) => [column, cross]) ?? [], ofTarget),
  ];
}

type ProcessName = 'activity' | 'relationship' | 'sql';

/** Names and SQL of a rule or a measure. @param valuesOf its values of a type */
function processTokens(
  valuesOf: <Type extends ProcessName>(type: Type) => readonly FieldValues[Type][],
  text: string,
): readonly SemanticToken[] {
  return [
    ...named('event', [...valuesOf('activity'), ...valuesOf('relationship')]),
    ...valuesOf('sql').flatMap((sql) => sqlTokens(sql, text)),
  ];
}

function measureTokens(measure: Measure, text: string): readonly SemanticToken[] {
  const { value } = writtenWhat(measure.what);
  return [
    ...processTokens((type) => measureValuesIn(measure, type), text),
    ...named('property', [value, ...measure.by]),
  ];
}

function named(type: SemanticToken['type'], names: readonly (Located<string> | undefined)[]): readonly SemanticToken[] {
  return names.flatMap((name) => (name ? { type, range: name.range } : []));
}

/** `alias.column` of a joined table is two tokens. */
function columns(names: readonly (Located<string> | undefined)[], aliases: Aliases): readonly SemanticToken[] {
  const tokens: SemanticToken[] = [];
  for (const name of names) {
    if (!name) continue;
    const { value, range } = name;
    const dot = aliases.size > 0 ? value.lastIndexOf('.') : -1;
    const isJoined = dot > 0 && aliases.has(value.slice(0, dot).toLowerCase());
    // In a quoted scalar the position of the dot is not determined.
    if (!isJoined || range.end - range.start !== value.length) tokens.push({ type: 'property', range });
    else {
      const middle = range.start + dot;
      tokens.push(
        { type: 'variable', range: { start: range.start, end: middle } },
        { type: 'property', range: { start: middle + 1, end: range.end } },
      );
    }
  }
  return tokens;
}

const typeOfRole: Readonly<Record<SqlRole, SemanticToken['type']>> = {
  keyword: 'keyword',
  function: 'function',
  table: 'class',
  alias: 'variable',
  column: 'property',
  type: 'type',
  string: 'string',
  number: 'number',
  comment: 'comment',
};

/** SQL tokens; one per line, because the protocol has no multi-line tokens. */
function sqlTokens(sql: LocatedSql | undefined, text: string): readonly SemanticToken[] {
  if (!sql) return [];
  const { value, range } = sql;
  const isAsWritten = text.startsWith(value, range.start) && range.end - range.start === value.length;
  const offsets = isAsWritten ? undefined : sql.sourceOffsets;
  const offset = (index: number): number => offsets?.[index] ?? range.start + index;
  if (offset(0) < range.start || offset(0) > range.end) return [];
  return sqlRoles(value).flatMap(({ role, start, end }) => {
    const written = text.slice(offset(start), offset(end - 1) + 1);
    // The next character may be on another line; the last one may be an escape of two characters.
    const last = Math.max(offset(start) + written.length, sameLine(text, offset(end - 1), offset(end)));
    return lines(text, { start: offset(start), end: last }).map((line) => ({ type: typeOfRole[role], range: line }));
  });
}

function sameLine(text: string, from: number, to: number): number {
  return /[\r\n]/.test(text.slice(from, to)) ? from + 1 : to;
}

/** Splits a range by lines, without indentation. */
function lines(text: string, { start, end }: SourceRange): readonly SourceRange[] {
  const found: SourceRange[] = [];
  for (const line of text.slice(start, end).matchAll(/[^\s][^\r\n]*/g)) {
    found.push({ start: start + line.index, end: start + line.index + line[0].trimEnd().length });
  }
  return found;
}
