import { basename, relative, sep } from 'node:path';
import { globToRegExp } from '../../files/glob.ts';
import { type SourceError, errorOfSource } from '../source-error.ts';
import { isDelimited } from './file-format.ts';
import type { FileObject, SourceFile } from './inspected-file.ts';
import type { FileSourceConfig } from './read-settings.ts';

/**
 * The data objects of files: those that the setting `parts` names are one together, each other file is one. Throws
 * `source-config` for a file of two data objects, or one that is not delimited text.
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
    // Copies of the parts are named after them.
    const named = parts.map((part, index) => ({ ...part, name: `${name}, part ${index + 1}` }));
    grouped.push({ name, path: first.path, format: first.format, parts: named });
  }
  const single = files.filter((file) => !owners.has(file));
  return [...single, ...grouped].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** The data objects of the setting `parts` that no file belongs to. */
export function objectsWithoutParts(config: FileSourceConfig, objects: readonly FileObject[]): readonly string[] {
  const found = new Set(objects.flatMap(({ name, parts }) => (parts ? [name] : [])));
  return [...config.parts.keys()].filter((name) => !found.has(name));
}

/** Patterns with a folder match the path from that of the sources file, others the name of the file. */
function matcher(folder: string, patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map((pattern) => {
    const slashed = pattern.replaceAll('\\', '/').replace(/^\.\//, '');
    const expression = globToRegExp(slashed);
    const hasFolder = slashed.includes('/');
    return (path: string): boolean => {
      const text = hasFolder ? relative(folder, path).split(sep).join('/') : basename(path);
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
