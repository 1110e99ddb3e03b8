import { namedTables } from '../../server/src/graph-schema/table-names.ts';

/** How an import uses PostgreSQL. */
export type ImportKind = 'embedded' | 'source' | 'fetch';

/** A server can stop before it gets a statement, or after it has begun to respond. */
export type PhaseMoment = 'before' | 'while it answers';

const toEveryone: Readonly<Record<string, RegExp>> = {
  'connecting, the settings of a session': /^SET default_transaction_read_only/,
  'catalog, its tables': /^SELECT c\.oid::int8::text AS id, n\.nspname AS schema/,
  'catalog, its keys': /^SELECT k\.conrelid/,
  snapshot: /^BEGIN ISOLATION LEVEL REPEATABLE READ/,
  'types of a query': /^SELECT \* FROM \(/,
};

const table = (name: string): RegExp => new RegExp(`^CREATE TABLE "ekg__building"\\.${name} AS`);

/** The statements of each phase of an import, by their beginning; all of them occur. */
export const phasesOf: Readonly<Record<ImportKind, Readonly<Record<string, RegExp>>>> = {
  embedded: {
    ...toEveryone,
    'what has changed since': /^EXPLAIN \(VERBOSE/,
    'pull of orders': /^COPY \(SELECT c1, c2, c3 FROM \(\s*SELECT\s+"orders"/,
    'pull of payments': /^COPY \(SELECT c1, c2 FROM \(\s*SELECT\s+"payments"/,
    'pull of the relationship': /^COPY \(SELECT c1, c2 FROM \(\s*SELECT DISTINCT/,
  },
  source: {
    ...toEveryone,
    'the lock in the source': /^SELECT pg_try_advisory_xact_lock/,
    'the schema of the build': /^CREATE SCHEMA "ekg__building"/,
    'staging of orders': /^CREATE TEMP TABLE "element_1"/,
    'staging of payments': /^CREATE TEMP TABLE "element_2"/,
    'staging of the relationship': /^CREATE TEMP TABLE "relationship_1"/,
    'build, rows': /^CREATE TEMP TABLE rows_1/,
    'build, entities': table('entity'),
    'build, order of events': /^CREATE TEMP TABLE ranked/,
    'build, events': table('event'),
    'build, properties': table('properties_1'),
    'build, relations': table('relation'),
    'build, correlations': table('event_entity'),
    'build, directly-follows': table('directly_follows'),
    'build, views': /^CREATE VIEW "ekg__building"\.edge_df/,
    'checks, entities': /^SELECT count\(\*\) - count\(DISTINCT \(entity_type, key\)\)/,
    'the record of the run': table('run'),
    'the graph before, removed': /^DROP SCHEMA IF EXISTS "ekg__previous"/,
    'the graph before, put aside': /^DO \$\$/,
    'the graph takes its place': /^ALTER SCHEMA "ekg__building" RENAME/,
    commit: /^COMMIT$/,
  },
  fetch: {
    'connecting, the settings of a session': /^SET default_transaction_read_only/,
    snapshot: /^BEGIN ISOLATION LEVEL REPEATABLE READ/,
    'types of a query': /^SELECT \* FROM \(/,
    ...Object.fromEntries(
      namedTables([1])
        .filter(({ table: { isInSource, isInEveryStore } }) => isInSource && isInEveryStore)
        .map(({ name }) => [`fetch of ${name}`, new RegExp(`^COPY [^]*"ekg"\\."?${name}\\b`)]),
    ),
  },
};
