import type { ProposedType } from '../../catalog/catalog.ts';
import { basename } from 'node:path';
import { columnSense } from '../../dialects/duckdb/types.ts';
import { isoDate } from './cell-values.ts';
import { fieldsByCase } from './fields-by-case.ts';
import type { CsvPlan, PlanColumn } from './plan-types.ts';
import type { FileOptions } from './read-settings.ts';

/** Warnings of guessed formats of numbers, dates and times that another format could be mistaken for. */
export function formatWarnings(
  path: string,
  plan: Pick<CsvPlan, 'dateFormat' | 'timestampFormat' | 'decimal' | 'columns'>,
  options: FileOptions,
): readonly string[] {
  const isComma = options.decimal === undefined && plan.decimal === ',';
  const said = `${basename(path)}: numbers are read with a decimal comma${advice(options, 'decimal', 'that is wrong')}.`;
  const formats = (['dateFormat', 'timestampFormat'] as const).flatMap((setting) => {
    const format = plan[setting];
    if (options[setting] !== undefined || format === undefined || format.startsWith('%Y')) return [];
    if (formattedColumns({ plan }, setting).length === 0) return [];
    return [`${basename(path)}: dates are read as ${format}${advice(options, setting, 'that is wrong')}.`];
  });
  return [...(isComma ? [said] : []), ...formats];
}

/** The columns that are read in a format other than ISO 8601. */
export function formattedColumns(
  { plan }: { readonly plan: Pick<CsvPlan, 'dateFormat' | 'timestampFormat' | 'columns'> },
  setting: 'dateFormat' | 'timestampFormat',
): readonly PlanColumn[] {
  const format = plan[setting];
  if (format === undefined || format === isoDate) return [];
  const sense = setting === 'dateFormat' ? 'date' : 'timestamp';
  return plan.columns.filter(({ type, isIso }) => columnSense(type) === sense && !isIso);
}

/** The proposal for a column that has numbers, but no type that holds their digits. */
export function digitsProposal(
  file: string,
  { name: column }: Pick<PlanColumn, 'name'>,
  message: string,
  isPart = false,
): ProposedType {
  return { message, file, isPart, column, types: ['VARCHAR', 'DOUBLE'] };
}

/** The warning that a column has numbers, but no type that holds their digits. */
export function digitsWarning(
  file: string,
  { name }: PlanColumn,
  { isStandalone }: Pick<FileOptions, 'isStandalone'>,
): string {
  const said = `${file}: column ${name} is read as texts, because its numbers have more digits than a DOUBLE or a DECIMAL holds`;
  return isStandalone
    ? `${said}.`
    : `${said}; set types: { "${name}": DOUBLE } to round them, or VARCHAR to keep the texts.`;
}

/** Warnings of columns whose names differ only by case from that of another in the file. */
export function numberedNames(file: string, columns: readonly PlanColumn[]): readonly string[] {
  return [...fieldsByCase(columns)].map(
    ([name, { field, other }]) =>
      `${file}: ${other} and ${field} differ only by case: ${field} is called ${name}, also in SQL.`,
  );
}

/** The advice which setting to add; empty for a file that no data source names. */
export function advice({ isStandalone }: FileOptions, setting: string, when: string): string {
  return isStandalone ? '' : `; set ${setting} if ${when}`;
}
