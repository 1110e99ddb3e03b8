import { stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { globToRegExp, isGlob, splitGlob } from '../files/glob.ts';
import { fileReceiver, staysOnThisMachine } from '../connectors/receiver.ts';
import { sourceKind } from '../connectors/source-kinds.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import { referencesIn } from '../model/value-references.ts';

/** Location of files that a source reads: a folder and a glob, or a file name. */
export interface FilePlace {
  /** Absolute. */
  readonly folder: string;
  /** Relative to the folder, with forward slashes: `*`, `?`, `**`, `{a,b}`. It may match more than the source reads. */
  readonly glob: string;
  /** Only creation and deletion of folders matter here, not changes of files. */
  readonly comesAndGoes?: true;
}

/** The local files of a data source. */
export interface SourceFiles {
  readonly places: readonly FilePlace[];
  /** Absolute paths of files named without wildcards. */
  readonly named: readonly string[];
  /** Whether a path is one of them, or a folder that may contain them. A deleted path may be either. */
  concerns(path: string): boolean;
}

/**
 * The local files of a source: data files, and an OpenAPI document with its known references. None when their paths
 * depend on a secret. Reads nothing.
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

/** Whether a file named without wildcards has changed since a time, in milliseconds since 1970. */
export async function haveChangedSince({ named }: SourceFiles, timeMs: number): Promise<boolean> {
  const times = named.map((path) =>
    stat(path).then(
      // A file moved here keeps its modification time, so the change time counts too.
      ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs),
      () => -Infinity,
    ),
  );
  return (await Promise.all(times)).some((each) => each >= timeMs);
}

/** None when the path depends on a secret, or refers to another machine: the background never prompts. */
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
  // Braces may be part of a file name, such as `export{1}.csv`.
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

/** Globs of the folders between the root of a glob and its files, outermost first. */
function folderGlobs(glob: string): readonly string[] {
  const parts = glob.split('/').slice(0, -1);
  const globs = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  // `**` matches everything below.
  const deep = globs.findIndex((each) => each.endsWith('**'));
  return deep < 0 ? globs : globs.slice(0, deep + 1);
}

/** Creating, deleting or renaming a folder affects its files without separate events. */
function foldersBetween(top: string, folder: string): readonly FilePlace[] {
  if (isSame(folder, top) || isAbove(folder, top)) return [];
  const parent = dirname(folder);
  const place = { folder: parent, glob: literal(basename(folder)) };
  return isAbove(top, parent) ? [...foldersBetween(top, parent), place] : [place];
}

/** Escapes wildcards in a name; `?` also replaces characters that are special in some editors. */
function literal(name: string): string {
  return name.replace(/[*?{}[\]]/g, '?');
}

function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

function isSame(one: string, other: string): boolean {
  return process.platform === 'win32' ? one.toLowerCase() === other.toLowerCase() : one === other;
}

/** Whether a folder contains a path, at any depth. */
function isAbove(folder: string, path: string): boolean {
  const start = folder.endsWith(sep) ? folder : folder + sep;
  return isSame(path.slice(0, start.length), start) && path.length > start.length;
}
