import type { DialogView } from './element-form.ts';

/** Original and current values of a dialog. */
export interface DialogDraft<T> {
  readonly before: T;
  readonly values: T;
  /** The opened sections and the filter. */
  readonly view?: DialogView | undefined;
  /** How far the form is scrolled. */
  readonly scrollTop?: number;
}

/** Changes from the first values to the second: only changed fields, null for removed ones. */
export type PatchOf<T> = (before: T, now: T) => object;

/** Fields changed both in the file and in the dialog since it was opened. */
export function conflicts<T extends object>(patchOf: PatchOf<T>, before: T, now: T, file: T): readonly (keyof T)[] {
  const theirs = Object.keys(patchOf(before, file));
  return Object.keys(patchOf(before, now)).filter((key) => theirs.includes(key)) as (keyof T)[];
}

/** The new values of the file with the dialog's changes applied. */
export function rebased<T extends object>(patchOf: PatchOf<T>, before: T, now: T, file: T): T {
  const result = { ...file } as Record<string, unknown>;
  for (const [key, value] of Object.entries(patchOf(before, now))) {
    if (value === null) delete result[key];
    else result[key] = value;
  }
  return result as T;
}
