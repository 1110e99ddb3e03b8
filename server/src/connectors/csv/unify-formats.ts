import { basename } from 'node:path';
import { SourceError } from '../source-error.ts';
import { inFormat } from './corrected-types.ts';
import { formattedColumns, formatWarnings } from './format-warnings.ts';
import type { InspectedFile } from './inspected-file.ts';
import type { CsvPlan, PlanColumn } from './plan-types.ts';
import type { FileOptions } from './read-settings.ts';

/** An inspected part; parts are delimited text. */
export interface CsvPart extends InspectedFile {
  readonly plan: CsvPlan;
}

export interface FormatQuestions {
  /** The settings of a part, which tell configured formats from guessed ones. */
  optionsOf(part: CsvPart): FileOptions;
  /** Whether all sampled texts of columns of a part are values. */
  hasOnlyValues(part: CsvPart, columns: readonly PlanColumn[]): Promise<boolean>;
}

const settings = ['dateFormat', 'timestampFormat'] as const;
type Setting = (typeof settings)[number];

/**
 * Gives all parts the same guessed format of dates and of times, because one part alone may not distinguish days from
 * months. Configured formats and ISO 8601 stay. Rejects with `source-config` if no format fits all parts.
 */
export async function unifyFormats(parts: readonly CsvPart[], questions: FormatQuestions): Promise<readonly CsvPart[]> {
  let unified = parts;
  for (const setting of settings) unified = await withOneFormat(unified, setting, questions);
  return unified;
}

async function withOneFormat(
  parts: readonly CsvPart[],
  setting: Setting,
  questions: FormatQuestions,
): Promise<readonly CsvPart[]> {
  const guessed = parts.filter(
    (part) => questions.optionsOf(part)[setting] === undefined && formattedColumns(part, setting).length > 0,
  );
  const formats = new Set(guessed.flatMap(({ plan }) => plan[setting] ?? []));
  if (formats.size < 2) return parts;
  for (const format of formats) {
    const read = new Map(guessed.map((part) => [part, inOneFormat(part, setting, format, questions)]));
    if (await fitsAll([...read.values()], setting, questions)) return parts.map((part) => read.get(part) ?? part);
  }
  throw noCommonFormat(guessed, setting);
}

async function fitsAll(
  parts: readonly CsvPart[],
  setting: Setting,
  { hasOnlyValues }: FormatQuestions,
): Promise<boolean> {
  for (const part of parts) if (!(await hasOnlyValues(part, formattedColumns(part, setting)))) return false;
  return true;
}

function inOneFormat(part: CsvPart, setting: Setting, format: string, { optionsOf }: FormatQuestions): CsvPart {
  if (part.plan[setting] === format) return part;
  const options = optionsOf(part);
  const plan = { ...part.plan, [setting]: format };
  const former = formatWarnings(part.path, part.plan, options);
  return {
    ...part,
    plan: { ...plan, columns: plan.columns.map((column) => inFormat(column, plan)) },
    warnings: [
      ...part.warnings.filter((warning) => !former.includes(warning)),
      ...formatWarnings(part.path, plan, options),
    ],
  };
}

function noCommonFormat(parts: readonly CsvPart[], setting: Setting): SourceError {
  const what = setting === 'dateFormat' ? 'dates' : 'times';
  const [first, ...others] = parts;
  const other = others.find(({ plan }) => plan[setting] !== first?.plan[setting]);
  const said = [first, other].flatMap((part) =>
    part ? [`${basename(part.path)} in ${part.plan[setting] ?? ''}`] : [],
  );
  return new SourceError(
    'source-config',
    `The ${what} of one data object are in several formats, and none fits all of its files: they look like those of ${said.join(', those of ')}.`,
    {
      ...(other && { file: other.path }),
      remedy: `Set ${setting} of the data source, or of the files that differ under files.`,
    },
  );
}
