import { createDebouncer } from '../../../../protocol/debouncer.ts';
import type { DataSources } from '../../model/data-sources.ts';
import { type ReferenceNames, referenceNames } from '../../model/value-references.ts';
import { secretsInEnvironment } from '../../project/environment-secrets.ts';
import { listSourcesFiles } from '../../project/list-entity-files.ts';
import { type ProjectContext, readSourcesFile } from '../../project/open-project.ts';
import type { OpenDocument, OpenDocuments, OpenSources } from '../documents/open-documents.ts';

/** Names of secrets and environment variables for completion in a sources file, without values. */
export interface KnownReferences {
  /** Names in the other sources files of the workspace, then those of the environment. No I/O. */
  besides(document: OpenSources): ReferenceNames;
  documentChanged(document: OpenDocument): void;
  /** Sources files or folders changed outside of the editor. */
  filesChanged(): void;
}

interface KnownReferencesDependencies {
  readonly documents: OpenDocuments;
  readonly project: ProjectContext;
  readonly folders: () => readonly string[];
  readonly background: (work: () => Promise<void>) => void;
}

/** Debounce before the files are read again. */
const debounceMs = 200;

export function createKnownReferences(dependencies: KnownReferencesDependencies): KnownReferences {
  const { documents, project, folders, background } = dependencies;
  let onDisk: ReadonlyMap<string, ReferenceNames> = new Map();
  const reading = createDebouncer(debounceMs, () => background(look));

  /** Only needed while editing sources. */
  function later(): void {
    if (documents.all().some(({ kind }) => kind === 'sources')) reading.schedule();
    else reading.cancel();
  }

  async function look(): Promise<void> {
    const files = await Promise.all(folders().map((folder) => listSourcesFiles(folder).catch(() => [])));
    const found = [...new Set(files.flat())].map((path) => readSourcesFile(path, project).catch(() => undefined));
    const read = (await Promise.all(found)).filter((file) => file !== undefined);
    onDisk = new Map(read.map(({ path, sources }) => [path, namesIn(sources)]));
  }

  return {
    besides(document) {
      const open = documents.all().filter((other) => other.kind === 'sources' && other.uri !== document.uri);
      const opened = open.flatMap((other) => (other.kind === 'sources' ? [namesIn(other.parsed.sources)] : []));
      const saved = [...onDisk].flatMap(([path, names]) => (path === document.path ? [] : [names]));
      const written = [...opened, ...saved];
      const { environment } = project;
      return {
        secrets: unique([...written.flatMap(({ secrets }) => secrets), ...secretsInEnvironment(environment)]),
        variables: unique([...written.flatMap(({ variables }) => variables), ...Object.keys(environment).sort()]),
      };
    },
    documentChanged(document) {
      if (document.kind === 'sources' && document.isNew) later();
    },
    filesChanged: later,
  };
}

function namesIn({ sources }: DataSources): ReferenceNames {
  return referenceNames(sources.map(({ settings }) => settings));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
