import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { measureValuesIn } from '../../model/measure.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { Problem } from '../../model/problem.ts';
import { type RuleSubject, valuesIn } from '../../model/process-rule.ts';
import { correlatedWithEvent, relatedToEntity } from '../../model/related-types.ts';
import type { LocatedSql } from '../../model/source-range.ts';
import type { SqlToken } from '../../query/sql-tokens.ts';
import {
  type NameMistake,
  type NameScope,
  type Use,
  hasName,
  nameMistakesIn,
  severalMessage,
  subjectOf,
  usesIn,
} from '../../rule-kinds/named-uses.ts';
import { hiddenTypeMessage } from '../../rule-kinds/named-values-sql.ts';
import { type SqlName, bareNamesIn, isOneName, sqlNamesIn, wordsOf } from '../../rule-kinds/sql-names.ts';
import { wordsOfSql } from '../../rule-kinds/words-of-sql.ts';
import type { GraphCheck } from './check.ts';
import { dialectOf } from './dialect-of.ts';
import { entriesOf, knownProperties } from './measures.ts';
import { knownNames } from './process-names.ts';

/** Names in the SQL of rules and measures that mean nothing, and those of several entities without an aggregate. */
export const processSqlNames: GraphCheck = {
  codes: ['rule-unknown-name', 'measure-unknown-name'],
  sections: ['rules', 'measures'],
  check(context) {
    const { graph, catalog } = context;
    const { rules, measures, import: settings } = graph;
    const texts = [
      ...rules.flatMap((rule) => valuesIn(rule, 'sql').map((sql) => ({ sql, each: rule.each, isRule: true }))),
      ...measures.flatMap((measure) =>
        measureValuesIn(measure, 'sql').map((sql) => ({ sql, each: measure.each, isRule: false })),
      ),
    ];
    const groups = measures.flatMap(({ by, each }) =>
      by.filter(({ value }) => isOneName(value, duckdb.lexis)).map((name) => ({ name, entityType: each?.entityType })),
    );
    if (texts.length + groups.length === 0) return [];
    const dialect = settings.engine === 'source' ? dialectOf(context) : duckdb;
    if (!dialect) return [];
    const known = { graph, catalog, dialect, types: knownNames(graph).entityTypes };
    // Groups are found in the copy of a graph on this machine.
    const inGroups = groups.flatMap(({ name, entityType }) => {
      const each = entityType && { entityType, range: entityType.range, lifecycle: 'any' as const };
      const mistakes = mistakesIn(name.value, each, { ...known, dialect: duckdb });
      return mistakes.map(({ message, severity }): Problem => {
        const { range } = name;
        return { code: 'measure-unknown-name', severity, message, range };
      });
    });
    const inSql = texts.flatMap(({ sql, each, isRule }) =>
      mistakesIn(sql.value, each, known).map(({ start, end, message, meant, severity }): Problem => ({
        code: isRule ? 'rule-unknown-name' : 'measure-unknown-name',
        severity,
        message,
        range: { start: offsetOf(sql, start), end: offsetOf(sql, end) },
        ...suggested(meant, dialect),
      })),
    );
    return [...inSql, ...inGroups];
  },
};

interface Known {
  readonly graph: EntityGraph;
  readonly catalog: GraphCatalog | undefined;
  readonly dialect: Dialect;
  readonly types: ReadonlySet<string>;
}

interface Mistake extends NameMistake {
  readonly severity: 'error' | 'warning';
}

function mistakesIn(sql: string, each: RuleSubject | undefined, known: Known): readonly Mistake[] {
  const { dialect, graph, catalog, types } = known;
  const properties = knownProperties(graph, catalog);
  if (!properties) return [];
  const scope: NameScope = {
    of: each?.activity ? 'event' : 'entity',
    dialect,
    entityTypes: [...types],
    properties: [...properties],
    propertiesOf: (type) => [...(knownProperties(entriesOf(type, graph), catalog) ?? properties)],
  };
  const tokens = wordsOf(sql, dialect.lexis);
  const errors = nameMistakesIn(sql, scope);
  const numbers = usesIn(sql, scope).flatMap((use) => numberMistake(use, each, graph) ?? []);
  // A subquery has names of its own.
  const hasSubquery = tokens.some(({ kind, text }) => kind === 'word' && text.toLowerCase() === 'select');
  const bare = hasSubquery ? [] : bareNamesIn(tokens, wordsOfSql);
  const warnings = [
    ...sqlNamesIn(tokens).flatMap((name) => hiddenType(name, sql, tokens, scope)),
    ...bare.flatMap((token) => misspeltProperty(token, properties) ?? []),
  ];
  return [
    ...[...errors, ...numbers].map((mistake): Mistake => ({ ...mistake, severity: 'error' })),
    ...warnings.map((mistake): Mistake => ({ ...mistake, severity: 'warning' })),
  ];
}

/** A name of several entities needs an aggregate, one of none means nothing. */
function numberMistake(
  { start, end, types, aggregate }: Use,
  each: RuleSubject | undefined,
  graph: EntityGraph,
): NameMistake | undefined {
  const [type, other] = types;
  if (type === undefined || other !== undefined) return undefined;
  const { entityType, activity } = each ?? {};
  const number = activity
    ? correlatedWithEvent(activity.value, type, graph)
    : entityType && relatedToEntity(entityType.value, type, graph);
  const subject = activity ? `An event of "${activity.value}"` : `An entity of the type "${entityType?.value ?? ''}"`;
  if (number === 'none') {
    const how = activity ? 'is correlated with' : 'is related to';
    const message = `${subject} ${how} none of the type "${type}". Add a relationship, or correct the name.`;
    return { start, end, message, meant: [] };
  }
  if (number !== 'several' || aggregate !== undefined) return undefined;
  return { start, end, message: severalMessage(subject, type), meant: [] };
}

/** A property that hides a type: its fields were perhaps not meant. */
function hiddenType(name: SqlName, sql: string, tokens: readonly SqlToken[], scope: NameScope): readonly NameMistake[] {
  const subject = subjectOf(name, tokens, scope);
  if (subject.kind !== 'property') return [];
  const { start, end } = name;
  return [{ start, end, message: hiddenTypeMessage(subject.type, sql.slice(start, end)), meant: [] }];
}

/** Another word may be one of the engine. */
function misspeltProperty(token: SqlToken, properties: ReadonlySet<string>): NameMistake | undefined {
  const { start, end, text } = token;
  // One or two letters resemble too much. Properties called like a column of their table have a number.
  if (text.length <= 2 || hasName(properties, text.replace(/~\d+$/, ''))) return undefined;
  const meant = nearestNames(text, properties);
  if (meant.length === 0) return undefined;
  const message = `No property of this file is called "${text}". ${didYouMean(meant) ?? ''}`;
  return { start, end, message, meant };
}

function offsetOf(sql: LocatedSql, at: number): number {
  return sql.sourceOffsets[at] ?? sql.range.end;
}

/** Fixes for names that need no quotes, which the text around them might not bear. */
function suggested(meant: readonly string[], { identifiers }: Dialect): Pick<Problem, 'suggestions' | 'isVerbatim'> {
  const suggestions = meant.filter((name) => identifiers.isBare(name));
  return suggestions.length > 0 ? { suggestions, isVerbatim: true } : {};
}
