import type { DraftAnswer, DraftRole } from '../../../protocol/first-draft.ts';

export type { DraftAnswer, DraftChoice, DraftColumn, DraftRole, LeftOut } from '../../../protocol/first-draft.ts';

/** The answers about one table. */
export type Wishes = Readonly<Partial<Record<DraftRole, readonly string[]>>>;

export function wishesFor(dataObject: string, answers: readonly DraftAnswer[]): Wishes {
  return Object.fromEntries(
    answers.filter((answer) => answer.dataObject === dataObject).map(({ role, columns }) => [role, columns]),
  );
}
