import type { CompiledQuery } from '../../../query/compiled-query.ts';
import { identifierKey, mentionedNames } from '../../../query/sql-names.ts';
import type { StagingDatabase } from '../../../store/staging-database.ts';
import type { Pull } from '../../connector.ts';
import type { GivenData } from '../../given/given-data.ts';
import type { OpenGivenRows } from '../../given/given-rows.ts';
import type { OpenClient } from '../connection.ts';
import { errorExplainer } from '../errors.ts';
import { pullOf } from '../pull.ts';
import type { PostgresqlConfig } from '../read-settings.ts';
import { readSchemas } from '../read-settings.ts';
import { sessionSetup } from '../session-setup.ts';
import { type Session, sessionOf } from '../session.ts';
import { createGivenTable } from './given-tables.ts';
import { startPglite } from './start-pglite.ts';

/**
 * PGlite, started by the first import. An import runs in a transaction that is rolled back; two data sources of one
 * import have an instance each.
 */
export const openGivenEngine: OpenGivenRows = async () => {
  const all = new Set<OpenClient>();
  const idle: OpenClient[] = [];
  /** Also stops an engine that is still starting. */
  const closing = new AbortController();

  async function instance(signal: AbortSignal | undefined): Promise<OpenClient> {
    const known = idle.pop();
    if (known) return known;
    const started = await startPglite(signal ? AbortSignal.any([signal, closing.signal]) : closing.signal);
    all.add(started);
    if (closing.signal.aborted) {
      await started.cancel();
      closing.signal.throwIfAborted();
    }
    return started;
  }

  return {
    async openPull(data, staging, { signal }) {
      const client = await instance(signal);
      const config = configOf(data);
      const session = sessionOf(client, errorExplainer(config, [], 'PGlite'));
      const giveBack = async (): Promise<void> => {
        const isAlive = await session.run('ROLLBACK', undefined).then(
          () => true,
          () => false,
        );
        if (isAlive) idle.push(client);
      };
      try {
        await session.run(`BEGIN;\n${sessionSetup(config, 0)}`, signal);
        return givenPull(session, data, config.schemas, staging, giveBack);
      } catch (error) {
        await giveBack();
        throw error;
      }
    },
    async close() {
      closing.abort(new Error('The tests have ended.'));
      for (const client of all) await client.cancel();
    },
  };
};

function configOf({ catalog, timeZone, settings }: GivenData): PostgresqlConfig {
  return {
    name: catalog.dataSource,
    timeZone,
    schemas: readSchemas(settings['schemas']) ?? ['public'],
    host: 'localhost',
    port: 0,
    database: 'postgres',
    user: 'postgres',
    tls: { mode: 'disable' },
    connectTimeoutMs: 0,
    incremental: false,
    watermarks: new Map(),
    pullConnections: 1,
  };
}

/** Tables are created when a query names them: a catalog may have thousands. */
function givenPull(
  session: Session,
  data: GivenData,
  schemas: readonly string[],
  staging: StagingDatabase,
  giveBack: () => Promise<void>,
): Pull {
  const pull = pullOf(session, staging);
  const created = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  async function createTables(query: CompiledQuery, signal: AbortSignal | undefined): Promise<void> {
    const mentioned = mentionedNames(query.sql, 'postgresql');
    for (const object of data.catalog.objects) {
      const key = identifierKey(object.path.at(-1) ?? object.name, 'postgresql');
      if (created.has(object.name) || !(mentioned.has(key) || query.dataObjects.includes(object.name))) continue;
      created.add(object.name);
      await createGivenTable(session, object, data, schemas, signal);
    }
  }
  const inTurn = <T>(query: CompiledQuery, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => createTables(query, signal)).then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  let closed: Promise<void> | undefined;
  return {
    columnsOf: (query, options) => inTurn(query, options.signal, () => pull.columnsOf(query, options)),
    load: (query, table, options) => inTurn(query, options.signal, () => pull.load(query, table, options)),
    close: () => (closed ??= last.then(giveBack)),
  };
}
