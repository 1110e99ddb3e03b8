import { basename, isAbsolute, relative, sep } from 'node:path';
import type { UndescribedObject } from '../../catalog/catalog.ts';
import { globToRegExp } from '../../files/glob.ts';
import { type SourceError, errorOfSource } from '../source-error.ts';
import { isDelimited } from './file-format.ts';
import type { FileObject, SourceFile } from './inspected-file.ts';
import type { FileSourceConfig } from './read-settings.ts';

/**
 * The data objects of files: each entry of the setting `parts` is one, and so is each other file. Throws
 * `source-config` for a file in two entries, or one that is not delimited text.
 */
export function groupParts(config: FileSourceConfig, files: readonly SourceFile[]): readonly FileObject[] {
  if (config.parts.size === 0) return files;
  const owners = new Map<SourceFile, string>();
  const grouped: FileObject[] = [];
  for (const [name, patterns] of config.parts) {
    const isPart = matcher(config.folder, patterns);
    const parts = files.filter(({ path }) => isPart(path));
    for (const part of parts) {
      const owner = owners.get(part);
      if (owner !== undefined) throw partOfTwo(config, part, owner, name);
      if (!isDelimited(part.format)) throw notText(config, part, name);
      owners.set(part, name);
    }
    const [first] = parts;
    if (!first) continue;
    grouped.push({ name, path: first.path, format: first.format, parts });
  }
  const single = files.filter((file) => !owners.has(file));
  return [...single, ...grouped].sort((left, right) => (left.path < right.path ? -1 : 1));
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

function notText(config: FileSourceConfig, { path }: SourceFile, name: string): SourceError {
  const said = `${path} cannot be a part of ${name}: parts are text files with delimiters, such as CSV and TSV.`;
  return errorOfSource(config.name, 'source-config', said, {
    file: path,
    remedy: `Narrow parts.${name} in the data sources file.`,
  });
}
