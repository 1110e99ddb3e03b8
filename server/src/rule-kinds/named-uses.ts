import type { Dialect } from '../dialects/dialect.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import type { SqlToken } from '../query/sql-tokens.ts';
import {
  type SqlName,
  aggregateCallsIn,
  bareNamesIn,
  isSign,
  isWord,
  localNamesIn,
  namesOfEntities,
  namesOfEvents,
  sqlNamesIn,
  wordsOf,
} from './sql-names.ts';
import { reservedWords } from './words-of-sql.ts';

/** What the names of SQL can mean. */
export interface NameScope {
  /** What is judged. */
  readonly of: 'event' | 'entity';
  readonly dialect: Pick<Dialect, 'identifiers' | 'lexis'>;
  readonly entityTypes: readonly string[];
  readonly properties: readonly string[];
  /** The properties of a type; default: `properties`. */
  propertiesOf?(type: string): readonly string[];
}

/** A name within the text of a use. */
export interface UsedName {
  /** `own` is a property of the judged thing. */
  readonly subject: 'event' | 'entity' | 'type' | 'own';
  readonly name: SqlToken;
  readonly start: number;
  readonly end: number;
}

/** A part of an expression that becomes a column: a name, or an aggregate over names of related entities. */
export interface Use {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The function, in lower case. */
  readonly aggregate: string | undefined;
  /** Of the related entities that it names. */
  readonly types: readonly string[];
  readonly names: readonly UsedName[];
}

/** A name that means nothing, or an aggregate that cannot be found. */
export interface NameMistake {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** Similar names. */
  readonly meant: readonly string[];
}

/** The parts of an expression that mean events, their entity or related entities (docs/semantics.md#172-expectations). */
export function usesIn(sql: string, scope: NameScope): readonly Use[] {
  const tokens = wordsOf(sql, scope.dialect.lexis);
  const names = sqlNamesIn(tokens).flatMap((name) => usedName(name, subjectOf(name, tokens, scope)) ?? []);
  if (names.length === 0) return [];
  const typesOf = (within: readonly TypedName[]): readonly string[] => [
    ...new Set(within.flatMap(({ type }) => type ?? [])),
  ];
  const aggregated = aggregateCallsIn(tokens).flatMap(
    ({ function: aggregate, start, end, isWindow }): readonly Use[] => {
      const isWithin = (name: { readonly start: number; readonly end: number }): boolean =>
        name.start >= start && name.end <= end;
      const within = names.filter(isWithin);
      const types = typesOf(within);
      if (types.length === 0 || isWindow) return [];
      const own = ownNames(tokens, scope).filter(isWithin);
      const all = [...within, ...own].toSorted((one, other) => one.start - other.start);
      return [{ text: sql.slice(start, end), start, end, aggregate, types, names: all }];
    },
  );
  const alone = names.filter((name) => !aggregated.some(({ start, end }) => name.start >= start && name.end <= end));
  const single = alone.map((name): Use => {
    const { start, end } = name;
    return { text: sql.slice(start, end), start, end, aggregate: undefined, types: typesOf([name]), names: [name] };
  });
  return [...aggregated, ...single].toSorted((one, other) => one.start - other.start);
}

/** Names that mean nothing, and aggregates that no engine could find in their place. */
export function nameMistakesIn(sql: string, scope: NameScope): readonly NameMistake[] {
  const tokens = wordsOf(sql, scope.dialect.lexis);
  const severalTypes = usesIn(sql, scope).flatMap(({ text, types, start, end }): readonly NameMistake[] => {
    if (types.length < 2) return [];
    const message = `"${text}" names several types. An aggregate is of the entities of one.`;
    return [{ start, end, message, meant: [] }];
  });
  const ofNames = sqlNamesIn(tokens).flatMap(
    (name) => mistakeOf(name, subjectOf(name, tokens, scope), tokens, scope) ?? [],
  );
  return [...ofNames, ...severalTypes, ...withoutTypes(sql, tokens, scope)];
}

/** Why a name of several entities means nothing. @param subject such as `An entity of the type "order"` */
export function severalMessage(subject: string, type: string): string {
  return `${subject} can have several of the type "${type}". Aggregate them with a function of the engine, such as max(…), sum(…) or count(…).`;
}

/** What the qualifier of a name means; `property` hides a type. */
type Subject =
  { readonly kind: 'event' | 'entity' | 'none' } | { readonly kind: 'type' | 'property'; readonly type: string };

/** Other names with a point are the engine's: fields, and aliases of tables. */
export function subjectOf({ qualifier }: SqlName, tokens: readonly SqlToken[], scope: NameScope): Subject {
  const { kind, text } = qualifier;
  const lower = text.toLowerCase();
  if (localNamesIn(tokens).has(lower)) return { kind: 'none' };
  const type = scope.entityTypes.find((each) => each === text);
  if (isProperty(qualifier, scope)) return type === undefined ? { kind: 'none' } : { kind: 'property', type };
  if (kind === 'word' && (lower === 'event' || lower === 'entity')) return { kind: lower };
  return type === undefined ? { kind: 'none' } : { kind: 'type', type };
}

interface TypedName extends UsedName {
  readonly type?: string;
}

function usedName({ name, start, end }: SqlName, subject: Subject): TypedName | undefined {
  if (subject.kind === 'none' || subject.kind === 'property') return undefined;
  return {
    name,
    start,
    end,
    subject: subject.kind,
    ...(subject.kind === 'type' && { type: subject.type }),
  };
}

function ownNames(tokens: readonly SqlToken[], scope: NameScope): readonly UsedName[] {
  return bareNamesIn(tokens, reservedWords)
    .filter((name) => isProperty(name, scope))
    .map((name) => ({ subject: 'own', name, start: name.start, end: name.end }));
}

function isProperty(token: SqlToken, { properties, dialect: { identifiers } }: NameScope): boolean {
  const key = token.kind === 'word' ? identifiers.fold(token.text) : identifiers.key(token.text);
  return properties.some((name) => identifiers.key(name) === key);
}

function mistakeOf(
  written: SqlName,
  subject: Subject,
  tokens: readonly SqlToken[],
  scope: NameScope,
): NameMistake | undefined {
  const { name, qualifier, start, end } = written;
  switch (subject.kind) {
    case 'event': {
      if (scope.of === 'event') return unknownOf(name, namesOfEvents, `There is no event.${name.text}.`);
      const message = 'Only events have names such as event.time. An entity has entity.first and entity.last.';
      return { start: qualifier.start, end: qualifier.end, message, meant: [] };
    }
    case 'entity':
      return unknownOf(name, namesOfEntities, `There is no entity.${name.text}.`);
    case 'type': {
      const { type } = subject;
      if (name.text === '*' && name.kind === 'symbol') {
        const key = `${scope.dialect.identifiers.isBare(type) ? type : `"${type}"`}.key`;
        return { start, end, message: `An aggregate is of one value of each entity. Write ${key}.`, meant: [key] };
      }
      const known = [...propertiesOf(type, scope), ...namesOfEntities];
      return unknownOf(name, known, `Entities of the type "${type}" have no property "${name.text}".`);
    }
    case 'property':
    case 'none':
      return subject.kind === 'none' ? misspeltType(written, tokens, scope) : undefined;
  }
}

/** A qualifier that resembles a type, before a name that a type has. Subqueries have aliases that cannot be told apart. */
function misspeltType(
  { qualifier, name }: SqlName,
  tokens: readonly SqlToken[],
  scope: NameScope,
): NameMistake | undefined {
  const { text } = qualifier;
  if (isProperty(qualifier, scope) || localNamesIn(tokens).has(text.toLowerCase())) return undefined;
  if (hasSubquery(tokens) || text.length < 3) return undefined;
  const types = scope.entityTypes;
  const inOtherCase = types.filter((type) => type.toLowerCase() === text.toLowerCase());
  const nearest = nearestNames(text, [...types, 'event', 'entity']);
  const meant = inOtherCase.length > 0 ? inOtherCase : nearest;
  if (meant.length === 0) return undefined;
  const isMember = meant.some((type) => {
    const known = [...namesOfEntities, ...namesOfEvents, ...(types.includes(type) ? propertiesOf(type, scope) : [])];
    return name.text === '*' || hasName(known, name.text) || nearestNames(name.text, known).length > 0;
  });
  if (inOtherCase.length === 0 && !isMember) return undefined;
  const message = `The graph has no entities of the type "${text}". ${didYouMean(meant) ?? ''}`;
  return { start: qualifier.start, end: qualifier.end, message, meant };
}

/** An aggregate over the judged thing alone, which is one row. */
function withoutTypes(sql: string, tokens: readonly SqlToken[], scope: NameScope): readonly NameMistake[] {
  if (hasSubquery(tokens)) return [];
  const found = usesIn(sql, scope).filter(({ aggregate }) => aggregate !== undefined);
  const misspelt = sqlNamesIn(tokens).filter((name) => misspeltType(name, tokens, scope) !== undefined);
  return aggregateCallsIn(tokens)
    .filter(({ start, isWindow }) => !isWindow && !found.some((use) => use.start === start))
    .filter(({ start, end }) => !misspelt.some((name) => name.start >= start && name.end <= end))
    .map(({ function: name, start, end }) => ({
      start,
      end,
      message: `"${sql.slice(start, end)}" names no related entities. ${name}(…) is of those of a type, such as ${name}(${exampleType(scope)}).`,
      meant: [],
    }));
}

function exampleType({ entityTypes, dialect: { identifiers } }: NameScope): string {
  const [type = 'item'] = entityTypes;
  return `${identifiers.isBare(type) ? type : `"${type}"`}.key`;
}

function hasSubquery(tokens: readonly SqlToken[]): boolean {
  return tokens.some((token) => isWord(token, 'select'));
}

function propertiesOf(type: string, scope: NameScope): readonly string[] {
  return scope.propertiesOf?.(type) ?? scope.properties;
}

function unknownOf(token: SqlToken, known: readonly string[], message: string): NameMistake | undefined {
  if (hasName(known, token.text) && !isSign(token, '*')) return undefined;
  const meant = nearestNames(token.text, known);
  const { start, end } = token;
  return {
    start,
    end,
    message: `${message} ${didYouMean(meant) ?? `There are ${known.slice(0, 10).join(', ')}.`}`,
    meant,
  };
}

/** Whether a name is known, without regard to case. */
export function hasName(known: Iterable<string>, name: string): boolean {
  const lower = name.toLowerCase();
  for (const each of known) if (each.toLowerCase() === lower) return true;
  return false;
}
