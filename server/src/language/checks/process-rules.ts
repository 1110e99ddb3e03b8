import {
  type EntityGraph,
  elementEntityType,
  hasOwnEntity,
  masterDataName,
  relationshipName,
} from '../../model/entity-graph.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { Problem } from '../../model/problem.ts';
import { type ProcessRule, type RuleExpectation, activitiesOf } from '../../model/process-rule.ts';
import type { Located, SourceRange } from '../../model/source-range.ts';
import type { GraphCheck } from './check.ts';
import { firstLine } from './element-unconfigured.ts';

/** Process rules without a subject or an expectation, or with names that are not in the file. */
export const processRules: GraphCheck = {
  codes: ['rule-incomplete', 'rule-unknown-name', 'duplicate-rule-name'],
  check({ graph, parsed }) {
    if (graph.rules.length === 0) return [];
    const known = knownNames(graph);
    return [
      ...graph.rules.flatMap((rule) => [
        ...incompleteSubject(rule),
        ...rule.expect.flatMap((expectation) => incompleteExpectation(expectation, rule)),
        ...rule.expect.flatMap((expectation) => endNotSaid(expectation, graph)),
      ]),
      ...withSuggestions(graph.rules.flatMap((rule) => unknownNames(rule, known))),
      ...duplicates(graph.rules),
    ].map((problem) => ({ ...problem, range: firstLine(problem.range, parsed.yaml.text) }));
  },
};

function incompleteSubject({ each }: ProcessRule): readonly Problem[] {
  if (!each) return [];
  const { entityType, activity } = each;
  if (!entityType && !activity) {
    return [incomplete(each.range, 'It does not say what it judges. Write entityType or activity.')];
  }
  if (entityType && activity) {
    return [
      incomplete(
        activity.range,
        'A rule judges either the entities of a type or the events of an activity. Remove one of both.',
      ),
    ];
  }
  return [];
}

/** The fields that are allowed beside each kind of expectation. */
const companions = {
  activity: ['count', 'after', 'before', 'within', 'of'],
  never: ['after', 'before', 'within', 'of'],
  relationship: ['count', 'of'],
  from: ['to', 'atLeast', 'atMost', 'of'],
  sql: [],
} as const;
const kinds = Object.keys(companions) as readonly (keyof typeof companions)[];
const optional = ['count', 'after', 'before', 'within', 'of', 'to', 'atLeast', 'atMost'] as const;

function incompleteExpectation(expectation: RuleExpectation, { each }: ProcessRule): readonly Problem[] {
  const [kind, other] = kinds.filter((name) => expectation[name] !== undefined);
  if (kind === undefined) {
    const message = expectation.to
      ? 'The time to an activity is counted from another one. Add from.'
      : 'It does not say what must hold. Write activity, never, relationship, from and to, or sql.';
    return [incomplete(expectation.range, message)];
  }
  if (other !== undefined) {
    const place = expectation[other]?.range ?? expectation.range;
    return [incomplete(place, `An entry of expect says one thing, so ${kind} and ${other} need an entry each.`)];
  }
  const allowed: readonly string[] = companions[kind];
  const misplaced = optional.find((name) => expectation[name] && !allowed.includes(name));
  if (misplaced) {
    const place = expectation[misplaced]?.range ?? expectation.range;
    return [incomplete(place, `"${misplaced}" does not go with "${kind}". Remove it.`)];
  }
  return [...incompleteTime(expectation), ...withoutAnchor(expectation, each?.activity !== undefined)];
}

function incompleteTime({ from, to, atLeast, atMost, range }: RuleExpectation): readonly Problem[] {
  if (!from) return [];
  if (!to) return [incomplete(from.range, 'The time from an activity ends with another one. Add to.')];
  if (!atLeast && !atMost) return [incomplete(range, 'It sets no limit to the time. Add atLeast or atMost.')];
  return [];
}

function withoutAnchor(
  { after, before, within, directly, of, range }: RuleExpectation,
  judgesEvents: boolean,
): readonly Problem[] {
  if (after && before)
    return [incomplete(before.range, 'Events are counted either after or before others. Remove one of both.')];
  if (judgesEvents) return [];
  if ((within || directly) && !after && !before) {
    const place = within?.range ?? range;
    const key = within ? 'within' : 'directly';
    return [incomplete(place, `"${key}" needs an event that it counts from. Add after or before.`)];
  }
  if (of) return [incomplete(of.range, 'A judged entity is the one whose events count. Remove of.')];
  return [];
}

/** If both ends have the same type, a rule has to name the end. */
function endNotSaid({ relationship, direction }: RuleExpectation, graph: EntityGraph): readonly Problem[] {
  if (!relationship || direction) return [];
  const named = graph.relationships.find((each) => relationshipName(each) === relationship.value);
  const type = named && typeOfEnd(graph, named.source?.value);
  if (type === undefined || type !== typeOfEnd(graph, named?.target?.value)) return [];
  const message = `"${relationship.value}" relates entities of the type "${type}" to one another. Add direction: source or target, for the end that is judged.`;
  return [incomplete(relationship.range, message)];
}

/** The entity type of an element, or of an entry of `entities`. */
function typeOfEnd({ elements, entities }: EntityGraph, end: string | undefined): string | undefined {
  const element = elements.find(({ activityName }) => end !== undefined && activityName?.value === end);
  const entry = element ?? entities.find((each) => masterDataName(each) === end);
  return entry && elementEntityType(entry);
}

interface KnownNames {
  /** Undefined if a column holds the activities. */
  readonly activities: ReadonlySet<string> | undefined;
  readonly entityTypes: ReadonlySet<string>;
  readonly relationships: ReadonlySet<string>;
}

function knownNames({ elements, entities, relationships }: EntityGraph): KnownNames {
  const ownTypes = [...elements.filter(hasOwnEntity), ...entities].flatMap((entry) => elementEntityType(entry) ?? []);
  const typesOfRows = elements.flatMap(({ correlatesWith = [] }) =>
    correlatesWith.flatMap(({ entityType }) => entityType?.value ?? []),
  );
  const areOfColumns = elements.some(({ activityColumn }) => activityColumn !== undefined);
  return {
    activities: areOfColumns ? undefined : new Set(elements.flatMap(({ activityName }) => activityName?.value ?? [])),
    entityTypes: new Set([...ownTypes, ...typesOfRows]),
    relationships: new Set(relationships.map(relationshipName)),
  };
}

interface UnknownName {
  readonly name: Located<string>;
  readonly known: ReadonlySet<string>;
  /** A sentence about the missing name. */
  readonly message: string;
}

function unknownNames({ each, expect }: ProcessRule, known: KnownNames): readonly UnknownName[] {
  const activities = [each?.activity, ...expect.flatMap(activitiesOf)];
  const types = [each?.entityType, ...expect.map(({ of }) => of)];
  const relationships = expect.map(({ relationship }) => relationship);
  return [
    ...notIn(known.activities, activities, (name) => `No element of this file has the activity name "${name}".`),
    ...notIn(known.entityTypes, types, (name) => `No entities of this file are of the type "${name}".`),
    ...notIn(known.relationships, relationships, (name) => `No relationship of this file is called "${name}".`),
  ];
}

function notIn(
  known: ReadonlySet<string> | undefined,
  names: readonly (Located<string> | undefined)[],
  message: (name: string) => string,
): readonly UnknownName[] {
  if (!known) return [];
  return names.flatMap((name) =>
    name && !known.has(name.value) ? [{ name, known, message: message(name.value) }] : [],
  );
}

/** Maximum number of similarity searches, which are slow for many names. */
const maxSuggestions = 20;

function withSuggestions(unknown: readonly UnknownName[]): readonly Problem[] {
  return unknown.map(({ name: { value, range }, known, message }, place) => {
    const nearest = place < maxSuggestions ? nearestNames(value, known) : [];
    return {
      code: 'rule-unknown-name',
      severity: 'error',
      message: `${message} ${didYouMean(nearest) ?? 'Correct the name.'}`,
      range,
      ...(nearest.length > 0 ? { suggestions: nearest } : {}),
    };
  });
}

function duplicates(rules: readonly ProcessRule[]): readonly Problem[] {
  const first = new Map<string, SourceRange>();
  return rules.flatMap(({ name }): readonly Problem[] => {
    if (!name) return [];
    const before = first.get(name.value);
    if (!before) {
      first.set(name.value, name.range);
      return [];
    }
    const message = `Another rule is already called "${name.value}". Give one of them another name.`;
    const related = [{ message: 'The first one is here.', range: before }];
    return [{ code: 'duplicate-rule-name', severity: 'error', message, range: name.range, related }];
  });
}

function incomplete(range: SourceRange, message: string): Problem {
  return { code: 'rule-incomplete', severity: 'error', message, range };
}
