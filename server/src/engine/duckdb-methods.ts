import { type Shape, anything, list, object, record, text } from '../../../protocol/shapes/shape.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { SourceErrorCode, SourceErrorDetails } from '../connectors/source-error.ts';
import type { SqlMistake, SqlQuestion } from '../language/sql/sql-validator.ts';
import type { GraphFile } from '../project/open-project.ts';
import { graphFile } from './graph-file-shape.ts';
import type { ParamShapes } from './rpc/rpc-messages.ts';

/** Methods of the DuckDB process. */
export interface DuckDbMethods {
  /** Answers in the order of the statements; none for a statement that cannot be validated. */
  readonly sql: { readonly params: readonly SqlQuestion[]; readonly result: readonly (readonly SqlMistake[])[] };
  /** Reads the catalog of a file source, which needs no secrets. */
  readonly catalog: { readonly params: FilesSource; readonly result: FilesCatalog };
}

export interface FilesSource {
  readonly sourcesFile: GraphFile;
  readonly dataSource: string;
}

type FilesCatalog = { readonly catalog: Catalog } | { readonly failure: SourceFailure };

/** A serialised `SourceError`. */
export interface SourceFailure {
  readonly code: SourceErrorCode;
  readonly message: string;
  readonly details: SourceErrorDetails;
}

export const duckDbShapes: ParamShapes<DuckDbMethods> = {
  sql: list(record(anything)) as Shape<never>,
  catalog: object<FilesSource>({ sourcesFile: graphFile, dataSource: text }),
};
