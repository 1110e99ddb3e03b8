import type { Failure } from '../../../../protocol/query-results.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { catalogKey, isOutdated } from '../../project/catalog-freshness.ts';
import type { SourcesFile } from '../../project/open-project.ts';
import type { Services } from '../../services.ts';

/** The known catalog of a source. */
export interface KnownCatalog {
  readonly catalog?: Catalog;
  /** Why there is no catalog, in one or two sentences; absent while it is being read. */
  readonly unknownBecause?: string;
  /** The failure of reading the source, for views of sources. */
  readonly failure?: Failure;
}

/** Catalogs in memory, each read once in the background. */
export interface SourceCatalogs {
  /** No I/O, for use on each keystroke. */
  known(key: string): KnownCatalog;
  /** Reads a missing catalog without prompts; resolves when it is known or failed. */
  load(key: string, sourcesFile: SourcesFile, source: DataSource, mayConnect: boolean): Promise<void>;
  /** Retries a failed catalog. */
  loadMissing(key: string, sourcesFile: SourcesFile, source: DataSource): Promise<void>;
  /** Stores a catalog that a user action has read. */
  reload(key: string, sourcesFile: SourcesFile, source: DataSource): Promise<void>;
  /** Reads a known catalog again after files of its source may have changed. */
  reread(key: string, sourcesFile: SourcesFile, source: DataSource, mayConnect: boolean): Promise<void>;
  /** Reads the source itself again. Rejects with a `SourceError`. */
  refresh(key: string, sourcesFile: SourcesFile, source: DataSource, signal: AbortSignal): Promise<Catalog>;
}

export interface CatalogDependencies {
  /** Loads the engine on first use. */
  readonly services: () => Promise<Services>;
  /** Whether a source is usable without a prompt. */
  readonly secretsAreKnown: (sourcesFile: SourcesFile, source: DataSource) => Promise<boolean>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The catalog of a source in the file at this path changed. */
  readonly onChanged: (sourcesPath: string) => void;
}

export function createSourceCatalogs(dependencies: CatalogDependencies): SourceCatalogs {
  const { services, secretsAreKnown, environment, onChanged } = dependencies;
  const known = new Map<string, KnownCatalog>();
  /** Running reads, one after another: the last requested is the latest. */
  const loading = new Map<string, Promise<void>>();

  function keep(key: string, { path }: SourcesFile, found: KnownCatalog): void {
    known.set(key, found);
    onChanged(path);
  }

  async function read(sourcesFile: SourcesFile, source: DataSource, mayConnect: boolean): Promise<KnownCatalog> {
    const name = source.name.value;
    try {
      const { catalogOf } = await services();
      if (sourceKind(source.kind?.value)?.capabilities.isAtHand)
        return present(await catalogOf(sourcesFile, name, { refresh: true }));
      // Where the disk cache cannot be written, the catalog is in memory only.
      const inMemory = known.get(catalogKey(sourcesFile, source))?.catalog;
      const cached = (await catalogOf(sourcesFile, name, { offline: true })) ?? inMemory;
      const connects = mayConnect && (await secretsAreKnown(sourcesFile, source));
      if (cached && !(connects && (await isOutdated(sourcesFile, source, cached, environment))))
        return { catalog: cached };
      // The known catalog is kept until the source is readable again.
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
      // A read without a connection returns nothing.
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
  };
}

function present(catalog: Catalog | undefined): KnownCatalog {
  return catalog ? { catalog } : {};
}
