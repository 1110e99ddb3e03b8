import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImportSummary, importSummary } from '../../server/src/cli/import-summary.ts';
import { importGraph, type ImportGraphOptions } from '../../server/src/operations/imports/import-graph.ts';
import { openStore, type StoreReader } from '../../server/src/store/duckdb-store.ts';
import { type GraphFile, type ProjectContext, readGraphFile } from '../../server/src/project/open-project.ts';
import type { BuildRequest } from '../../protocol/import-request.ts';
import type { PostgresAccess } from './postgres.ts';
import { folderWith, removeFolder, writeFiles } from './temporary-folder.ts';
import { type ThinImport, thinImport } from './thin-import.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

export type Cell = string | number | boolean | null;

/** A project in a temporary folder for repeated imports. */
export interface ImportedProject {
  readonly folder: string;
  /** Resolves to the summary of the command line. */
  import(options?: Partial<ImportGraphOptions>): Promise<ImportSummary>;
  /** Passes `use` the last imported graph. */
  read<T>(use: (store: StoreReader) => Promise<T>): Promise<T>;
  /** Rows of a query over the graph last imported; 64-bit integers are texts. */
  rows(sql: string): Promise<readonly (readonly Cell[])[]>;
  /** Rows of several queries: opening the graph costs more than most of them. */
  rowsOfAll(queries: readonly string[]): Promise<readonly (readonly (readonly Cell[])[])[]>;
  write(files: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * Passes `use` a project with these files, whose imports are those of users: stored, with row cache and status. The graph
 * is `graph.entity.yaml`. Most tests need only what a graph contains: `withGraph` takes a fraction of the time.
 */
export async function withProject<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (project: ImportedProject) => Promise<T>,
): Promise<T> {
  const folder = await folderWith(files);
  const stored = storedGraph();
  try {
    return await use({
      ...readsGraph(folder, stored.read),
      async import(options = {}) {
        const [file, projectContext] = await graphOf(folder);
        const { signal } = new AbortController();
        const importing = importGraph(file, projectContext, { onProgress: () => undefined, signal, ...options });
        const summary = importSummary(await importing);
        if (summary.store !== undefined) await stored.show(summary.store);
        return summary;
      },
    });
  } finally {
    await stored.close();
    await removeFolder(folder);
  }
}

/** A project with these files, imported once, for all tests of the suite that calls this. */
export function importedForSuite(files: Readonly<Record<string, string>>): () => ImportedProject {
  let imported: ImportedProject | undefined;
  let end: () => void = () => undefined;
  let used: Promise<void> = Promise.resolve();
  before(
    () =>
      new Promise<void>((resolve, reject) => {
        used = withProject(files, async (project) => {
          await project.import();
          imported = project;
          resolve();
          await new Promise<void>((ended) => (end = ended));
        });
        used.catch(reject);
      }),
  );
  after(async () => {
    end();
    await used;
  });
  return () => {
    if (!imported) throw new Error('The project is there when the tests run.');
    return imported;
  };
}

/** The graph that was imported last. It stays open between reads: opening it takes longer than most queries. */
function storedGraph() {
  let path = '';
  let opened: { readonly reader: Promise<StoreReader>; readonly state: string } | undefined;
  const close = async (): Promise<void> => {
    const before = opened;
    opened = undefined;
    await (await before?.reader)?.close();
  };
  return {
    close,
    async show(store: string) {
      await close();
      path = store;
    },
    async read<T>(use: (store: StoreReader) => Promise<T>): Promise<T> {
      // Tests write to it, too.
      const { ino, mtimeMs, size } = await stat(path);
      const state = [ino, mtimeMs, size].join();
      if (opened?.state !== state) await close();
      opened ??= { reader: openStore(path), state };
      return use(await opened.reader);
    },
  };
}

/**
 * Passes `use` a project like `withProject`, but its graph is imported in memory, once: for tests of values, keys, order,
 * names, rules and messages. Tests of files, row caches, several imports and commands need `withProject`.
 * @param options `map` builds the process map, too
 */
export async function withGraph<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (project: GraphInMemory) => Promise<T>,
  { map = false }: { readonly map?: boolean } = {},
): Promise<T> {
  const folder = await folderWith(files);
  let imported: ThinImport | undefined;
  try {
    return await use({
      ...readsGraph(folder, async (useStore) => {
        if (!imported?.store) throw new Error('There is no imported graph.');
        return useStore(imported.store);
      }),
      async import({ request } = {}) {
        if (imported?.store) throw new Error('A graph in memory is imported once: use withProject.');
        const [file, projectContext] = await graphOf(folder);
        imported = await thinImport(file, projectContext, { request, map });
        return importSummary(imported.outcome);
      },
    });
  } finally {
    await imported?.close();
    await removeFolder(folder);
  }
}

type Reads = Pick<ImportedProject, 'folder' | 'read' | 'rows' | 'rowsOfAll' | 'write'>;

/** An imported graph, stored or in memory. */
export type ReadGraph = Pick<ImportedProject, 'read' | 'rows' | 'rowsOfAll'>;

/** A project whose graph is imported in memory. */
export interface GraphInMemory extends Reads {
  /** Resolves to the summary of the command line. */
  import(options?: { readonly request?: BuildRequest }): Promise<ImportSummary>;
}

function readsGraph(folder: string, read: ImportedProject['read']): Reads {
  return {
    folder,
    read,
    rows: (sql) => read(async (reader) => (await reader.table(sql)).rows),
    rowsOfAll: (queries) => read((reader) => Promise.all(queries.map(async (sql) => (await reader.table(sql)).rows))),
    write: (more) => writeFiles(folder, more),
  };
}

async function graphOf(folder: string): Promise<readonly [GraphFile, ProjectContext]> {
  const projectContext: ProjectContext = {
    permitUses: permitAllUses,
    readSecret: async () => 'postgres',
    environment: process.env,
    workspaceFolderOf: () => folder,
  };
  return [await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext), projectContext];
}

/** A sources file whose source `shop` reads the CSV files of the folder. */
export function csvSources(settings = ''): string {
  return `version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv"${settings} }\n`;
}

/** A sources file whose source `shop` is a database of the test server. */
export function postgresqlSources(server: PostgresAccess, database: string, settings = ''): string {
  const { host, port, user, password } = server;
  return `version: 1
dataSources:
  shop: { kind: postgresql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${JSON.stringify(password)}${settings} }
`;
}

/** An entity graph over the source `shop`. */
export function graphText(elements: string, relationships = ''): string {
  const list = relationships === '' ? '' : `relationships:\n${relationships}`;
  return `version: 1\nname: Test\ndataSource: shop\nelements:\n${elements}${list}`;
}
