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

/** The values of a dialog, and how far they are. */
export interface Edited<T> {
  file: T | undefined;
  before: T;
  values: T;
  conflicting: readonly (keyof T)[];
  message: string | undefined;
  /** Cancel before the edit is written closes it without one; afterwards it waits for the answer. */
  stage: 'open' | 'checking' | 'writing' | 'closed';
  scrollTop: number;
}

/** The values of the file, or those that were kept. */
export function firstValues<T extends object>(
  patchOf: PatchOf<T>,
  file: T,
  draft: DialogDraft<T> | undefined,
): Edited<T> {
  const before = draft?.before ?? file;
  const values = draft?.values ?? before;
  return {
    file,
    before,
    values,
    conflicting: conflicts(patchOf, before, values, file),
    message: undefined,
    stage: 'open',
    scrollTop: draft?.scrollTop ?? 0,
  };
}

/** Other values; undefined and empty texts remove one. */
export function changed<T extends object>(values: T, change: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const next: Record<string, unknown> = { ...values, ...change };
  for (const [key, value] of Object.entries(change)) if (value === undefined || value === '') delete next[key];
  return next as T;
}

/** Takes the values of the changed file, unless both have changed a field. */
export function followFile<T extends object>(edited: Edited<T>, patchOf: PatchOf<T>, file: T | undefined): void {
  edited.file = file;
  if (!file) return;
  edited.conflicting = conflicts(patchOf, edited.before, edited.values, file);
  if (edited.conflicting.length === 0) rebase(edited, patchOf, file);
}

/** The dialog's values win over those of the file. */
export function rebase<T extends object>(edited: Edited<T>, patchOf: PatchOf<T>, file: T): void {
  edited.values = rebased(patchOf, edited.before, edited.values, file);
  edited.before = file;
  edited.conflicting = [];
}
