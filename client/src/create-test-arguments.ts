import { l10n } from 'vscode';
import type { QueryTarget } from '../../protocol/query-results.ts';
import type { WantedRows } from '../../protocol/test-rows.ts';

/** Arguments of *Create Test from Rows*, from the grid of results or a violation of a rule. */
export interface CreateTestArguments extends WantedRows {
  /** Rows that the query has shown: so many are read again. */
  readonly limit?: number;
  /** A name to start with. */
  readonly name: string;
  readonly rule?: string | undefined;
}

/** The name proposed for a test with rows of a query. */
export function nameOf({ name }: QueryTarget): string {
  return l10n.t('rows of {0}', name);
}
