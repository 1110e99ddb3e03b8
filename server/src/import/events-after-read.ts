import type { DataSourceRead } from '../../../protocol/import-progress.ts';
import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import { type StatementsStep, runValue } from './build/plan-statement.ts';
import type { ElementPlan, ImportPlan } from './plan-import.ts';
import type { StepRunner } from './step-runner.ts';

/** A relationship between elements of two data sources, seen from one end. */
interface LaterEnd {
  readonly relationship: string;
  readonly end: 'source' | 'target';
  readonly element: ElementPlan;
  readonly other: ElementPlan;
}

/** The times between the snapshots of the two data sources; ISO 8601, UTC. */
interface ReadTimes {
  readonly after: string;
  readonly until: string;
}

interface EventsAfterReadStep extends StatementsStep {
  readonly ends: readonly (LaterEnd & ReadTimes)[];
}

/**
 * Counts the relations with events after the data source of the other end was read
 * (docs/semantics.md#165-what-one-import-sees). Undefined if no relationship leads from one data source to another.
 * @param reads when each data source was read. Without it, the statements for a plan, for both ends: an import runs the
 * one for the end that was read later
 */
export function eventsAfterReadStep(
  plan: Pick<ImportPlan, 'elements' | 'relationships' | 'paths'>,
  { graph, literals }: BuildDialect,
  reads?: readonly DataSourceRead[],
): EventsAfterReadStep | undefined {
  const ends = endsOf(plan).flatMap((end) => {
    const times = reads ? readTimes(end, reads) : { after: runValue, until: runValue };
    return times ? [{ ...end, ...times }] : [];
  });
  if (ends.length === 0) return undefined;
  const time = (value: string): string => `TIMESTAMP ${literals.quote(value.replace('Z', ''))}`;
  return {
    name: 'younger_ends',
    title: 'Looking for relations with events after the data source of the other end was read',
    ends,
    statements: ends.map(({ relationship, end, element, other, after, until }) => ({
      title: `Relations of ${relationship} with events of ${element.activityName} after ${other.dataSource} was read`,
      sql: `SELECT count(*) AS relations FROM ${graph}.relation
    WHERE relationship = ${literals.quote(relationship)} AND ${end}_entity_id IN (
      SELECT entity_id FROM ${graph}.event WHERE element = ${literals.quote(element.activityName)} AND time > ${time(after)} AND time <= ${time(until)}
    )`,
    })),
  };
}

function endsOf({ elements, relationships, paths }: Pick<ImportPlan, 'elements' | 'relationships' | 'paths'>) {
  const named = (name: string | undefined) => elements.find(({ activityName }) => activityName === name);
  return [...relationships, ...paths].flatMap(({ name, relationship }): readonly LaterEnd[] => {
    const [source, target] = [named(relationship.source?.value), named(relationship.target?.value)];
    // Master data has no events.
    if (!source || !target || source.dataSource === target.dataSource) return [];
    return [
      { relationship: name, end: 'source', element: source, other: target },
      { relationship: name, end: 'target', element: target, other: source },
    ];
  });
}

/** Undefined if the data source of this end was not read after that of the other. */
function readTimes({ element, other }: LaterEnd, reads: readonly DataSourceRead[]): ReadTimes | undefined {
  const readAt = (dataSource: string) => reads.find(({ name }) => name === dataSource)?.readAt;
  const [until, after] = [readAt(element.dataSource), readAt(other.dataSource)];
  return until !== undefined && after !== undefined && after < until ? { after, until } : undefined;
}

/** One warning for each relationship with such relations. */
export async function eventsAfterReadNotes(
  runner: StepRunner,
  plan: ImportPlan,
  dialect: BuildDialect,
  reads: readonly DataSourceRead[],
): Promise<readonly ImportNote[]> {
  const step = eventsAfterReadStep(plan, dialect, reads);
  if (!step) return [];
  const answers = await runner.ask(step);
  return step.ends.flatMap(({ relationship, end, element, other, after, until }, index) => {
    const count = Number(answers[index]?.[0]?.['relations'] ?? 0);
    if (count === 0) return [];
    const of = { kind: 'youngerEnds', relationship, end, element: element.activityName, after, until } as const;
    const are = count === 1 ? 'relation' : 'relations';
    const [have, them] = count === 1 ? ['has', 'it'] : ['have', 'them'];
    const text = ` ${are} of "${relationship}" ${have} events of "${element.activityName}" in ${element.dataSource} after the rows of ${other.dataSource} were read, at ${shown(after)} UTC: ${other.dataSource} may have newer rows about ${them}.`;
    return [[{ count, of }, text]];
  });
}

function shown(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}
