import { basename } from 'node:path';
import type { UnusedSetting } from '../../catalog/catalog.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import { findFiles } from './find-files.ts';
import { type InspectedFile, type SourceFile, filesOnDisk } from './inspected-file.ts';
import type { ReadPlan } from './plan-types.ts';
import { type FileOptions, type FileSourceConfig, tableKey } from './read-settings.ts';

/** Settings that hold for files of some formats only. */
const settingFormats: Partial<Readonly<Record<keyof FileOptions, readonly ReadPlan['kind'][]>>> = {
  header: ['csv', 'workbook'],
  headerRow: ['csv', 'workbook'],
  delimiter: ['csv'],
  quote: ['csv'],
  escape: ['csv'],
  encoding: ['csv'],
  decimal: ['csv'],
  nullValues: ['csv', 'workbook'],
  timestampFormat: ['csv', 'json', 'workbook'],
  dateFormat: ['csv', 'json', 'workbook'],
  records: ['json'],
};

const formatNames: Readonly<Record<ReadPlan['kind'], string>> = {
  csv: 'text files with columns',
  json: 'JSON files',
  workbook: 'workbooks',
  parquet: 'Parquet files',
};

/**
 * Settings that name a file or a column that the source does not have, or hold for other formats than those of its files.
 * @param names of all files, with extension, and of the tables of workbooks
 * @param areAll whether `inspected` has every file: others may have the columns
 */
export function unusedSettings(
  config: FileSourceConfig,
  names: readonly string[],
  inspected: readonly InspectedFile[],
  areAll: boolean,
): readonly UnusedSetting[] {
  const files = filesOnDisk(inspected).map((file) => ({
    names: settingNames(file),
    format: file.plan.kind,
    columns: [...file.plan.columns, ...(file.folderColumns ?? [])].map(({ name }) => name),
  }));
  // The types of a file replace the types of the source.
  const ofSource = files.filter((file) => file.names.every((name) => config.files.get(name)?.types === undefined));
  const ofFiles = [...config.files].flatMap(([name, options]) => {
    if (!names.includes(name)) return [unused(config, ['files', name], 'names no file of the source')];
    const file = files.filter((each) => each.names.includes(name));
    if (file.length === 0) return [];
    return [
      ...unusedTypes(config, ['files', name], options, file),
      ...ofOtherFormats(config, ['files', name], options, file),
    ];
  });
  const general = areAll
    ? [...unusedTypes(config, [], config.options, ofSource), ...ofOtherFormats(config, [], config.options, files)]
    : [];
  return [...general, ...ofFiles];
}

/** Patterns that match nothing beside others that match; a source without any file is an error. */
export async function unusedPatterns(config: FileSourceConfig): Promise<readonly UnusedSetting[]> {
  const { folder, paths } = config;
  if (paths.length < 2) return [];
  const found = await Promise.all(paths.map((path) => findFiles(folder, [path])));
  return paths
    .filter((_, index) => found[index]?.length === 0)
    .map((path) => unused(config, ['path'], `has ${path}, which matches no file`));
}

/** The names of a file, or of a table of a workbook, in the setting `files`. */
export function settingNames({ path, table }: SourceFile): readonly string[] {
  return table ? [basename(path), tableKey(path, table.name)] : [basename(path)];
}

interface FileColumns {
  readonly names: readonly string[];
  readonly format: ReadPlan['kind'];
  readonly columns: readonly string[];
}

function unusedTypes(
  config: FileSourceConfig,
  group: readonly string[],
  { types = {} }: FileOptions,
  files: readonly FileColumns[],
): readonly UnusedSetting[] {
  const columns = new Set(files.flatMap((file) => file.columns));
  return Object.keys(types).flatMap((column) => {
    if (columns.has(column)) return [];
    const where = group.length > 0 ? 'the file does not have' : 'no file has';
    const nearest = didYouMean(nearestNames(column, [...columns]));
    return [unused(config, [...group, 'types', column], `names a column that ${where}`, nearest)];
  });
}

function ofOtherFormats(
  config: FileSourceConfig,
  group: readonly string[],
  options: FileOptions,
  files: readonly FileColumns[],
): readonly UnusedSetting[] {
  if (files.length === 0) return [];
  return Object.keys(options).flatMap((setting) => {
    const formats = settingFormats[setting as keyof FileOptions];
    if (!formats || files.some(({ format }) => formats.includes(format))) return [];
    const named = formats.map((format) => formatNames[format]).join(' and ');
    return [unused(config, [...group, setting], `holds for ${named} only, so it has no effect`)];
  });
}

function unused({ name }: FileSourceConfig, path: readonly string[], said: string, remedy?: string): UnusedSetting {
  const message = `Data source ${name}: ${path.join('.')} ${said}.`;
  return { path: [name, ...path], message: remedy === undefined ? message : `${message} ${remedy}` };
}
