import { basename, isAbsolute, relative, sep } from 'node:path';
import type { UndescribedObject } from '../../catalog/catalog.ts';
import { globToRegExp } from '../../files/glob.ts';
import { type SourceError, errorOfSource } from '../source-error.ts';
import { hiveFolder, tableOfFolder } from './hive-folders.ts';
import type { FileObject, SourceFile } from './inspected-file.ts';
import { foldedName } from './json-types.ts';
import type { FileSourceConfig } from './read-settings.ts';

/**
 * The data objects of files: each entry of the setting `parts` is one, each folder that is divided by values in names of
 * folders (`sales/dt=2024-01-01/…`), and each other file. Throws `source-config` for a file in two entries, and for
 * files of several formats or in unlike folders.
 */
export function groupParts(config: FileSourceConfig, files: readonly SourceFile[]): readonly FileObject[] {
  const owners = new Map<SourceFile, string>();
  const grouped: FileObject[] = [];
  for (const [name, patterns] of config.parts) {
    const isPart = matcher(config.folder, patterns);
    const parts = files.filter(({ path }) => isPart(path));
    for (const part of parts) {
      const owner = owners.get(part);
      if (owner !== undefined) throw partOfTwo(config, part, owner, name);
      owners.set(part, name);
    }
    if (parts.length > 0) grouped.push(objectOfParts(config, name, parts, `parts.${name}`));
  }
  const tables = new Map<string, SourceFile[]>();
  for (const file of files) {
    const found = owners.has(file) ? undefined : hiveFolder(file.path, config.folder);
    // Without a folder of its own, the table would be called after that of the project.
    if (!found || found.root === config.folder) continue;
    owners.set(file, found.root);
    const parts = tables.get(found.root);
    if (parts) parts.push(file);
    else tables.set(found.root, [file]);
  }
  for (const [root, parts] of tables) grouped.push(objectOfParts(config, tableOfFolder(root), parts, 'path'));
  const single = files.filter((file) => !owners.has(file));
  return [...single, ...grouped].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** @param setting which selects the parts, for errors */
function objectOfParts(
  config: FileSourceConfig,
  name: string,
  files: readonly SourceFile[],
  setting: string,
): FileObject {
  const parts = files.map((file): SourceFile => {
    const folders = hiveFolder(file.path, config.folder)?.values;
    return { ...file, ...(folders && { folders }) };
  });
  const [first] = parts;
  if (!first) throw new Error('A data object has at least one part.');
  const book = parts.find(({ format }) => format.kind === 'workbook');
  if (book) throw workbookAsPart(config, book, name, setting);
  const other = parts.find(({ format }) => format.kind !== first.format.kind);
  if (other) throw otherFormat(config, first, other, name, setting);
  const foldersOf = ({ folders = [] }: SourceFile): string => folders.map((each) => each.name).join('=…/');
  const elsewhere = parts.find((part) => foldersOf(part) !== foldersOf(first));
  if (elsewhere) throw otherFolders(config, first, elsewhere, name, setting);
  const names = (first.folders ?? []).map((each) => foldedName(each.name));
  const twice = first.folders?.find((_, index) => names.indexOf(names[index] ?? '') < index);
  if (twice) throw folderTwice(config, first, twice.name);
  return { name, path: first.path, format: first.format, parts };
}

/** Only one of the values would be in the column. */
function folderTwice(config: FileSourceConfig, { path }: SourceFile, name: string): SourceError {
  const said = `${path} is in two folders with the name ${name} before the =, in any case of letters.`;
  return errorOfSource(config.name, 'source-config', said, { file: path, remedy: 'Rename one of the folders.' });
}

/** The entries of the setting `parts` without files, with the reason. */
export function objectsWithoutParts(
  { parts }: FileSourceConfig,
  objects: readonly FileObject[],
): readonly UndescribedObject[] {
  const found = new Set(objects.flatMap((object) => (object.parts ? [object.name] : [])));
  return [...parts].flatMap(([name, patterns]) => {
    if (found.has(name)) return [];
    const reason = `No file that path names matches ${patterns.join(', ')}: correct parts.${name} or path in the data sources file.`;
    return [{ name, reason }];
  });
}

/** Absolute patterns match the path, others with a folder the path from that of the sources file, others the file name. */
function matcher(folder: string, patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map((pattern) => {
    const slashed = pattern.replaceAll('\\', '/').replace(/^\.\//, '');
    const expression = globToRegExp(slashed);
    const textOf = isAbsolute(pattern)
      ? (path: string) => path
      : slashed.includes('/')
        ? (path: string) => relative(folder, path)
        : basename;
    return (path: string): boolean => {
      const text = textOf(path).split(sep).join('/');
      return text === slashed || expression.test(text);
    };
  });
  return (path) => tests.some((test) => test(path));
}

function partOfTwo(config: FileSourceConfig, { path }: SourceFile, one: string, other: string): SourceError {
  const said = `${path} is a part of ${one} and of ${other}, as parts says.`;
  return errorOfSource(config.name, 'source-config', said, {
    file: path,
    remedy: `Narrow parts.${one} or parts.${other} in the data sources file.`,
  });
}

function workbookAsPart(config: FileSourceConfig, { path }: SourceFile, name: string, setting: string): SourceError {
  const said = `${path} would be a part of ${name}, but a workbook cannot be one: each of its sheets is a data object.`;
  return errorOfSource(config.name, 'source-config', said, {
    file: path,
    remedy:
      setting === 'path'
        ? 'Save its sheets as CSV, or move the workbook out of the folders with = in their names.'
        : `Save its sheets as CSV, or narrow ${setting} in the data sources file.`,
  });
}

function otherFormat(
  config: FileSourceConfig,
  one: SourceFile,
  { path }: SourceFile,
  name: string,
  setting: string,
): SourceError {
  const said = `${path} and ${one.path} are of two formats, and cannot both be parts of ${name}.`;
  return errorOfSource(config.name, 'source-config', said, {
    file: path,
    remedy: `Narrow ${setting} in the data sources file.`,
  });
}

function otherFolders(
  config: FileSourceConfig,
  one: SourceFile,
  { path }: SourceFile,
  name: string,
  setting: string,
): SourceError {
  const said = `${path} and ${one.path} are parts of ${name}, but are in folders with other names before the =.`;
  return errorOfSource(config.name, 'source-config', said, {
    file: path,
    remedy: `Move the files into folders with the same names, or narrow ${setting} in the data sources file.`,
  });
}
