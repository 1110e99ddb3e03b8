import type { Connector } from '../../connectors/connector.ts';
import { CannotRunError, type GivenRowsEngine } from '../../connectors/given/given-rows.ts';
import { type SourceError, isSourceError } from '../../connectors/source-error.ts';
import type { SourceKind } from '../../connectors/source-kind.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { sentence } from '../../../../protocol/sentence.ts';
import type { OpenedSource } from './tested-source.ts';

/** The engines of a run of tests: one for each source kind, opened by the first test that needs it. */
export interface GivenEngines {
  /** Undefined for a kind whose queries only the source can run. Rejects when the engine cannot be started. */
  engineOf(source: OpenedSource): Promise<GivenRowsEngine | undefined>;
  close(): Promise<void>;
}

/** @param connect opens a data source, in which its own queries are run; undefined where no source is contacted. */
export function createGivenEngines(
  temporaryFolder: string,
  connect?: (source: DataSource) => Promise<Connector>,
): GivenEngines {
  const engines = new Map<string, Promise<GivenRowsEngine | undefined>>();
  const open = async ({ givenRows }: SourceKind): Promise<GivenRowsEngine | undefined> =>
    givenRows && (await givenRows())(temporaryFolder);
  return {
    engineOf({ source, kind }) {
      if (!kind) return Promise.resolve(undefined);
      const isOnline = connect !== undefined && kind.capabilities.runsGivenRows;
      const key = isOnline ? `source ${source.name.value}` : `kind ${kind.name}`;
      const engine = engines.get(key) ?? (isOnline ? Promise.resolve(onlineEngine(() => connect(source))) : open(kind));
      engines.set(key, engine);
      return engine;
    },
    async close() {
      for (const engine of engines.values()) await (await engine.catch(() => undefined))?.close();
    },
  };
}

/** Runs queries in the source. If it is unreachable, no test runs, and the connection is not retried. */
function onlineEngine(connect: () => Promise<Connector>): GivenRowsEngine {
  let opened: Promise<Connector> | undefined;
  let failure: SourceError | undefined;
  return {
    async openPull(data, staging, options) {
      try {
        if (failure) throw failure;
        const connector = await (opened ??= connect());
        if (!connector.openGivenPull) throw new Error(`${connector.kind} cannot run queries on given rows.`);
        return await connector.openGivenPull(data, staging, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!isSourceError(error)) throw error;
        failure = error;
        const { remedy } = error.details;
        throw new CannotRunError(`${sentence(error.message)}${remedy === undefined ? '' : ` ${remedy}`}`);
      }
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
