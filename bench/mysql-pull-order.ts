import type { TestMariadb } from '../test/support/mariadb.ts';

/** A job for the measured process: `pull` into DuckDB, or `drop` what the driver streams. */
export interface MysqlPullOrder {
  readonly work: 'pull' | 'drop';
  readonly server: Pick<TestMariadb, 'host' | 'port' | 'user' | 'password'>;
  readonly database: string;
  readonly sql: string;
  /** DuckDB's memory limit in megabytes. */
  readonly memory: number;
}
