import { type ImportPlan, plannedPulls } from './plan-import.ts';

/** What the run record says of keys (`versions.keys`) that are texts of cells. Runs before that rule say nothing. */
export const textKeys = 'text';

/** Whether keys, activities or mappings use texts of cells where values of another type are there. */
export function hasTextKeys(plan: ImportPlan): boolean {
  return plannedPulls(plan).some(({ query }) => query.texts !== undefined);
}
