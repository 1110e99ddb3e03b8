import type { CatalogState } from '../../../../protocol/catalog-state.ts';
import type { Failure } from '../../../../protocol/query-results.ts';
import type { Catalog, ProposedType } from '../../catalog/catalog.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { catalogKey, isOutdated } from '../../project/catalog-freshness.ts';
import type { SourcesFile } from '../../project/open-project.ts';
import { withPlace } from './place-of-failure.ts';
import type { Services } from '../../services.ts';

/** The known catalog of a source. */
export interface KnownCatalog {
  readonly catalog?: Catalog;
  /** Why there is no catalog, in one or two sentences; absent while it is being read. */
  readonly unknownBecause?: string;
  /** The failure of reading the source, for views of sources. */
  readonly failure?: Failure;
  /** Set while the source is being read. */
  readonly reading?: CatalogReading;
}

/** A source that is being read. */
interface CatalogReading {
  readonly dataSource: string;
  /** The latest step, such as `Connecting to db.example:5432`. */
  readonly step: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
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
  /** Adds the proposal of a failed import to a known catalog, until it is read again or the settings change. */
  propose(key: string, sourcesFile: Pick<SourcesFile, 'path'>, proposed: ProposedType): void;
  /** Whether a read is running or waiting for one. */
  isLoading(key: string): boolean;
  /** Resolves when a running read has ended, with its failure; at once when none is running. Never rejects. */
  whenRead(key: string): Promise<Failure | undefined>;
  /** Calls `onStep` with each step of reading a source while work runs; at once with the step of a running read. */
  withSteps<T>(key: string, onStep: (step: string) => void, work: () => Promise<T>): Promise<T>;
  /** Sends the state of a running read again, for a view that was opened meanwhile. */
  repeatState(key: string): void;
  /** Cancels the read of the source for all requests that wait for it. */
  stop(key: string): void;
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
  /** The state of a catalog changed. */
  readonly onState: (key: string, sourcesPath: string, dataSource: string, state: CatalogState) => void;
}

// eslint-disable-next-line max-lines-per-function -- Each answer looks at several of its four maps (catalogs, loads, readings, listeners) by one key; reading and refreshing are the long ones.
export function createSourceCatalogs(dependencies: CatalogDependencies): SourceCatalogs {
  const { services, secretsAreKnown, environment, onChanged, onState } = dependencies;
  const known = new Map<string, KnownCatalog>();
  /** Running reads, one after another: the last requested is the latest. */
  const loading = new Map<string, Promise<void>>();

  /** By key: the sources that are being read. */
  const readings = new Map<string, Reading>();
  /** By key: requests that wait for a source, and report its steps. */
  const listeners = new Map<string, Set<(step: string) => void>>();

  function begin(key: string, { path }: SourcesFile, source: DataSource): Reading {
    const dataSource = source.name.value;
    const startedAt = Date.now();
    let settle: (failure: Failure | undefined) => void = () => undefined;
    const reading: Reading = {
      abort: new AbortController(),
      ended: new Promise((resolve) => (settle = resolve)),
      now: { dataSource, step: `Reading ${dataSource}`, startedAt },
      isTold: false,
      tell(step) {
        reading.now = { dataSource, step, startedAt };
        reading.isTold = true;
        for (const listen of listeners.get(key) ?? []) listen(step);
        onState(key, path, dataSource, { kind: 'reading', dataSource, step, elapsedMs: Date.now() - startedAt });
      },
      end(failed) {
        settle(failed);
        if (readings.get(key) !== reading) return;
        readings.delete(key);
        if (!reading.isTold) return;
        const { catalog, failure } = known.get(key) ?? {};
        if (catalog) onState(key, path, dataSource, { kind: 'known' });
        else if (failure) onState(key, path, dataSource, { kind: 'failed', error: failure });
      },
    };
    readings.set(key, reading);
    return reading;
  }

  function keep(key: string, { path }: Pick<SourcesFile, 'path'>, found: KnownCatalog): void {
    known.set(key, found);
    onChanged(path);
  }

  async function read(
    sourcesFile: SourcesFile,
    source: DataSource,
    mayConnect: boolean,
    reading: Reading,
  ): Promise<KnownCatalog> {
    const name = source.name.value;
    const { signal } = reading.abort;
    const fromSource = { signal, onProgress: reading.tell };
    try {
      const { catalogOf } = await services();
      if (sourceKind(source.kind?.value)?.capabilities.isAtHand) {
        reading.tell(reading.now.step);
        return present(await catalogOf(sourcesFile, name, { refresh: true, ...fromSource }));
      }
      // If the disk cache cannot be written, the catalog is in memory only.
      const inMemory = known.get(catalogKey(sourcesFile, source))?.catalog;
      const cached = (await catalogOf(sourcesFile, name, { offline: true })) ?? inMemory;
      const connects = mayConnect && (await secretsAreKnown(sourcesFile, source));
      if (cached && !(connects && (await isOutdated(sourcesFile, source, cached, environment))))
        return { catalog: cached };
      // Keeps the known catalog until the source is readable again.
      if (cached)
        return present(await catalogOf(sourcesFile, name, { refresh: true, ...fromSource }).catch(() => cached));
      if (connects) {
        reading.tell(reading.now.step);
        return present(await catalogOf(sourcesFile, name, fromSource));
      }
      return {
        unknownBecause: `The tables of ${name} are not known yet. Run Refresh Catalog to check names and types.`,
      };
    } catch (error) {
      return unknown(withPlace(await failureOf(error, name, signal), sourcesFile, source));
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
    const mine = before.then(async () => {
      const reading = begin(key, sourcesFile, source);
      const found = await read(sourcesFile, source, mayConnect, reading);
      keep(key, sourcesFile, found);
      reading.end(found.failure);
    });
    loading.set(key, mine);
    await mine;
    if (loading.get(key) === mine) loading.delete(key);
  }

  return {
    known(key) {
      const reading = readings.get(key);
      return { ...known.get(key), ...(reading?.isTold && { reading: reading.now }) };
    },
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
      if (!catalog) return;
      keep(key, sourcesFile, { catalog });
      // Views may still show an earlier failure.
      if (!readings.has(key)) onState(key, sourcesFile.path, source.name.value, { kind: 'known' });
    },
    async reread(key, sourcesFile, source, mayConnect) {
      const before = loading.get(key);
      if (!before && !known.has(key)) return;
      await loadAfter(before ?? Promise.resolve(), key, sourcesFile, source, mayConnect);
    },
    propose(key, sourcesFile, proposed) {
      const { catalog } = known.get(key) ?? {};
      const { warnings = [], proposedTypes = [] } = catalog ?? {};
      if (!catalog || warnings.includes(proposed.message)) return;
      const all = { warnings: [proposed.message, ...warnings], proposedTypes: [proposed, ...proposedTypes] };
      keep(key, sourcesFile, { ...known.get(key), catalog: { ...catalog, ...all } });
    },
    isLoading: (key) => loading.has(key),
    whenRead: (key) => readings.get(key)?.ended ?? Promise.resolve(undefined),
    async withSteps(key, onStep, work) {
      const listen = (step: string): void => onStep(step);
      const all = listeners.get(key) ?? new Set();
      listeners.set(key, all.add(listen));
      const reading = readings.get(key);
      if (reading?.isTold) listen(reading.now.step);
      try {
        return await work();
      } finally {
        all.delete(listen);
        if (all.size === 0) listeners.delete(key);
      }
    },
    repeatState(key) {
      const reading = readings.get(key);
      if (reading?.isTold) reading.tell(reading.now.step);
    },
    stop: (key) => readings.get(key)?.abort.abort(new Error('Reading the catalog was stopped.')),
    async refresh(key, sourcesFile, source, signal) {
      const name = source.name.value;
      const { catalogOf } = await services();
      const reading = begin(key, sourcesFile, source);
      const stopping = AbortSignal.any([signal, reading.abort.signal]);
      reading.tell(reading.now.step);
      let failure: Failure | undefined;
      try {
        const catalog = await catalogOf(sourcesFile, name, {
          refresh: true,
          signal: stopping,
          onProgress: reading.tell,
        });
        if (!catalog) throw new Error(`The catalog of ${name} is empty.`);
        keep(key, sourcesFile, { catalog });
        return catalog;
      } catch (error) {
        failure = withPlace(await failureOf(error, name, stopping), sourcesFile, source);
        if (!known.get(key)?.catalog) keep(key, sourcesFile, unknown(failure));
        const { OperationError } = await import('../../operations/operation-error.ts');
        throw new OperationError(failure, error);
      } finally {
        reading.end(failure);
      }
    },
  };
}

interface Reading {
  readonly abort: AbortController;
  /** Resolves with the failure of the read, if it failed. */
  readonly ended: Promise<Failure | undefined>;
  now: CatalogReading;
  /** The read contacts the source, which has been reported. */
  isTold: boolean;
  readonly tell: (step: string) => void;
  readonly end: (failure: Failure | undefined) => void;
}

async function failureOf(error: unknown, dataSource: string, signal: AbortSignal): Promise<Failure> {
  if (signal.aborted) return { code: 'cancelled', message: `Reading ${dataSource} was cancelled.` };
  const { toFailure } = await import('../../operations/operation-error.ts');
  return toFailure(error);
}

function unknown(failure: Failure): KnownCatalog {
  return { unknownBecause: `Names and types are not checked: ${failure.message}`, failure };
}

function present(catalog: Catalog | undefined): KnownCatalog {
  return catalog ? { catalog } : {};
}
