import type { Connector } from '../../server/src/connectors/connector.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';

/** A database of one source kind, as the connector contract tests use it: a column of their table of cases. */
export interface ContractDatabase {
  readonly kind: string;
  /** Starts what is needed, and creates an empty database. */
  start(): Promise<StartedDatabase>;
  /** SQL that differs from kind to kind. */
  readonly sql: ContractSql;
}

export interface StartedDatabase {
  /** Runs statements in the database, past the connector. */
  run(sql: string): Promise<void>;
  connector(settings?: Readonly<Record<string, unknown>>): Promise<Connector>;
  /** The number of running statements with this comment; undefined if the database cannot report it. */
  running(comment: string): Promise<number | undefined>;
  /** Stops what was started for it alone. */
  stop?(): Promise<void>;
}

export interface ContractSql {
  query(sql: string): CompiledQuery;
  quote(name: string): string;
  /** A type with room for any text. */
  readonly text: string;
  /** A table `n` with a column `i` of the numbers from 1. */
  numbers(count: number): string;
  /** An expression of a text that is repeated; the parameters are literals. */
  repeat(text: string, count: number): string;
  /** A SELECT that takes a minute or longer. */
  readonly slow: string;
  /** Core SELECTs that try to write. */
  readonly writes: readonly string[];
  /** Settings under which no connector can connect, with the code of the failure. */
  readonly unreachable: readonly (readonly [settings: Readonly<Record<string, unknown>>, code: string])[];
  /** The engine has no keys. */
  readonly hasNoKeys?: true;
  /** The text of an integer, where the engine does not convert it by itself. */
  digits?(integer: string): string;
  /** The name that the catalog has for one, where the engine changes it. */
  catalogName?(name: string): string;
  /** In place of `strangeTable`, where the files of a test cannot hold its name. */
  readonly strangeTable?: string;
  /** Others cannot write while rows are read, so that there is one state. */
  readonly locksWriters?: true;
  /** Rows are staged by one statement, so that they are counted at its end only. */
  readonly stagesAtOnce?: true;
}

/** A table of the cases whose name needs quotes. */
export const strangeTable = 'Ünïcode "quoted" Order';
