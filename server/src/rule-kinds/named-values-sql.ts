import type { JudgedGraphTables } from './judged-tables.ts';
import { type NameScope, type Use, type UsedName, hasName, nameMistakesIn, subjectOf, usesIn } from './named-uses.ts';
import { judgedColumn, propertyValuesSql } from './property-values-sql.ts';
import { counts, namesOfEntities, sqlNamesIn, wordsOf } from './sql-names.ts';

type Subject = 'event' | 'entity';

/** What the names of an expression mean. */
interface NamedValues {
  /** A SELECT with a row for each judged thing: its id as `judgedColumn`, and a column for each name. */
  readonly values: string;
  /** The expression over these columns. */
  readonly sql: string;
}

interface Judged {
  readonly of: Subject;
  /** Table with `judged`: ids of events, or of entities. */
  readonly judged: string;
  readonly sql: string;
}

/**
 * The values of an expression over properties, and over the names that are none (docs/semantics.md#172-expectations):
 * those of the event, of its entity, and properties of related entities, each a column beside the properties.
 */
export function namedValuesSql(graph: JudgedGraphTables, { of, judged, sql }: Judged): NamedValues {
  const uses = usesIn(sql, scopeOf(of, graph));
  if (uses.length === 0) return { values: propertyValuesSql(graph, { of, judged, sql }), sql };
  const { quote } = graph.dialect.identifiers;
  const columns = uses.map((_, index) => quote(`entity-graph:${index + 1}`));
  const joins = uses.map((use, index) => joinSql(use, index, { of, judged, graph }));
  const selected = joins.map(({ value }, index) => `${value} AS ${columns[index]}`);
  const replaced = replaceAll(
    sql,
    uses.map(({ start, end }, index) => ({ start, end, text: columns[index] ?? '' })),
  );
  const own = propertyValuesSql(graph, { of, judged, sql: replaced });
  const from = joins.map(({ join }) => join).join('\n');
  return { values: `SELECT own.*, ${selected.join(', ')} FROM (\n${own}\n) AS own\n${from}`, sql: replaced };
}

/** Why names of an expression mean nothing; undefined if all do. */
export function sqlNameMistake(
  sql: string,
  of: Subject,
  graph: Pick<JudgedGraphTables, 'dialect' | 'properties' | 'entityTypes'>,
): string | undefined {
  const scope = scopeOf(of, graph);
  const [mistake] = nameMistakesIn(sql, scope);
  return mistake?.message ?? hiddenType(sql, scope, graph);
}

/** The parts of an expression that name related entities. */
export function relatedUsesIn(
  sql: string,
  of: Subject,
  graph: Pick<JudgedGraphTables, 'dialect' | 'properties' | 'entityTypes'>,
): readonly Use[] {
  return usesIn(sql, scopeOf(of, graph)).filter(({ types }) => types.length > 0);
}

function scopeOf(
  of: Subject,
  { dialect, properties, entityTypes }: Pick<JudgedGraphTables, 'dialect' | 'properties' | 'entityTypes'>,
): NameScope {
  return { of, dialect, entityTypes, properties: [...new Set(properties.flatMap((table) => table.properties))] };
}

/** A type whose name a property has. One without fields cannot have been meant. */
function hiddenType(
  sql: string,
  scope: NameScope,
  { properties, dialect }: Pick<JudgedGraphTables, 'dialect' | 'properties'>,
): string | undefined {
  const { lexis, identifiers } = dialect;
  const tokens = wordsOf(sql, lexis);
  for (const name of sqlNamesIn(tokens)) {
    const subject = subjectOf(name, tokens, scope);
    if (subject.kind !== 'property') continue;
    const key = identifiers.key(subject.type);
    const types = properties.flatMap((table) =>
      table.properties.flatMap((each, index) => (identifiers.key(each) === key ? [table.types[index] ?? ''] : [])),
    );
    if (types.some((type) => withoutFields.test(type)))
      return hiddenTypeMessage(subject.type, sql.slice(name.start, name.end));
  }
  return undefined;
}

const withoutFields =
  /^(?:(?:var)?char|character|text|string|u?(?:big|huge|small|tiny)?int|integer|double|real|float|decimal|numeric|bool|date|time|uuid|blob|bytea)/iu;

export function hiddenTypeMessage(type: string, written: string): string {
  return `"${type}" is a property here, so ${written} is a field of it and nothing of related entities. Give the property another name, such as "${type}_id".`;
}

interface Place extends Omit<Judged, 'sql'> {
  readonly graph: JudgedGraphTables;
}

interface JoinedValue {
  readonly join: string;
  readonly value: string;
}

/** The join of the values of a use, and its value as SQL. */
function joinSql(use: Use, index: number, place: Place): JoinedValue {
  const alias = `named_${index + 1}`;
  const [type] = use.types;
  const [name] = use.names;
  if (type === undefined) return joinOfName(name, alias, place);
  const isCount = use.aggregate !== undefined && counts.has(use.aggregate);
  return {
    join: joinedAs(alias, relatedSql(use, type, place)),
    value: isCount ? `coalesce(${alias}.value, 0)` : `${alias}.value`,
  };
}

/** The join of a name of events or of their entity. */
function joinOfName(used: UsedName | undefined, alias: string, place: Place): JoinedValue {
  const name = used?.name.text.toLowerCase() ?? '';
  if (used?.subject === 'event') {
    const table = `SELECT id AS judged, ${name === 'activity' ? 'activity' : 'time'} AS value FROM ${place.graph.table('event')}`;
    return { join: joinedAs(alias, table), value: `${alias}.value` };
  }
  return { join: joinedAs(alias, entitySql(name, place)), value: valueOfEntity(name, alias) };
}

function joinedAs(alias: string, table: string): string {
  return `LEFT JOIN (\n${table}\n) AS ${alias} ON ${alias}.judged = own.${judgedColumn}`;
}

function valueOfEntity(name: string, alias: string): string {
  return name === 'events' ? `coalesce(${alias}.value, 0)` : `${alias}.value`;
}

/** A name of the judged entity, or of that of the judged event: `judged`, `value`. */
function entitySql(name: string, { of, judged, graph }: Place): string {
  const ofEntity =
    name === 'key'
      ? `SELECT id AS entity, key AS value FROM ${graph.table('entity')}`
      : lifeSql({ events: 'count(*)', first: 'min(time)', last: 'max(time)' }[name] ?? '', { of, judged, graph });
  if (of === 'entity') return `SELECT entity AS judged, value FROM (\n${ofEntity}\n) AS of_entity`;
  return `SELECT own_event.id AS judged, of_entity.value FROM ${graph.table('event')} AS own_event JOIN (\n${ofEntity}\n) AS of_entity ON of_entity.entity = own_event.entity_id`;
}

/** A number of the distinct events that are correlated with an entity: `entity`, `value`. */
function lifeSql(value: string, { of, judged, graph: { table, hasCorrelations, dialect } }: Place): string {
  const isMeant =
    of === 'event' || dialect.build.judging.readOnce ? '' : ` AND entity_id IN (SELECT judged FROM ${judged})`;
  if (!hasCorrelations)
    return `SELECT entity_id AS entity, ${value} AS value FROM ${table('event')} WHERE entity_id IS NOT NULL${isMeant} GROUP BY entity_id`;
  return `SELECT pair.entity_id AS entity, ${value} AS value FROM (
  SELECT DISTINCT event_id, entity_id FROM ${table('event_entity')} WHERE entity_id IS NOT NULL${isMeant}
) AS pair JOIN ${table('event')} AS of_pair ON of_pair.id = pair.event_id GROUP BY pair.entity_id`;
}

/** The value of the one related entity of a type, or an aggregate over all of them: `judged`, `value`. */
function relatedSql({ text, start, names, aggregate }: Use, type: string, place: Place): string {
  const { of, graph } = place;
  const { literals, identifiers } = graph.dialect;
  const isOfType = `entity_type = ${literals.quote(type)}`;
  const pairs = of === 'event' ? correlatedSql(isOfType, graph) : relationSql(isOfType, graph);
  const parts = names.map((name, index) => ({ name, column: identifiers.quote(`entity-graph:part:${index + 1}`) }));
  const expression = replaceAll(
    text,
    parts.map(({ name, column }) => ({ start: name.start - start, end: name.end - start, text: column })),
  );
  const isOfOther = ({ name }: Part): boolean => name.subject === 'type';
  const others = partsSql(parts.filter(isOfOther), { of: 'entity', judged: 'other', graph });
  const values = `WITH other AS (SELECT id AS judged FROM ${graph.table('entity')} WHERE ${isOfType})\n${others}`;
  const own = parts.filter((part) => !isOfOther(part));
  const ofJudged = own.length === 0 ? '' : ` JOIN (\n${partsSql(own, place)}\n) AS owner ON owner.judged = pair.judged`;
  const joined = (pair: string): string =>
    `SELECT pair.judged, ${expression} AS value FROM (\n${pair}\n) AS pair JOIN (\n${values}\n) AS related ON related.judged = pair.other${ofJudged}`;
  if (aggregate !== undefined) return `${joined(pairs)} GROUP BY pair.judged`;
  // A surplus is undecided.
  return joined(`SELECT judged, min(other) AS other FROM (\n${pairs}\n) AS each GROUP BY judged HAVING count(*) = 1`);
}

/** A name within an aggregate, and the column of its values. */
interface Part {
  readonly name: UsedName;
  readonly column: string;
}

/** A SELECT of the values of names, for related entities or for what is judged: `judged`, and a column for each. */
function partsSql(parts: readonly Part[], place: Place): string {
  const { graph } = place;
  const joins: string[] = [];
  const properties: string[] = [];
  const columns = parts.map(({ name, column }, index) => {
    if (name.subject === 'own' || (name.subject === 'type' && !hasName(namesOfEntities, name.name.text))) {
      const property = propertyNamed(name, graph);
      properties.push(property);
      return `own.${property} AS ${column}`;
    }
    const { join, value } = joinOfName(name, `part_${index + 1}`, place);
    joins.push(join);
    return `${value} AS ${column}`;
  });
  const own = propertyValuesSql(graph, { ...place, sql: properties.join(' ') });
  return [`SELECT own.${judgedColumn} AS judged, ${columns.join(', ')} FROM (\n${own}\n) AS own`, ...joins].join('\n');
}

/** As the table of its values calls it, quoted. */
function propertyNamed({ name }: UsedName, { dialect: { identifiers }, properties }: JudgedGraphTables): string {
  const key = name.kind === 'word' ? identifiers.fold(name.text) : identifiers.key(name.text);
  const property = properties.flatMap((table) => table.properties).find((each) => identifiers.key(each) === key);
  return identifiers.quote(property ?? name.text);
}

function correlatedSql(isOfType: string, { table }: JudgedGraphTables): string {
  return `SELECT DISTINCT correlated.event_id AS judged, correlated.entity_id AS other FROM ${table('event_entity')} AS correlated
WHERE correlated.entity_id IN (SELECT id FROM ${table('entity')} WHERE ${isOfType})`;
}

/** Entities are related in either direction. */
function relationSql(isOfType: string, { table }: JudgedGraphTables): string {
  const side = (here: string, there: string): string =>
    `SELECT ${here}_entity_id AS judged, ${there}_entity_id AS other FROM ${table('relation')} WHERE ${there}_entity_id IN (SELECT id FROM ${table('entity')} WHERE ${isOfType})`;
  return `${side('source', 'target')} UNION ${side('target', 'source')}`;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function replaceAll(sql: string, replacements: readonly Replacement[]): string {
  let [result, at] = ['', 0];
  for (const { start, end, text } of replacements) {
    result += sql.slice(at, start) + text;
    at = end;
  }
  return result + sql.slice(at);
}
