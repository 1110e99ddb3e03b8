import { stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { globToRegExp, isGlob, splitGlob } from '../connectors/csv/glob.ts';
import { fileReceiver, staysOnThisMachine } from '../connectors/receiver.ts';
import { sourceKind } from '../connectors/source-kinds.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import { referencesIn } from '../model/value-references.ts';

/** Where files are that a source reads: below a folder, by a glob, or one of them by its name. */
export interface FilePlace {
  /** Absolute. */
  readonly folder: string;
  /** Relative to the folder, with forward slashes: `*`, `?`, `**`, `{a,b}`. It may match more than the source reads. */
  readonly glob: string;
  /** Only what comes and goes there matters: folders of the files. What is written into others is not asked about. */
  readonly comesAndGoes?: true;
}

/** The files on this machine that a data source names. */
export interface SourceFiles {
  readonly places: readonly FilePlace[];
  /** Absolute paths of those that are named without wildcards. */
  readonly named: readonly string[];
  /** Whether a file is one of them, or a folder one that they may be in. What is gone may have been either. */
  concerns(path: string): boolean;
}

/**
 * The files that a source of a sources file names: data files, and an OpenAPI document with those that it leads to as far as the
 * catalog knows them. None where their paths cannot be told without asking for a secret. Reads nothing.
 */
export async function sourceFiles(
  source: DataSource,
  sourcesPath: string,
  environment: Readonly<Record<string, string | undefined>>,
  catalog?: Pick<Catalog, 'furtherFiles'>,
): Promise<SourceFiles> {
  const folder = dirname(sourcesPath);
  const { name = '', mayBeGlob = false } = sourceKind(source.kind?.value)?.fileSetting ?? {};
  const paths = [source.settings[name]]
    .flat()
    .flatMap((path) => (typeof path === 'string' ? filledPath(path, environment) : []));
  const named = paths.flatMap((path) => (isAddress(path) ? [] : filesOf(folder, path, mayBeGlob)));
  const files = [...named, ...(catalog?.furtherFiles ?? []).map((path) => oneFile(folder, path))];
  return {
    places: files.flatMap(({ places }) => places),
    named: files.flatMap((each) => each.named),
    concerns: (path) => files.some((each) => each.concerns(resolve(path))),
  };
}

/** Whether one of the files that are named without wildcards is other than it was at a time, in milliseconds since 1970. */
export async function haveChangedSince({ named }: SourceFiles, timeMs: number): Promise<boolean> {
  const times = named.map((path) =>
    stat(path).then(
      // An older file that takes the place of another keeps the time of its text.
      ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs),
      () => -Infinity,
    ),
  );
  return (await Promise.all(times)).some((each) => each >= timeMs);
}

/** None where it takes a secret to tell the path, or where its values would reach another machine: nobody is asked in the background. */
function filledPath(path: string, environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const references = referencesIn(path);
  if (references.length === 0) return path === '' ? [] : [path];
  if (references.some(({ kind, name }) => kind === 'secret' || environment[name] === undefined)) return [];
  const filled = path.replaceAll(/\$\{env:([^}]*)\}/g, (_, name: string) => environment[name.trim()] ?? '');
  return filled !== '' && staysOnThisMachine(fileReceiver('', filled)) ? [filled] : [];
}

function filesOf(folder: string, path: string, mayBeGlob: boolean): readonly SourceFiles[] {
  const slashed = path.replaceAll('\\', '/');
  if (!mayBeGlob || !isGlob(slashed)) return [oneFile(folder, path)];
  // Braces may also be part of a file's name, such as `export{1}.csv`.
  const mayBeName = slashed.includes('{') && !isGlob(dirname(slashed));
  return [globFiles(folder, path), ...(mayBeName ? [oneFile(folder, path)] : [])];
}

function oneFile(folder: string, path: string): SourceFiles {
  const file = resolve(folder, path);
  const places = [{ folder: dirname(file), glob: literal(basename(file)) }, ...foldersBetween(folder, dirname(file))];
  return { places, named: [file], concerns: (other) => isSame(other, file) || isAbove(other, file) };
}

function globFiles(folder: string, glob: string): SourceFiles {
  const { root, rest } = splitGlob(folder, glob);
  const folders = folderGlobs(rest);
  const expressions = [rest, ...folders].map(globToRegExp);
  const place = (each: string): FilePlace => ({ folder: root, glob: each.replace(/[[\]]/g, '?') });
  return {
    places: [
      place(rest),
      ...folders.map((each): FilePlace => ({ ...place(each), comesAndGoes: true })),
      ...foldersBetween(folder, root),
    ],
    named: [],
    concerns(path) {
      if (isSame(path, root) || isAbove(path, root)) return true;
      const below = relative(root, path).replaceAll(sep, '/');
      return expressions.some((expression) => expression.test(below));
    },
  };
}

/** What matches the folders between the root of a glob and its files, the outermost first. */
function folderGlobs(glob: string): readonly string[] {
  const parts = glob.split('/').slice(0, -1);
  const globs = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  // Behind `**` there is nothing that it does not match.
  const deep = globs.findIndex((each) => each.endsWith('**'));
  return deep < 0 ? globs : globs.slice(0, deep + 1);
}

/** A folder that comes, goes or is renamed takes its files along, and is all that is told of them. */
function foldersBetween(top: string, folder: string): readonly FilePlace[] {
  if (isSame(folder, top) || isAbove(folder, top)) return [];
  const parent = dirname(folder);
  const place = { folder: parent, glob: literal(basename(folder)) };
  return isAbove(top, parent) ? [...foldersBetween(top, parent), place] : [place];
}

/** A name in which nothing is a wildcard; `?` also stands for signs that are one in some editors. */
function literal(name: string): string {
  return name.replace(/[*?{}[\]]/g, '?');
}

function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

function isSame(one: string, other: string): boolean {
  return process.platform === 'win32' ? one.toLowerCase() === other.toLowerCase() : one === other;
}

/** Whether a folder holds a path, at any depth. */
function isAbove(folder: string, path: string): boolean {
  const start = folder.endsWith(sep) ? folder : folder + sep;
  return isSame(path.slice(0, start.length), start) && path.length > start.length;
}
