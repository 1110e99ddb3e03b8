import type { RowCounts } from './build/row-counts.ts';
import type { StagedElement } from './build/staged-element.ts';

/** Warnings about the rows of an element. */
export function rowWarnings({ plan, rows }: StagedElement, counts: RowCounts): readonly string[] {
  const name = `"${plan.activityName}"`;
  const of = (count: number): string => `${count} of ${rows} rows of ${name}`;
  const warnings: string[] = [];
  if (rows === 0) warnings.push(`${name} has no rows: its table is empty, or its filter lets nothing through.`);
  if (counts.withoutKey > 0) warnings.push(`${of(counts.withoutKey)} have no key and are left out.`);
  if (counts.infinite > 0) warnings.push(`${counts.infinite} timestamps of ${name} are infinite and count as missing.`);
  if (counts.changeBeforeStart > 0) warnings.push(`${of(counts.changeBeforeStart)} change before they start.`);
  if (counts.withoutActivity > 0) {
    const column = plan.element.activityColumn?.value ?? '';
    warnings.push(`${of(counts.withoutActivity)} have nothing in ${column}: their events are called ${name}.`);
  }
  return warnings;
}
