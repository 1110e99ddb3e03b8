import { basename } from 'node:path';
import type { UnusedSetting } from '../../catalog/catalog.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import { type InspectedFile, type SourceFile, filesOnDisk } from './inspected-file.ts';
import { type FileOptions, type FileSourceConfig, tableKey } from './read-settings.ts';

/**
 * Settings that name a file or a column that the source does not have.
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
    columns: [...file.plan.columns, ...(file.folderColumns ?? [])].map(({ name }) => name),
  }));
  // The types of a file replace those of the source.
  const ofSource = files.filter((file) => file.names.every((name) => config.files.get(name)?.types === undefined));
  const ofFiles = [...config.files].flatMap(([name, options]) => {
    if (!names.includes(name)) return [unused(config, ['files', name], 'names no file of the source')];
    const file = files.filter((each) => each.names.includes(name));
    return file.length === 0 ? [] : unusedTypes(config, ['files', name], options, file);
  });
  return [...(areAll ? unusedTypes(config, [], config.options, ofSource) : []), ...ofFiles];
}

/** The names of a file, or of a table of a workbook, in the setting `files`. */
export function settingNames({ path, table }: SourceFile): readonly string[] {
  return table ? [basename(path), tableKey(path, table.name)] : [basename(path)];
}

interface FileColumns {
  readonly names: readonly string[];
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

function unused({ name }: FileSourceConfig, path: readonly string[], said: string, remedy?: string): UnusedSetting {
  const message = `Data source ${name}: ${path.join('.')} ${said}.`;
  return { path: [name, ...path], message: remedy === undefined ? message : `${message} ${remedy}` };
}
