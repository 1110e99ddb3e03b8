import pg from 'pg';
import type { PostgresqlConfig } from './read-settings.ts';

/**
 * The setup statements of every connection, in one request. The session reads times without zone in the source's zone,
 * has fixed output formats, is read-only, and searches the configured schemas.
 */
export function sessionSetup(config: PostgresqlConfig, statementTimeoutMs: number): string {
  const schemas = `${config.schemas.map((schema) => pg.escapeIdentifier(schema)).join(', ')}, `;
  return [
    `SET default_transaction_read_only = on;`,
    `SET TimeZone = ${pg.escapeLiteral(config.timeZone)};`,
    `SET DateStyle = 'ISO, YMD';`,
    `SET IntervalStyle = 'postgres';`,
    `SET bytea_output = 'hex';`,
    `SET extra_float_digits = 1;`,
    `SET statement_timeout = ${statementTimeoutMs};`,
    // An import keeps its snapshot open while rows are staged.
    `SET idle_in_transaction_session_timeout = 0;`,
    `SELECT set_config('search_path', ${pg.escapeLiteral(schemas)} || current_setting('search_path'), false);`,
  ].join('\n');
}

export const beginPreview = 'BEGIN READ ONLY;';
export const beginPull = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;';
