import type { ImportNote, NotedNumber } from '../../../protocol/import-notes.ts';
import type { ElementCounts } from '../../../protocol/import-progress.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import { eventsWithoutEntityStep, noListStep, unmatchedKeysStep } from './build/link-counts.ts';
import type { StagedMasterData } from './build/master-data.ts';
import { type StagedRelationship, correlatingRelationships } from './build/correlations.ts';
import type { StagedCorrelation, StagedElement } from './build/staged-element.ts';
import { ImportError } from './import-error.ts';
import { isPart } from './note-rows.ts';
import type { ImportPlan } from './plan-import.ts';
import type { StepRunner } from './step-runner.ts';

interface LinkedWork {
  readonly dialect: BuildDialect;
  readonly elements: readonly StagedElement[];
  readonly entities: readonly StagedMasterData[];
  readonly relationships: readonly StagedRelationship[];
  readonly plan: Pick<ImportPlan, 'paths'>;
  readonly timeZone: string;
  readonly hasRowOrder: boolean;
  readonly slice: ImportSlice;
}

/** Rejects with an `ImportError` for the first value that should be a list of keys but is not. */
export async function rejectNonLists(
  runner: StepRunner,
  element: StagedElement,
  place: Pick<LinkedWork, 'dialect' | 'timeZone'>,
): Promise<void> {
  const step = noListStep(element, place);
  if (!step) return;
  const answers = await runner.ask(step);
  for (const [index, { correlation }] of step.links.entries()) {
    const [row] = answers[index] ?? [];
    if (!row) continue;
    const { each, key } = correlation.plan.correlation;
    const column = key[0]?.value ?? '';
    throw new ImportError(
      'type-mismatch',
      `Row ${String(row['row'])} of "${element.plan.activityName}" has "${shortened(String(row['value']))}" in ${column}, which is not a list of keys.`,
      {
        remedy:
          'With each: list, a value must be an array, or the text of a JSON array of texts, numbers and booleans. Use separator for texts such as a;b.',
        range: each?.range,
      },
    );
  }
}

/**
 * One warning for each row correlation with keys that match no entity from another source. None for a slice, which
 * lacks entities.
 */
export async function unmatchedKeysNotes(
  runner: StepRunner,
  work: LinkedWork,
  counts: readonly ElementCounts[],
): Promise<readonly ImportNote[]> {
  if (isPart(work.slice)) return [];
  const step = unmatchedKeysStep(work, work);
  if (!step) return [];
  const answers = await runner.ask(step);
  return step.links.flatMap(({ element, correlation }, index): readonly ImportNote[] => {
    const keys = Number(answers[index]?.[0]?.['keys'] ?? 0);
    if (keys === 0) return [];
    const { entityType, qualifier, correlation: entry } = correlation.plan;
    const columns = entry.key.map(({ value }) => value).join(', ');
    const where = `of "${element.plan.activityName}" in ${columns}`;
    const other = `${entityType} that something else makes`;
    if (!isCountedInGraph(element, correlation, work, counts)) {
      return [unmatchedNote(String(keys), keys, where, other)];
    }
    const masterData = work.entities.flatMap(({ plan }) => (plan.entityType === entityType ? [plan.number] : []));
    const found = {
      count: keys,
      of: { kind: 'namedOnly', element: element.plan.activityName, qualifier, entityType, masterData },
    } as const;
    return [unmatchedNote(found, keys, where, other)];
  });
}

function unmatchedNote(found: NotedNumber | string, keys: number, where: string, other: string): ImportNote {
  if (keys === 1) return [found, ` key ${where} matches no ${other}: it is an entity without properties.`];
  return [found, ` keys ${where} match no ${other}: they are entities without properties.`];
}

/**
 * Whether the keys can be counted in the graph instead of the rows: every row must have become an event, and no other
 * correlation may have the same qualifier.
 */
function isCountedInGraph(
  { plan }: StagedElement,
  { plan: { entityType, qualifier } }: StagedCorrelation,
  { elements, relationships, plan: { paths } }: LinkedWork,
  counts: readonly ElementCounts[],
): boolean {
  const makers = elements.filter(
    (each) => each.plan === plan || (each.plan.ownEntity && each.plan.entityType === entityType),
  );
  const names = new Set(makers.map((each) => each.plan.activityName));
  const sameName = plan.correlatesWith.filter((each) => each.qualifier === qualifier);
  return (
    sameName.length === 1 &&
    correlatingRelationships(relationships, paths).every((relationship) => relationship.plan.name !== qualifier) &&
    counts.every(({ activityName, rowsWithoutStart }) => !names.has(activityName) || rowsWithoutStart === 0)
  );
}

/**
 * One warning for each element with events that belong to no entity: process maps lack them, and readers of exports may
 * drop them.
 */
export async function eventsWithoutEntityNotes(
  runner: StepRunner,
  { elements, dialect }: Pick<LinkedWork, 'elements' | 'dialect'>,
): Promise<readonly ImportNote[]> {
  const step = eventsWithoutEntityStep(elements, dialect);
  if (!step) return [];
  const [found = []] = await runner.ask(step);
  return found.map((row) => {
    const [count, element] = [Number(row['events']), String(row['element'])];
    const events = { count, of: { kind: 'eventsWithoutEntity', element } } as const;
    if (count === 1) return [events, ` event of "${element}" belongs to no entity: its row names none.`];
    return [events, ` events of "${element}" belong to no entity: their rows name none.`];
  });
}

/** Shortens a list for a message. */
function shortened(value: string): string {
  return value.length > 80 ? `${value.slice(0, 80)}…` : value;
}
