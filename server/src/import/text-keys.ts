import type { ImportPlan } from './plan-import.ts';

/** Value of `versions.keys` in the run record for text keys. Earlier runs have none. */
export const textKeys = 'text';

/** Whether keys, activities or mappings use cell texts of columns with another type. */
export function hasTextKeys({ elements, relationships }: ImportPlan): boolean {
  return [...elements, ...relationships].some(({ query }) => query.texts !== undefined);
}
