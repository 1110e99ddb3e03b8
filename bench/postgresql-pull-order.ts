import type { TestPostgres } from '../test/support/postgres.ts';

/** What to do, sent to the measured process by its parent. */
export interface PullOrder {
  /** `pull` into DuckDB, `drop` what the same COPY sends, over one connection or two, or find out whether rows have changed (`fingerprint`). */
  readonly work: 'pull' | 'drop' | 'drop over two' | 'fingerprint';
  readonly server: Pick<TestPostgres, 'host' | 'port' | 'user' | 'password'>;
  readonly database: string;
  readonly sql: string;
}

/** What the measured process answers. Megabytes are peaks during the pull. */
export interface PullMeasurement {
  readonly seconds: number;
  /** JavaScript heap, buffers and other memory that Node knows of. */
  readonly nodeMegabytes: number;
  /** Everything, DuckDB's memory and this program's code included. */
  readonly residentMegabytes: number;
}

/** What DuckDB may keep of the staged table in memory before it writes it out. */
export const duckDbMegabytes = 256;
