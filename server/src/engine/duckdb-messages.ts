import type { Catalog } from '../catalog/catalog.ts';
import type { SourceErrorCode, SourceErrorDetails } from '../connectors/source-error.ts';
import type { SqlMistake, SqlQuestion } from '../language/sql/sql-judge.ts';
import type { GraphFile } from '../project/open-project.ts';

/** What the process that has DuckDB loaded is asked for. */
export type DuckDbTask =
  | { readonly kind: 'sql'; readonly question: SqlQuestion }
  /** The catalog of a source of files, which needs no secrets. */
  | { readonly kind: 'catalog'; readonly sourcesFile: GraphFile; readonly dataSource: string };

export interface DuckDbRequest {
  readonly id: number;
  readonly task: DuckDbTask;
}

export type DuckDbAnswer = { readonly id: number } & (
  { readonly mistakes: readonly SqlMistake[] } | { readonly catalog: Catalog } | { readonly failure: DuckDbTaskFailure }
);

/** An error as it travels between processes; `code` is that of a `SourceError`. */
export interface DuckDbTaskFailure {
  readonly code?: SourceErrorCode;
  readonly message: string;
  readonly details?: SourceErrorDetails;
}
