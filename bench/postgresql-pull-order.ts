import type { TestPostgres } from '../test/support/postgres.ts';

/** A job for the measured process. */
export interface PullOrder {
  /** `pull` into DuckDB as an import does or over one connection, `drop` what the same COPY sends, over one connection or two, or find out whether rows have changed (`fingerprint`). */
  readonly work: 'pull' | 'pull over one' | 'drop' | 'drop over two' | 'fingerprint';
  readonly server: Pick<TestPostgres, 'host' | 'port' | 'user' | 'password'>;
  readonly database: string;
  readonly sql: string;
}

/** The result of the measured process. Megabytes are peaks during the pull. */
export interface PullMeasurement {
  readonly seconds: number;
  /** JavaScript heap, buffers and other memory that Node knows of. */
  readonly nodeMegabytes: number;
  /** Total, with DuckDB and code. */
  readonly residentMegabytes: number;
}

/** DuckDB's memory limit before it writes the staged table to disk, in megabytes. */
export const duckDbMegabytes = 256;

/** The limit while memory is compared: so low that the smaller table fills it, too. */
export const tightMegabytes = 100;
