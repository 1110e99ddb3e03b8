import { type ImportPlan, plannedPulls } from './plan-import.ts';

/** Value of `versions.keys` in the run record for text keys. Earlier runs have none. */
export const textKeys = 'text';

/** Whether keys, activities or mappings use texts of cells although the column has another type. */
export function hasTextKeys(plan: ImportPlan): boolean {
  return plannedPulls(plan).some(({ query }) => query.texts !== undefined);
}
