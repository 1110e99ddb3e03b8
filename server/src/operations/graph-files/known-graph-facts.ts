import { factsFile } from '../../files/facts-file.ts';
import { type UserCacheFile, readUserCache, writeUserCache } from '../../files/user-cache-file.ts';
import type { GraphBasics } from './graph-problem.ts';

/** The facts that a listing shows from the text of an entity graph. */
export interface GraphFacts extends GraphBasics {
  readonly name: string | undefined;
  readonly dataSources: readonly string[];
}

/** Facts of the files of a folder that an earlier run of the program parsed. */
export interface KnownGraphFacts {
  /** The facts of a file, if it had this text when they were remembered. */
  of(file: string, hash: string): GraphFacts | undefined;
  remember(file: string, hash: string, facts: GraphFacts): void;
  /** Writes the facts of existing files for the next run, if they changed. Never throws. */
  keep(present: readonly string[]): void;
}

/** A few graphs are parsed faster than users notice. */
const fewGraphs = 20;

/**
 * Opens the facts of a folder in the user's cache folder.
 * @param program identifies the version of the parser: another version may read a text differently.
 */
export function createKnownGraphFacts(
  folder: string,
  program: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): KnownGraphFacts {
  const cache = factsFile({ kind: 'graphs', about: [folder], program }, environment);
  const facts = new Map(cache && readFacts(cache));
  let isChanged = false;
  return {
    of(file, hash) {
      const known = facts.get(file);
      return known?.hash === hash ? known : undefined;
    },
    remember(file, hash, { name, dataSources, dataSource, mistake }) {
      facts.set(file, { hash, name, dataSources, dataSource, mistake });
      isChanged = true;
    },
    keep(present) {
      const there = new Set(present);
      for (const file of facts.keys()) if (!there.has(file)) isChanged = facts.delete(file);
      if (!cache || !isChanged || facts.size < fewGraphs) return;
      isChanged = false;
      writeUserCache(cache, Buffer.from(JSON.stringify([...facts])));
    },
  };
}

type Facts = GraphFacts & { readonly hash: string };

function readFacts(cache: UserCacheFile): readonly (readonly [string, Facts])[] {
  const bytes = readUserCache(cache);
  // A cache file is trusted: it has a digest of its content, and only this program writes it.
  return bytes ? (JSON.parse(bytes.toString('utf8')) as readonly (readonly [string, Facts])[]) : [];
}
