import { factsFile, thisProgram } from '../../files/facts-file.ts';
import { settledMs } from '../../files/file-stamp.ts';
import { readUserCache, writeUserCache } from '../../files/user-cache-file.ts';
import type { FileObject, InspectedFile } from './inspected-file.ts';
import type { FileSourceConfig } from './read-settings.ts';

/** Inspections of the parts of a data object, from one run of the program to the next. */
interface EarlierInspections {
  /** Adds the inspections of the previous run. Files may have changed since. */
  recall(inspected: Map<string, InspectedFile>): void;
  /** Writes the inspections of the parts for the next run, if they changed. Never throws. */
  keep(inspected: ReadonlyMap<string, InspectedFile>): void;
}

/** From this number on, all parts are inspected by equally many rows, also when further ones appear. */
const manyParts = 50;

/** Undefined for data objects of few parts, which are inspected quickly, and where no cache is possible. */
export function earlierInspections(
  { folder, options, files }: Pick<FileSourceConfig, 'folder' | 'options' | 'files'>,
  { name, parts = [] }: Pick<FileObject, 'name' | 'parts'>,
  program = thisProgram,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): EarlierInspections | undefined {
  if (parts.length < manyParts) return undefined;
  const settings = JSON.stringify([options, [...files]]);
  const cache = factsFile({ kind: 'files', about: [folder, name], program, settings }, environment);
  if (!cache) return undefined;
  const paths = new Set(parts.map(({ path }) => path));
  let before: string | undefined;
  return {
    recall(inspected) {
      const bytes = readUserCache(cache);
      if (!bytes) return;
      before = bytes.toString('utf8');
      // A cache file is trusted: it has a digest of its content, and only this program writes it.
      for (const [asked, found] of JSON.parse(before) as readonly Inspection[]) {
        if (!inspected.has(asked)) inspected.set(asked, found);
      }
    },
    keep(inspected) {
      const found = [...inspected].filter(
        ([, { path, changed }]) => paths.has(path) && Date.now() - changed > settledMs,
      );
      const now = JSON.stringify(found);
      if (now !== before) writeUserCache(cache, Buffer.from(now));
    },
  };
}

/** The request, and its result. */
type Inspection = readonly [asked: string, found: InspectedFile];
