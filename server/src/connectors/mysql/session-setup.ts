import type { Server } from './server.ts';

/**
 * The setup statements of every connection. SQL means the same on every server, times are in UTC, and nothing can be written.
 * A server must not end a connection that waits while rows are staged.
 */
export function sessionSetup({ isMariadb }: Server, statementTimeoutMs: number): readonly string[] {
  return [
    // ONLY_FULL_GROUP_BY is left out: pairs of keys are grouped by the bytes of the keys.
    `SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO'`,
    `SET SESSION time_zone = '+00:00'`,
    `SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`,
    isMariadb
      ? `SET SESSION max_statement_time = ${statementTimeoutMs / 1000}`
      : `SET SESSION max_execution_time = ${statementTimeoutMs}`,
    `SET SESSION net_write_timeout = 31536000, wait_timeout = 2147483`,
    ...(isMariadb
      ? [
          `SET SESSION idle_transaction_timeout = 0, idle_readonly_transaction_timeout = 0`,
          // Joins without an index use a hash table.
          `SET SESSION join_cache_level = 4, join_buffer_size = 67108864`,
        ]
      : []),
  ];
}

export const beginPreview = 'START TRANSACTION READ ONLY';
export const beginPull = 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY';
