import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { ElementCounts, MasterDataCounts, RelationshipCounts } from '../../../protocol/import-progress.ts';
import { thousands } from '../../../protocol/thousands.ts';
import type { BrokenGuard } from '../../../protocol/query-results.ts';
import { type Guard, guardKey } from '../model/guard.ts';
import { ImportError } from './import-error.ts';

/** The guards of a text, and what they compare an import with. */
export interface GuardedImport {
  readonly guards: readonly Guard[];
  /** Counts of the last whole import. */
  readonly before: Pick<GuardedCounts, 'elements' | 'entities'>;
  /** Broken guards do not stop the import. */
  readonly accepts: boolean;
}

interface GuardedCounts {
  readonly elements: readonly Pick<ElementCounts, 'activityName' | 'events'>[];
  readonly entities: readonly Pick<MasterDataCounts, 'name' | 'entities'>[];
  readonly relationships: readonly RelationshipCounts[];
}

interface GuardResults {
  readonly notes: readonly ImportNote[];
  /** All broken guards. */
  readonly broken: readonly BrokenGuard[];
  /** Guards of severity `error` that would have stopped the import. */
  readonly accepted: readonly string[];
}

/**
 * Compares the counts of an import with its guards, before it is published (docs/semantics.md#206-guards). Throws an
 * `ImportError` for a broken one of severity `error`.
 */
export function applyGuards(guarded: GuardedImport | undefined, now: GuardedCounts): GuardResults {
  if (!guarded) return { notes: [], broken: [], accepted: [] };
  const { guards, before, accepts } = guarded;
  const broken = guards.flatMap((guard) => {
    const message = lossText(guard, before, now) ?? unmatchedText(guard, now);
    return message === undefined ? [] : [{ guard, message }];
  });
  const kept = (all: typeof broken): readonly BrokenGuard[] =>
    all.map(({ guard, message }) => ({ guard: guardKey(guard), message }));
  const errors = broken.filter(({ guard }) => guard.severity === 'error');
  const [first] = errors;
  if (first && !accepts) {
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    throw new ImportError('guard-broken', `${first.message}${more}`, {
      range: first.guard.range,
      guards: kept(errors),
      remedy: 'Nothing was published. Mend the data or the text, or import anyway (--accept-guards).',
    });
  }
  return {
    broken: kept(broken),
    notes: broken.map(({ message }): ImportNote => [message]),
    accepted: errors.map(({ message }) => message),
  };
}

/** What a guard asks of the next import. @param before counts of the last whole import; undefined before the first */
export function guardText(guard: Guard, before: GuardedImport['before'] | undefined): string {
  const { element, losesAtMost, relationship, unmatchedAtMost, side, severity } = guard;
  const end = severity === 'error' ? 'otherwise nothing is published' : 'otherwise a warning';
  const allowed = percent(losesAtMost?.value ?? unmatchedAtMost?.value ?? 0);
  if (relationship)
    return `${relationship.value}: at most ${allowed} of the entities of its ${side} without a partner, ${end}`;
  const name = element?.value ?? '';
  const counted = before && countIn(before, name);
  const known = counted ? `its ${countedText(...counted)} fewer` : 'its rows fewer, from the second import on';
  return `${name}: at most ${allowed} of ${known}, ${end}`;
}

function lossText(
  { element, losesAtMost }: Guard,
  before: GuardedImport['before'],
  now: GuardedCounts,
): string | undefined {
  const allowed = losesAtMost?.value;
  if (element === undefined || allowed === undefined) return undefined;
  const name = element.value;
  const [old, current] = [countIn(before, name), countIn(now, name)];
  // What is new has nothing to lose.
  if (!old || !current || old[0] === 0) return undefined;
  const share = (old[0] - current[0]) / old[0];
  if (share <= allowed) return undefined;
  return `${name} has ${countedText(...current)}, ${thousands(old[0])} before: ${percent(share)} fewer, and its guard allows ${percent(allowed)}.`;
}

function countIn(
  { elements, entities }: GuardedImport['before'],
  name: string,
): readonly [number, 'event' | 'entity'] | undefined {
  const events = elements.find(({ activityName }) => activityName === name)?.events;
  if (events !== undefined) return [events, 'event'];
  const count = entities.find((entry) => entry.name === name)?.entities;
  return count === undefined ? undefined : [count, 'entity'];
}

function unmatchedText({ relationship, unmatchedAtMost, side }: Guard, now: GuardedCounts): string | undefined {
  const allowed = unmatchedAtMost?.value;
  if (relationship === undefined || allowed === undefined) return undefined;
  const end = now.relationships.find(({ name }) => name === relationship.value)?.[side];
  if (!end || end.entities === 0) return undefined;
  const unmatched = end.entities - end.related;
  const share = unmatched / end.entities;
  if (share <= allowed) return undefined;
  return `${relationship.value}: ${thousands(unmatched)} of ${thousands(end.entities)} entities of ${end.name} ${unmatched === 1 ? 'has' : 'have'} no partner (${percent(share)}), and its guard allows ${percent(allowed)}.`;
}

function countedText(count: number, noun: 'event' | 'entity'): string {
  const several = noun === 'event' ? 'events' : 'entities';
  return `${thousands(count)} ${count === 1 ? noun : several}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
