import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import { datesBeforeTimesStep } from './build/dates-before-times.ts';
import type { StagedElement } from './build/staged-element.ts';
import { isPart } from './note-rows.ts';
import type { StepRunner } from './step-runner.ts';

interface DatedWork {
  readonly elements: readonly StagedElement[];
  readonly dialect: BuildDialect;
  readonly slice: ImportSlice;
}

/** One warning for each element whose dates count as midnight, before times of the same day. None for a slice. */
export async function datesBeforeTimesNotes(
  runner: StepRunner,
  { elements, dialect, slice }: DatedWork,
): Promise<readonly ImportNote[]> {
  const step = isPart(slice) ? undefined : datesBeforeTimesStep(elements, dialect);
  if (!step) return [];
  const [found = []] = await runner.ask(step);
  return found.map((row) => {
    const [count, name] = [Number(row['events']), String(row['element'])];
    const element = elements.find(({ plan }) => plan.activityName === name)?.plan.element;
    const { startTimestamp, startExpression } = element ?? {};
    const time = startExpression ? '{ expression: …' : `{ column: ${startTimestamp?.value ?? '…'}`;
    const dates = count === 1 ? '1 event of' : `${count} events of`;
    const are =
      count === 1 ? 'has a date without time of day, and so comes' : 'have dates without time of day, and so come';
    return [
      `${dates} "${name}" ${are} before events of the same day that have a time. If they are the later ones, write startTimestamp: ${time}, atEndOfDay: true }.`,
    ];
  });
}
