import { createDebouncer } from '../../../../protocol/debouncer.ts';
import { type UseMemory, findSourceUses } from '../../project/find-source-uses.ts';
import type { ProjectSurroundings } from '../../project/open-project.ts';
import type { OpenDocument, OpenDocuments, OpenSources } from '../documents/open-documents.ts';

/** Which data sources the entity graphs of the open folders read, found in the background for the sources files that are open. */
export interface SourceUses {
  /** Names of the sources that graphs read; undefined until all graphs are known. No I/O. */
  of(document: OpenSources): ReadonlySet<string> | undefined;
  /** A document was opened or changed; costs nothing when it reads the same source as before. */
  documentChanged(document: OpenDocument): void;
  documentClosed(uri: string): void;
  /** Graphs, sources files or folders came, went or changed outside of the editor's documents. */
  filesChanged(): void;
}

export interface SourceUsesSurroundings {
  readonly documents: OpenDocuments;
  readonly project: ProjectSurroundings;
  readonly background: (work: () => Promise<void>) => void;
  /** What is said of a sources file has changed. */
  readonly onChanged: (uri: string) => void;
}

/** How long changes gather before graphs are looked at again. */
const debounceMs = 200;

export function createSourceUses({ documents, project, background, onChanged }: SourceUsesSurroundings): SourceUses {
  const memory: UseMemory = new Map();
  const known = new Map<string, ReadonlySet<string> | undefined>();
  /** The source that each open graph named last. */
  const named = new Map<string, string | undefined>();
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
      // Outside the open folders nobody knows how much there is to look through.
      if (kind !== 'sources' || path === undefined || project.workspaceFolderOf?.(path) === undefined) continue;
      const found = await findSourceUses(path, project, memory);
      // What a later round finds is newer.
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
      const name = document.parsed.graph.dataSource?.value;
      if (!document.isNew && named.get(document.uri) === name) return;
      named.set(document.uri, name);
      later();
    },
    documentClosed(uri) {
      known.delete(uri);
      // Unsaved changes went with it.
      if (named.delete(uri)) later();
    },
    filesChanged: later,
  };
}

function isSame(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean {
  if (!one || !other) return one === other;
  return one.size === other.size && [...one].every((name) => other.has(name));
}
