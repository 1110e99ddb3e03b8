import type { EntityGraph } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import {
  type ProcessRule,
  type RuleExpectation,
  expectationKindNames,
  expectationKinds,
  valuesIn,
  writtenFields,
} from '../../model/process-rule.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { isClear, ruleKindOf, ruleKinds } from '../../rule-kinds/rule-kinds.ts';
import { missingCalendar, unknownCalendar } from './calendar-use.ts';
import type { GraphCheck } from './check.ts';
import { firstLine } from './element-unconfigured.ts';
import { duplicateNames, knownNames, unknownNames, withSuggestions } from './process-names.ts';

/** Process rules without a subject or an expectation, or with names that are not in the file. */
export const processRules: GraphCheck = {
  codes: ['rule-incomplete', 'rule-unknown-name', 'duplicate-rule-name'],
  sections: ['rules', 'measures'],
  check({ graph, parsed }) {
    const known = knownNames(graph);
    return [
      ...graph.rules.flatMap((rule) => [
        ...incompleteSubject(rule),
        ...rule.expect.flatMap((expectation) => incompleteExpectation(expectation, rule, graph)),
        ...calendarUse(rule, graph),
      ]),
      ...withSuggestions(
        graph.rules.flatMap((rule) => [
          ...unknownNames((type) => valuesIn(rule, type), known),
          ...unknownCalendar(rule, graph),
        ]),
        'rule-unknown-name',
      ),
      ...duplicateNames(graph),
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

/** Fields that mean nothing beside some kinds; those with a default are ignored there. */
const companions = Object.values(expectationKinds).flatMap(({ needs, takes }) => [...takes, ...needs]);

function incompleteExpectation(
  expectation: RuleExpectation,
  { each }: ProcessRule,
  graph: EntityGraph,
): readonly Problem[] {
  const written = writtenFields(expectation);
  const [kind, other] = expectationKindNames.filter((name) => written[name]);
  if (kind === undefined) {
    const fields = Object.values(ruleKinds).map((one) => one.fields);
    const message = written.to
      ? 'The time to an activity is counted from another one. Add from.'
      : `It does not say what must hold. Write ${fields.slice(0, -1).join(', ')}, or ${fields.at(-1)}.`;
    return [incomplete(expectation.range, message)];
  }
  const placeOf = (field: keyof typeof written): SourceRange => written[field]?.range ?? expectation.range;
  if (other !== undefined) {
    return [
      incomplete(placeOf(other), `An entry of expect says one thing, so ${kind} and ${other} need an entry each.`),
    ];
  }
  const { needs, takes } = expectationKinds[kind];
  const allowed: readonly string[] = [...needs, ...takes];
  const misplaced = companions.find((name) => written[name] && !allowed.includes(name));
  if (misplaced) return [incomplete(placeOf(misplaced), `"${misplaced}" does not go with "${kind}". Remove it.`)];
  if (!isClear(expectation)) return [incomplete(placeOf(kind), ruleKinds[kind].needs ?? '')];
  const mistakes = ruleKindOf(expectation).mistakes?.(expectation, graph) ?? [];
  return [
    ...mistakes.map(({ range, message }) => incomplete(range, message)),
    ...withoutAnchor(expectation, each?.activity !== undefined),
  ];
}

function withoutAnchor(expectation: RuleExpectation, judgesEvents: boolean): readonly Problem[] {
  const { directly, range } = expectation;
  const { after, before, within, of } = writtenFields(expectation);
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

function calendarUse(rule: ProcessRule, graph: EntityGraph): readonly Problem[] {
  const { calendar, workingTime } = rule;
  const times = valuesIn(rule, 'duration');
  if (calendar && times.length === 0)
    return [incomplete(calendar.range, 'Only limits of times count working time. Remove calendar.')];
  const business = times.find(({ value }) => value.isBusiness);
  const missing = calendar || workingTime ? [] : missingCalendar(business, 'rule', graph);
  return missing.map(({ range, message }) => incomplete(range, message));
}

function incomplete(range: SourceRange, message: string): Problem {
  return { code: 'rule-incomplete', severity: 'error', message, range };
}
