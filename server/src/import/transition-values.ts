import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { StagedElement } from './build/staged-element.ts';
import { listedValues, shownValues, transitionValuesStep } from './build/transition-values.ts';
import type { TimePlace } from './build/utc-time.ts';
import type { StepRunner } from './step-runner.ts';

/** Warnings where a column has no start or no end of its `lifecycle`, or has them in another case, too. */
export async function transitionValuesNotes(
  runner: StepRunner,
  elements: readonly StagedElement[],
  place: TimePlace,
): Promise<readonly ImportNote[]> {
  const notes: ImportNote[] = [];
  for (const element of elements) {
    const step = element.rows > 0 ? transitionValuesStep(element, place) : undefined;
    if (!step) continue;
    const [rows = []] = await runner.ask(step);
    const note = noteOf(
      element,
      rows.map((row) => String(row['value'])),
    );
    if (note !== undefined) notes.push([note]);
  }
  return notes;
}

function noteOf(element: StagedElement, found: readonly string[]): string | undefined {
  const { activityName, element: entry } = element.plan;
  const listed = listedValues(element);
  const subject = `The column "${entry.lifecycle?.column?.value ?? ''}" of "${activityName}"`;
  const { start = [], end = [] } = entry.lifecycle ?? {};
  const missing = [start, end].flatMap((values) =>
    values.some(({ value }) => found.includes(value)) ? [] : values.map(({ value }) => value),
  );
  if (missing.length > 0) {
    const values = `${missing.length === 1 ? 'value' : 'values'} ${inWords(missing)}`;
    const has = found.length === 0 ? 'It is empty' : `It has ${inWords(found)}`;
    return `${subject} never has the ${values} of lifecycle. ${has}.`;
  }
  const folded = new Set(listed.map((value) => value.toLowerCase()));
  const alike = found.filter((value) => !listed.includes(value) && folded.has(value.toLowerCase()));
  if (alike.length === 0) return undefined;
  return `${subject} also has ${inWords(alike)}, which lifecycle does not list: these rows are neither starts nor ends.`;
}

function inWords(values: readonly string[]): string {
  const parts = values.slice(0, shownValues).map((value) => `"${value}"`);
  if (values.length > shownValues) parts.push('others');
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ');
}
