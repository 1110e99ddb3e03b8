import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import type { StagedElement } from './build/staged-element.ts';
import { unpairedStep } from './build/unpaired-transitions.ts';
import { isPart } from './note-rows.ts';
import type { StepRunner } from './step-runner.ts';

interface PairedWork {
  readonly elements: readonly StagedElement[];
  readonly dialect: BuildDialect;
  readonly slice: ImportSlice;
}

/** One warning for each element with starts without end, or ends without start. None for a slice. */
export async function unpairedNotes(
  runner: StepRunner,
  { elements, dialect, slice }: PairedWork,
): Promise<readonly ImportNote[]> {
  const step = isPart(slice) ? undefined : unpairedStep(elements, dialect);
  if (!step) return [];
  const [found = []] = await runner.ask(step);
  return found.map((row) => {
    const [starts, ends] = [Number(row['starts']), Number(row['ends'])];
    const name = elements.find(({ plan }) => plan.number === Number(row['element']))?.plan.activityName ?? '';
    const parts = [
      ...(starts > 0 ? [`${starts} ${starts === 1 ? 'start' : 'starts'} without an end`] : []),
      ...(ends > 0 ? [`${ends} ${ends === 1 ? 'end' : 'ends'} without a start`] : []),
    ];
    const are = starts + ends === 1 ? 'it is an event' : 'they are events';
    return [`"${name}" has ${parts.join(' and ')}: ${are} without service time.`];
  });
}
