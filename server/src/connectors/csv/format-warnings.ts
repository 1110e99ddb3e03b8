import { basename } from 'node:path';
import type { CsvPlan } from './plan-types.ts';
import type { FileOptions } from './read-settings.ts';

/** Warnings of guessed formats of dates and times that another format could be mistaken for. */
export function formatWarnings(
  path: string,
  plan: Pick<CsvPlan, 'dateFormat' | 'timestampFormat'>,
  options: FileOptions,
): readonly string[] {
  return (['dateFormat', 'timestampFormat'] as const).flatMap((setting) => {
    const format = plan[setting];
    if (options[setting] !== undefined || format === undefined || format.startsWith('%Y')) return [];
    return [`${basename(path)}: dates are read as ${format}${advice(options, setting, 'that is wrong')}.`];
  });
}

/** The advice which setting to add; empty for a file that no data source names. */
export function advice({ isStandalone }: FileOptions, setting: string, when: string): string {
  return isStandalone ? '' : `; set ${setting} if ${when}`;
}
