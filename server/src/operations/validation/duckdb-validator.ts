import { validateSql } from '../../engine/validate-sql.ts';
import type { SqlChecker } from '../../engine/sql-checker.ts';
import { type BackgroundValidator, createBackgroundValidator } from '../../sql/background-validator.ts';

/** DuckDB's parser in this process, loaded on first use. */
export interface DuckDbValidator extends BackgroundValidator {
  close(): Promise<void>;
}

/** @param signal after an abort, remaining statements count as valid. */
export function openDuckDbValidator(signal?: AbortSignal): DuckDbValidator {
  let checker: Promise<SqlChecker> | undefined;
  const open = async (): Promise<SqlChecker> => (await import('../../engine/sql-checker.ts')).openSqlChecker();
  return {
    ...createBackgroundValidator(async (question) => {
      signal?.throwIfAborted();
      return validateSql(await (checker ??= open()), question);
    }),
    close: async () => (await checker?.catch(() => undefined))?.close(),
  };
}
