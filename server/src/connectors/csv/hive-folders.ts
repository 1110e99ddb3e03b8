import { basename, dirname, sep } from 'node:path';
import type { PlanColumn } from './plan-types.ts';

/** A value in the name of a folder, such as `dt=2024-01-01`. */
export interface FolderValue {
  readonly name: string;
  /** Null for a missing value. */
  readonly value: string | null;
}

/** A column whose values are in the names of folders. */
export interface FolderColumn extends PlanColumn, FolderValue {}

/** The folder of a table that is divided by values, as Spark and Hive do, and the values of one file. */
interface HiveFolder {
  readonly root: string;
  /** From the outermost folder to the innermost. */
  readonly values: readonly FolderValue[];
}

/** The values in the names of the folders around a file, up to `folder`; undefined without any. */
export function hiveFolder(path: string, folder: string): HiveFolder | undefined {
  const values: FolderValue[] = [];
  let root = dirname(path);
  for (; root !== folder && root !== dirname(root); root = dirname(root)) {
    const [, name, value] = /^([^=]+)=([^]*)$/.exec(basename(root)) ?? [];
    if (name === undefined || value === undefined) break;
    values.unshift({ name: decoded(name), value: value === missing ? null : decoded(value) });
  }
  return values.length === 0 ? undefined : { root, values };
}

const missing = '__HIVE_DEFAULT_PARTITION__';

/** Signs that a folder name cannot have are written as in web addresses. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The name of the data object of a divided table: that of its folder, without a known extension. */
export function tableOfFolder(root: string): string {
  const name = root.slice(root.lastIndexOf(sep) + 1);
  return name.replace(/(.)\.(?:csv|tsv|parquet|json|jsonl|ndjson)$/i, '$1');
}

/** The name of a file in messages: files of divided folders mostly have one name, so these folders belong to it. */
export function shownName({ path, folders = [] }: PlacedFile): string {
  return path
    .split(sep)
    .slice(-1 - folders.length)
    .join('/');
}

interface PlacedFile {
  readonly path: string;
  readonly folders?: readonly FolderValue[] | undefined;
}

/** The type of values in names of folders, which are texts: whole numbers, dates and times in ISO 8601, else texts. */
export function folderType(values: readonly (string | null)[]): string {
  const texts = values.filter((value) => value !== null);
  const are = (test: (text: string) => boolean): boolean => texts.length > 0 && texts.every(test);
  if (are((text) => /^(?:0|-?[1-9]\d{0,17})$/.test(text))) return 'BIGINT';
  if (are(isIsoDate)) return 'DATE';
  return are((text) => isIsoDate(text) || isIsoTime(text)) ? 'TIMESTAMP' : 'VARCHAR';
}

function isIsoDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isIsoTime(text: string): boolean {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)$/.exec(text) ?? [];
  return date !== undefined && isIsoDate(date) && !Number.isNaN(Date.parse(`${date}T${time}Z`));
}
