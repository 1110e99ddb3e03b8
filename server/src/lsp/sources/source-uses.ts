import { createDebouncer } from '../../../../protocol/debouncer.ts';
import { dataSourcesNamed } from '../../model/data-sources-used.ts';
import { type UseCache, findSourceUses } from '../../project/find-source-uses.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import type { OpenDocument, OpenDocuments, OpenSources } from '../documents/open-documents.ts';

/** The data sources used by the entity graphs of the workspace, determined in the background for open sources files. */
export interface SourceUses {
  /** Names of used sources; undefined until all graphs are known. No I/O. */
  of(document: OpenSources): ReadonlySet<string> | undefined;
  /** A document was opened or changed; cheap if it uses the same source. */
  documentChanged(document: OpenDocument): void;
  documentClosed(uri: string): void;
  /** Graphs, sources files or folders changed outside of the editor. */
  filesChanged(): void;
}

interface SourceUsesDependencies {
  readonly documents: OpenDocuments;
  readonly project: ProjectContext;
  readonly background: (work: () => Promise<void>) => void;
  /** The result for a sources file changed. */
  readonly onChanged: (uri: string) => void;
}

/** Debounce before graphs are scanned again. */
const debounceMs = 200;

export function createSourceUses({ documents, project, background, onChanged }: SourceUsesDependencies): SourceUses {
  const memory: UseCache = new Map();
  const known = new Map<string, ReadonlySet<string> | undefined>();
  /** The last known data sources of each open graph. */
  const named = new Map<string, readonly string[]>();
  const look = createDebouncer(debounceMs, () => background(lookAgain));
  let round = 0;

  function later(): void {
    if (documents.all().some(({ kind }) => kind === 'sources')) look.schedule();
    else look.cancel();
  }

  async function lookAgain(): Promise<void> {
    round += 1;
    const mine = round;
    for (const { uri, kind, path } of documents.all()) {
      // Folders outside of the workspace may be very large.
      if (kind !== 'sources' || path === undefined || project.workspaceFolderOf?.(path) === undefined) continue;
      const found = await findSourceUses(path, project, memory);
      // A concurrent later scan is newer.
      if (mine !== round) return;
      const before = known.get(uri);
      known.set(uri, found);
      if (!isSame(before, found)) onChanged(uri);
    }
  }

  return {
    of: ({ uri }) => known.get(uri),
    documentChanged(document) {
      if (document.kind === 'sources') {
        if (document.isNew) later();
        return;
      }
      if (document.kind === 'tests') return;
      const names = dataSourcesNamed(document.parsed.graph);
      const before = named.get(document.uri);
      if (!document.isNew && before?.length === names.length && before.every((name, index) => name === names[index]))
        return;
      named.set(document.uri, names);
      later();
    },
    documentClosed(uri) {
      known.delete(uri);
      // Unsaved changes are discarded with it.
      if (named.delete(uri)) later();
    },
    filesChanged: later,
  };
}

function isSame(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean {
  if (!one || !other) return one === other;
  return one.size === other.size && [...one].every((name) => other.has(name));
}
