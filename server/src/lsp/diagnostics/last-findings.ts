import type { Finding } from '../../../../protocol/findings.ts';
import type { ImportedFindings } from '../../language/imported-findings.ts';
import { mostSearchedEvents } from '../../operations/stored-graphs/most-searched-events.ts';
import type { SourcesFile } from '../../project/open-project.ts';
import type { OpenGraph } from '../documents/open-documents.ts';

/** Looks for what is odd in the data of the last imports of open graphs, in another process and after the import. */
interface LastFindings {
  /** No I/O; undefined if unknown. */
  known(uri: string): ImportedFindings | undefined;
  /** Searches the last import of a graph, once until it is outdated. Never rejects. */
  follow(graph: OpenGraph, sourcesFile: SourcesFile): Promise<void>;
  /** There may have been another import. */
  outdate(): void;
  forget(uri: string): void;
}

interface LastFindingsDependencies {
  /** Never rejects; undefined where the store cannot be read. */
  readonly find: (store: string, signal: AbortSignal) => Promise<readonly Finding[] | undefined>;
  readonly onChanged: (uri: string) => void;
}

export function createLastFindings({ find, onChanged }: LastFindingsDependencies): LastFindings {
  const known = new Map<string, ImportedFindings>();
  const searches = new Map<string, AbortController>();
  /** One store at a time: a search uses all processors. */
  let last: Promise<void> = Promise.resolve();

  async function search({ uri, path }: OpenGraph, sourcesFile: SourcesFile, search: AbortController): Promise<void> {
    if (path === undefined || search.signal.aborted) return;
    const { importedStore } = await import('../../operations/imports/imported-counts.ts');
    const imported = await importedStore(path, sourcesFile).catch(() => undefined);
    const isSearched = imported !== undefined && imported.events <= mostSearchedEvents;
    const found = isSearched ? await find(imported.store, search.signal) : undefined;
    // Another import, or the document was closed.
    if (search.signal.aborted) return;
    const before = known.get(uri);
    if (found && imported) {
      const { importedFindings } = await import('../../language/imported-findings.ts');
      known.set(uri, importedFindings(imported.text, found));
    } else known.delete(uri);
    if (known.has(uri) || before) onChanged(uri);
  }

  function stop(uri: string): void {
    searches.get(uri)?.abort();
    searches.delete(uri);
  }

  return {
    known: (uri) => known.get(uri),
    follow(graph, sourcesFile) {
      if (searches.has(graph.uri)) return Promise.resolve();
      const own = new AbortController();
      searches.set(graph.uri, own);
      last = last.then(() => search(graph, sourcesFile, own)).catch(() => undefined);
      return last;
    },
    outdate() {
      for (const uri of [...searches.keys()]) stop(uri);
    },
    forget(uri) {
      stop(uri);
      known.delete(uri);
    },
  };
}
