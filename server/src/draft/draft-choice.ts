import type { DraftAnswer, DraftRole } from '../../../protocol/first-draft.ts';

export type { DraftAnswer, DraftChoice, DraftColumn, DraftRole, LeftOut } from '../../../protocol/first-draft.ts';

/** The answers about one table. */
export type ChosenColumns = Readonly<Partial<Record<DraftRole, readonly string[]>>>;

export function chosenColumnsOf(dataObject: string, answers: readonly DraftAnswer[]): ChosenColumns {
  return Object.fromEntries(
    answers.filter((answer) => answer.dataObject === dataObject).map(({ role, columns }) => [role, columns]),
  );
}
