import type { RuleSuggestion, SuggestedRule, SuggestionKind } from '../../../protocol/rule-suggestions.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import { type ProcessRule, writtenFields } from '../model/process-rule.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { judgeRules } from './judge-rules.ts';
import { type OrderPattern, type Patterns, readPatterns } from './rule-patterns.ts';

/** The share that must keep a rule to be suggested. */
const leastShare = 0.95;
/** Least number of entities for a suggestion. */
const leastSupport = 20;
/** Maximum number of suggestions of one kind. */
const mostOfKind = 12;

interface Candidate {
  readonly kind: SuggestionKind;
  readonly rule: SuggestedRule;
  readonly support: number;
}

/**
 * Rules that a stored graph keeps for at least 95 % of what they judge, those with most support first: how often
 * activities occur, what follows what and how soon, and how many entities a relationship gives. Rules that the file has
 * are left out. Rejects as the store does.
 */
export async function suggestRules(
  store: StoreReader,
  existing: readonly ProcessRule[],
  options: StatementOptions,
): Promise<readonly RuleSuggestion[]> {
  const patterns = await readPatterns(store, options);
  const responses = directResponses(patterns);
  const candidates = [
    ...activityRules(patterns),
    ...orderRules(responses, patterns),
    ...(await deadlineRules(store, responses, options)),
    ...relationshipRules(patterns),
  ];
  const known = new Set(existing.flatMap(subjectsOf));
  const wanted = ofMostSupport(candidates).filter(({ rule }) => !known.has(subjectOf(rule)));
  const chosen = [...new Set(wanted.map(({ kind }) => kind))].flatMap((kind) =>
    wanted
      .filter((each) => each.kind === kind)
      .sort((one, other) => other.support - one.support)
      .slice(0, mostOfKind),
  );
  return judged(store, uniquelyNamed(chosen, existing), options);
}

/**
 * Events belong to entities of several types, so several types can suggest the same expectation: keeps the suggestion
 * with the most support.
 */
function ofMostSupport(candidates: readonly Candidate[]): readonly Candidate[] {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { activity, after, before, within } = candidate.rule.expect[0] ?? {};
    const isOfEvents = activity !== undefined;
    const key = JSON.stringify(isOfEvents ? [activity, after, before, within !== undefined] : [candidate.rule]);
    const known = best.get(key);
    if (!known || known.support < candidate.support) best.set(key, candidate);
  }
  return [...best.values()];
}

/** Judges each suggestion like a rule, so that its numbers are those of the later rule. */
async function judged(
  store: StoreReader,
  candidates: readonly Candidate[],
  options: StatementOptions,
): Promise<readonly RuleSuggestion[]> {
  const text = JSON.stringify({ rules: candidates.map(({ rule }) => rule) });
  const results = await judgeRules(parseEntityGraph(text).graph.rules, store, { ...options, limit: 0 });
  return candidates.flatMap(({ kind, rule, support }, index): readonly RuleSuggestion[] => {
    const result = results[index];
    if (!result || result.share === null || result.share < leastShare) return [];
    const { concerned, broken, pending, share } = result;
    const atLeast = share === 1 ? {} : { atLeast: `${Math.floor(share * 100)}%` };
    return [{ kind, rule: { ...rule, ...atLeast }, concerned, broken, pending, share, support }];
  });
}

function activityRules({ activities, totals }: Patterns): readonly Candidate[] {
  return activities.flatMap(({ entityType, activity, entities, once }): readonly Candidate[] => {
    const all = totals.get(entityType) ?? 0;
    if (all < leastSupport || entities / all < leastShare) return [];
    const isOnce = once / all >= leastShare;
    return [
      {
        kind: 'activity',
        support: all,
        rule: {
          name: isOnce ? `Each ${entityType} has ${activity} once` : `Each ${entityType} has ${activity}`,
          each: { entityType },
          expect: [{ activity, ...(isOnce ? { count: '1' } : {}) }],
        },
      },
    ];
  });
}

/** Pairs that follow each other, without those that follow from two others. */
function directResponses(patterns: Patterns): readonly OrderPattern[] {
  return direct(
    patterns.orders.filter((each) => isHabit(each.responds, entitiesWith(patterns, each.entityType, each.first))),
  );
}

function direct(orders: readonly OrderPattern[]): readonly OrderPattern[] {
  const known = new Set(orders.map(({ entityType, first, second }) => JSON.stringify([entityType, first, second])));
  const has = (entityType: string, first: string, second: string): boolean =>
    known.has(JSON.stringify([entityType, first, second]));
  return orders.filter(
    ({ entityType, first, second }) =>
      !orders.some(
        (middle) =>
          middle.entityType === entityType &&
          middle.first === first &&
          middle.second !== second &&
          has(entityType, middle.second, second),
      ),
  );
}

function isHabit(number: number, of: number): boolean {
  return of >= leastSupport && number / of >= leastShare;
}

function entitiesWith({ activities }: Patterns, entityType: string, activity: string): number {
  return activities.find((each) => each.entityType === entityType && each.activity === activity)?.entities ?? 0;
}

function orderRules(responses: readonly OrderPattern[], patterns: Patterns): readonly Candidate[] {
  const follows = responses.map(({ entityType, first, second, responds }): Candidate => ({
    kind: 'order',
    support: responds,
    rule: {
      name: `${second} follows ${first}`,
      each: { entityType },
      expect: [{ activity: second, after: first }],
    },
  }));
  const habits = patterns.orders.filter((each) =>
    isHabit(each.precedes, entitiesWith(patterns, each.entityType, each.second)),
  );
  const precedes = direct(habits).map(({ entityType, first, second, precedes: support }): Candidate => ({
    kind: 'order',
    support,
    rule: {
      name: `${first} comes before ${second}`,
      each: { entityType },
      expect: [{ activity: first, before: second }],
    },
  }));
  return [...follows, ...precedes];
}

/** Common limits, as written in files. */
const limits: readonly (readonly [text: string, minutes: number])[] = [
  ...([1, 5, 15, 30] as const).map((minutes) => [`${minutes}m`, minutes] as const),
  ...([1, 2, 4, 8, 12] as const).map((hours) => [`${hours}h`, hours * 60] as const),
  ...([1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 180, 365] as const).map((days) => [`${days}d`, days * 1440] as const),
];

/** The 95 % quantile of the time from each event of the first activity to the next of the second, rounded up. */
async function deadlineRules(
  store: StoreReader,
  responses: readonly OrderPattern[],
  options: StatementOptions,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  const mostSupported = responses.toSorted((one, other) => other.responds - one.responds).slice(0, mostOfKind);
  for (const { entityType, first, second, responds } of mostSupported) {
    options.signal?.throwIfAborted();
    const [row] = await store.query(deadlineSql(entityType, first, second), options);
    const minutes = row?.['seconds'] === null ? undefined : Number(row?.['seconds']) / 60;
    const limit = minutes === undefined ? undefined : limits.find(([, most]) => minutes <= most);
    if (!limit) continue;
    found.push({
      kind: 'deadline',
      support: responds,
      rule: {
        name: `${second} follows ${first} within ${limit[0]}`,
        each: { entityType },
        expect: [{ activity: second, after: first, within: limit[0] }],
      },
    });
  }
  return found;
}

function deadlineSql(entityType: string, first: string, second: string): string {
  const { quote } = duckdb.literals;
  const events = (activity: string): string =>
    `SELECT DISTINCT event_entity.entity_id, event.id, event.time FROM event JOIN event_entity ON event_entity.event_id = event.id JOIN entity ON entity.id = event_entity.entity_id
     WHERE entity.entity_type = ${quote(entityType)} AND event.activity = ${quote(activity)} AND event.lifecycle = 'start'`;
  // The longest time of each entity counts, because all of its events must be in time.
  return `WITH anchor AS (${events(first)}), target AS (${events(second)}), longest AS (
    SELECT max(epoch(target.time) - epoch(anchor.time)) AS seconds FROM anchor ASOF JOIN target ON target.entity_id = anchor.entity_id AND target.id > anchor.id GROUP BY anchor.entity_id
  ) SELECT quantile_disc(seconds, ${leastShare}) AS seconds FROM longest`;
}

function relationshipRules({ relations, totals }: Patterns): readonly Candidate[] {
  return relations.flatMap(({ entityType, relationship, direction, isSelf, entities, one }): readonly Candidate[] => {
    const all = totals.get(entityType) ?? 0;
    if (all < leastSupport || entities / all < leastShare) return [];
    const isOne = one / all >= leastShare;
    return [
      {
        kind: 'relationship',
        support: all,
        rule: {
          name: `Each ${entityType} has ${isOne ? 'one' : 'some'} of "${relationship}"`,
          each: { entityType },
          expect: [{ relationship, ...(isSelf ? { direction } : {}), ...(isOne ? { count: '1' } : {}) }],
        },
      },
    ];
  });
}

/** The content of a rule without its numbers. */
function subjectOf({ each, expect: [expectation = {}] }: SuggestedRule): string {
  const { activity, relationship, after, before, within } = expectation;
  return subject([each.entityType, activity, relationship, after, before, within && 'in time']);
}

function subjectsOf({ each, expect }: ProcessRule): readonly string[] {
  return expect.map((expectation) => {
    const { activity, relationship, after, before, within } = writtenFields(expectation);
    const names = [each?.entityType, activity, relationship, after, before].map((place) => place?.value);
    return subject([...names, within && 'in time']);
  });
}

function subject(parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts.map((part) => part ?? null));
}

/** Gives each rule of a file a unique name. */
function uniquelyNamed(candidates: readonly Candidate[], existing: readonly ProcessRule[]): readonly Candidate[] {
  const taken = new Set(existing.map(({ name }) => name?.value));
  return candidates.map((candidate) => {
    const { rule } = candidate;
    const plain = taken.has(rule.name) ? `${rule.name} (${rule.each.entityType})` : rule.name;
    let name = plain;
    for (let number = 2; taken.has(name); number += 1) name = `${plain} ${number}`;
    taken.add(name);
    return { ...candidate, rule: { ...rule, name } };
  });
}
