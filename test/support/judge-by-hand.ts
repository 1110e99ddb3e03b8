import type { EventRow, GraphRows } from './graph-rows.ts';
import { workedByHand } from './measure-by-hand.ts';
import { type RuleExpectation, type ProcessRule, writtenFields } from '../../server/src/model/process-rule.ts';

type Verdict = 'kept' | 'undecided' | 'pending' | 'broken';
const inOrder: readonly Verdict[] = ['kept', 'undecided', 'pending', 'broken'];

/**
 * Numbers of a rule, found by visiting every event of every judged thing: slow, and nothing like the SQL. `concerned`
 * are those of which at least one expectation has something to say: it has no trigger, or there is a trigger event.
 */
export function judgeByHand(
  rule: ProcessRule,
  graph: GraphRows,
): Readonly<Record<Verdict | 'judged' | 'concerned', number>> {
  const counts = { kept: 0, undecided: 0, pending: 0, broken: 0 };
  const { each } = rule;
  const judged: readonly Judged[] = each?.activity
    ? graph.events.filter((event) => isOf(event, each.activity?.value, each.lifecycle)).map((event) => ({ event }))
    : graph.entities.filter(({ type }) => type === each?.entityType?.value).map(({ id }) => ({ entity: id }));
  const concerned = judged
    .map((one) => rule.expect.flatMap((expectation) => verdictsOn(one, expectation, rule, graph)))
    .filter((verdicts) => verdicts.length > 0);
  for (const verdicts of concerned) counts[worst(verdicts)]++;
  return { judged: judged.length, concerned: concerned.length, ...counts };
}

type Judged = { readonly event: EventRow } | { readonly entity: number };

function worst(verdicts: readonly Verdict[]): Verdict {
  return inOrder[Math.max(0, ...verdicts.map((verdict) => inOrder.indexOf(verdict)))] ?? 'kept';
}

function isOf(event: EventRow, activity: string | undefined, lifecycle: string): boolean {
  return event.activity === activity && (lifecycle === 'any' || event.lifecycle === lifecycle);
}

/** A verdict for each trigger event, or the only one; none for a judged thing without trigger events. */
function verdictsOn(
  one: Judged,
  expectation: RuleExpectation,
  rule: ProcessRule,
  graph: GraphRows,
): readonly Verdict[] {
  const entities = entitiesOf(one, expectation, graph);
  if (entities.length === 0) return ['undecided'];
  return entities.flatMap((entity) => verdictsIn(entity, one, expectation, rule, graph));
}

function entitiesOf(one: Judged, expectation: RuleExpectation, { members, entities }: GraphRows): readonly number[] {
  const { of } = writtenFields(expectation);
  if ('entity' in one) return [one.entity];
  if (!of) return one.event.entity === null ? [] : [one.event.entity];
  return [...(members.get(one.event.id) ?? [])].filter((id) =>
    entities.some((row) => row.id === id && row.type === of.value),
  );
}

function verdictsIn(
  entity: number,
  one: Judged,
  expectation: RuleExpectation,
  { each, workingTime }: ProcessRule,
  graph: GraphRows,
): readonly Verdict[] {
  const judgedActivity = each?.activity?.value;
  const between = (began: number, ended: number): number =>
    workingTime ? workedByHand(began, ended, workingTime) : ended - began;
  const { direction, directly } = expectation;
  const { activity, never, count: counted, relationship } = writtenFields(expectation);
  const { from, to, before, after, within, atLeast, atMost } = writtenFields(expectation);
  const own = graph.events.filter(({ id }) => graph.members.get(id)?.has(entity));
  const named = (activity: string): readonly EventRow[] =>
    own.filter((event) => isOf(event, activity, expectation.lifecycle));
  const count = (found: number, isOpen: boolean): Verdict => {
    const { min, max = Infinity } = never ? { min: 0, max: 0 } : (counted?.value ?? { min: 1 });
    if (found > max) return 'broken';
    if (found < min) return isOpen ? 'pending' : 'broken';
    return isOpen && max !== Infinity ? 'pending' : 'kept';
  };
  if (relationship) {
    const others = graph.relations
      .filter(({ name }) => name === relationship.value)
      .flatMap(({ source, target }) => [
        ...(source === entity && direction !== 'target' ? [target] : []),
        ...(target === entity && direction !== 'source' ? [source] : []),
      ]);
    return [count(new Set(others).size, false)];
  }
  if (from && to) return timesBetween().map(verdictOnTime);
  const wanted = named((activity ?? never)?.value ?? '');
  const anchorName = (after ?? before)?.value;
  const isJudged = 'event' in one && (anchorName === undefined || anchorName === judgedActivity);
  if (!isJudged && anchorName === undefined) return [count(wanted.length, false)];
  const anchors = isJudged ? [one.event] : named(anchorName ?? '');
  return anchors.map((anchor) => {
    const place = own.findIndex(({ id }) => id === anchor.id);
    const next = own[before ? place - 1 : place + 1];
    const near = directly ? wanted.filter(({ id }) => id === next?.id) : wanted;
    const found = near.filter(({ id, time }) =>
      before
        ? id < anchor.id && (!within || between(time, anchor.time) <= within.value.milliseconds)
        : id > anchor.id && (!within || between(anchor.time, time) <= within.value.milliseconds),
    );
    const isOpen =
      within !== undefined &&
      !before &&
      between(anchor.time, graph.now) <= within.value.milliseconds &&
      !(directly && next);
    return count(found.length, isOpen);
  });

  function timesBetween(): readonly (readonly [began: EventRow, ended: EventRow | undefined])[] {
    const starts = named(from?.value ?? '');
    const ends = named(to?.value ?? '');
    if ('event' in one && to?.value === judgedActivity && from?.value !== judgedActivity) {
      const earlier = starts.filter(({ id }) => id < one.event.id);
      const start = expectation.take === 'first' ? earlier[0] : earlier.at(-1);
      return start ? [[start, one.event]] : [];
    }
    const taken = { first: starts.slice(0, 1), last: starts.slice(-1), each: starts }[expectation.take];
    const chosen = 'event' in one && from?.value === judgedActivity ? [one.event] : taken;
    return chosen.map((start) => [start, ends.find(({ id }) => id > start.id)]);
  }

  function verdictOnTime([began, ended]: readonly [EventRow, EventRow | undefined]): Verdict {
    if (ended) {
      const took = between(began.time, ended.time);
      return (atLeast && took < atLeast.value.milliseconds) || (atMost && took > atMost.value.milliseconds)
        ? 'broken'
        : 'kept';
    }
    if (between(began.time, graph.now) <= (atMost ?? atLeast)!.value.milliseconds) return 'pending';
    return atMost ? 'broken' : 'kept';
  }
}
