import { type DataObject, findColumn } from '../../catalog/catalog.ts';
import type { Draft } from '../../draft/draft.ts';
import type { DraftAnswer } from '../../draft/draft-choice.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import { OperationError } from '../operation-error.ts';

/** The roles of a first graph that columns can be chosen for. */
export const choosableRoles = ['case', 'activity', 'time', 'end', 'key'] as const;

/** Columns chosen beforehand. The data object is optional if only one has them. */
export interface DraftColumnChoice {
  readonly dataObject?: string | undefined;
  readonly role: (typeof choosableRoles)[number];
  readonly columns: readonly string[];
}

/** The choices with their data objects. Throws an `OperationError` for columns that none or several have. */
export function resolveColumnChoices(
  choices: readonly DraftColumnChoice[],
  objects: readonly DataObject[],
): readonly DraftAnswer[] {
  return choices.map(({ dataObject, role, columns }) => {
    const named = objects.filter(({ name }) => dataObject === undefined || name === dataObject);
    if (named.length === 0) {
      const names = objects.map(({ name }) => name);
      const remedy = didYouMean(nearestNames(dataObject ?? '', names)) ?? `Possible are: ${names.join(', ')}.`;
      throw failure('unknown-data-object', `"${dataObject ?? ''}" is not among the data objects to use.`, remedy);
    }
    const found = named.filter((object) => columns.every((column) => findColumn(object, column)));
    const [first, second] = found;
    const list = columns.join('+');
    if (!first) {
      const all = named.flatMap((object) => object.columns.map(({ name }) => name));
      const missing = columns.find((column) => !all.includes(column)) ?? columns[0] ?? '';
      const remedy = didYouMean(nearestNames(missing, [...new Set(all)])) ?? 'Correct the name.';
      throw failure('unknown-column', `No data object to use has the column ${list}, chosen as ${role}.`, remedy);
    }
    if (second) {
      const names = found.map(({ name }) => name);
      const message = `${names.join(', ')} have the column ${list}, chosen as ${role}.`;
      throw failure('unknown-column', message, `Name one of them: ${first.name}:${role}=${list}.`);
    }
    return { dataObject: first.name, role, columns };
  });
}

/** Throws an `OperationError` when a given choice is not part of the draft. */
export function assertChoicesUsed({ chosen }: Draft, answers: readonly DraftAnswer[]): void {
  for (const { dataObject, role, columns } of answers) {
    const ofObject = chosen.filter((each) => each.dataObject === dataObject);
    if (ofObject.some((each) => each.role === role && each.columns.join() === columns.join())) continue;
    const instead = ofObject.filter((each) => each.role === role).map((each) => each.columns.join('+'));
    const taken = instead.length > 0 ? `the draft has ${instead.join(', ')}` : `the draft has no ${role} there`;
    throw failure(
      'unknown-column',
      `${columns.join('+')} of ${dataObject} cannot be the ${role}: ${taken}.`,
      'Choose another column, or leave the choice out and change the file.',
    );
  }
}

function failure(code: 'unknown-column' | 'unknown-data-object', message: string, remedy: string): OperationError {
  return new OperationError({ code, message, remedy });
}
