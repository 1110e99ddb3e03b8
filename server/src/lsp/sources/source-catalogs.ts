import { resolve } from 'node:path';
import type { Failure } from '../../../../protocol/query-results.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { settingsHash } from '../../project/catalog-cache.ts';
import type { SourcesFile } from '../../project/open-project.ts';
import { haveChangedSince, sourceFiles } from '../../project/source-files.ts';
import type { Services } from '../../services.ts';

/** What is known of a source's tables now. */
export interface KnownCatalog {
  readonly catalog?: Catalog;
  /** Why there is none, one or two sentences for the user; absent while it is being read. */
  readonly unknownBecause?: string;
  /** What stopped the source from being read, for surfaces that show sources rather than graphs. */
  readonly failure?: Failure;
}

/** The catalogs in memory, each read once in the background. */
export interface SourceCatalogs {
  /** No I/O: what a keystroke may use. */
  known(key: string): KnownCatalog;
  /** Reads a catalog that is not in memory, without ever asking the user; resolves when it is known why or what. */
  load(key: string, sourcesFile: SourcesFile, source: DataSource, mayConnect: boolean): Promise<void>;
  /** Reads a catalog that was not found before, now that its source may be reached. */
  loadMissing(key: string, sourcesFile: SourcesFile, source: DataSource): Promise<void>;
  /** Takes over what a user's operation has just read of a source. */
  reload(key: string, sourcesFile: SourcesFile, source: DataSource): Promise<void>;
  /** Reads a catalog again that is in memory, where files that its source names may have changed on disk. */
  reread(key: string, sourcesFile: SourcesFile, source: DataSource, mayConnect: boolean): Promise<void>;
  /** Reads the source itself anew. Rejects with a `SourceError`. */
  refresh(key: string, sourcesFile: SourcesFile, source: DataSource, signal: AbortSignal): Promise<Catalog>;
  clear(): void;
}

export interface CatalogSurroundings {
  /** Loads the engine on first use. */
  readonly services: () => Promise<Services>;
  /** Whether a source can be reached without a question to the user. */
  readonly secretsAreKnown: (sourcesFile: SourcesFile, source: DataSource) => Promise<boolean>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Something else is known of a source of the file at that path. */
  readonly onChanged: (sourcesPath: string) => void;
}

/** Other settings, other catalog: an edited source is never checked against the columns of the one before. */
export function catalogKey({ path }: Pick<SourcesFile, 'path'>, source: DataSource): string {
  return JSON.stringify([resolve(path), source.name.value, settingsHash(source)]);
}

export function createSourceCatalogs(surroundings: CatalogSurroundings): SourceCatalogs {
  const { services, secretsAreKnown, environment, onChanged } = surroundings;
  const known = new Map<string, KnownCatalog>();
  /** What is being read, each after the one before: what was asked for last is the newest. */
  const loading = new Map<string, Promise<void>>();

  function keep(key: string, { path }: SourcesFile, found: KnownCatalog): void {
    known.set(key, found);
    onChanged(path);
  }

  function isOutdated(sourcesFile: SourcesFile, source: DataSource, catalog: Catalog): Promise<boolean> {
    const readAt = Date.parse(catalog.readAt);
    // The clock has been set back since: times of files say nothing.
    if (readAt > Date.now()) return Promise.resolve(true);
    const files = sourceFiles(source, sourcesFile.path, environment, catalog);
    return files.then((named) => haveChangedSince(named, readAt));
  }

  async function read(sourcesFile: SourcesFile, source: DataSource, mayConnect: boolean): Promise<KnownCatalog> {
    const name = source.name.value;
    try {
      const { catalogOf } = await services();
      if (sourceKind(source.kind?.value)?.capabilities.isAtHand)
        return present(await catalogOf(sourcesFile, name, { refresh: true }));
      const cached = await catalogOf(sourcesFile, name, { offline: true });
      const connects = mayConnect && (await secretsAreKnown(sourcesFile, source));
      if (cached && !(connects && (await isOutdated(sourcesFile, source, cached)))) return { catalog: cached };
      // What was known holds until the source can be read again.
      if (cached) return present(await catalogOf(sourcesFile, name, { refresh: true }).catch(() => cached));
      if (connects) return present(await catalogOf(sourcesFile, name));
      return {
        unknownBecause: `The tables of ${name} are not known yet. Run Refresh Catalog to check names and types.`,
      };
    } catch (error) {
      const { toFailure } = await import('../../operations/operation-error.ts');
      const failure = toFailure(error);
      return { unknownBecause: `Names and types are not checked: ${failure.message}`, failure };
    }
  }

  async function load(key: string, sourcesFile: SourcesFile, source: DataSource, mayConnect: boolean): Promise<void> {
    if (known.has(key)) return;
    await (loading.get(key) ?? loadAfter(Promise.resolve(), key, sourcesFile, source, mayConnect));
  }

  async function loadAfter(
    before: Promise<void>,
    key: string,
    sourcesFile: SourcesFile,
    source: DataSource,
    mayConnect: boolean,
  ): Promise<void> {
    const mine = before
      .then(() => read(sourcesFile, source, mayConnect))
      .then((found) => keep(key, sourcesFile, found));
    loading.set(key, mine);
    await mine;
    if (loading.get(key) === mine) loading.delete(key);
  }

  return {
    known: (key) => known.get(key) ?? {},
    load,
    async loadMissing(key, sourcesFile, source) {
      // What is being read without a connection finds nothing.
      await loading.get(key);
      if (known.get(key)?.catalog) return;
      known.delete(key);
      await load(key, sourcesFile, source, true);
    },
    async reload(key, sourcesFile, source) {
      if (known.get(key)?.catalog) return;
      const catalog = await (await services()).catalogOf(sourcesFile, source.name.value, { offline: true });
      if (catalog) keep(key, sourcesFile, { catalog });
    },
    async reread(key, sourcesFile, source, mayConnect) {
      const before = loading.get(key);
      if (!before && !known.has(key)) return;
      await loadAfter(before ?? Promise.resolve(), key, sourcesFile, source, mayConnect);
    },
    async refresh(key, sourcesFile, source, signal) {
      const { catalogOf } = await services();
      const catalog = await catalogOf(sourcesFile, source.name.value, { refresh: true, signal });
      if (!catalog) throw new Error(`The catalog of ${source.name.value} is empty.`);
      keep(key, sourcesFile, { catalog });
      return catalog;
    },
    clear: () => known.clear(),
  };
}

function present(catalog: Catalog | undefined): KnownCatalog {
  return catalog ? { catalog } : {};
}
