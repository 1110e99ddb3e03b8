import type { DataSourceRead } from './import-progress.ts';

/** A data source that the last import could not reach: the graph has its rows of an earlier time. */
export interface KeptRowsView {
  readonly dataSource: string;
  /** ISO 8601, UTC. */
  readonly readAt: string;
}

/** The data sources of an import that could not be reached. */
export function keptRowsOf(reads: readonly DataSourceRead[] | undefined): readonly KeptRowsView[] {
  return (reads ?? []).flatMap(({ name, readAt, isKept }) => (isKept === true ? [{ dataSource: name, readAt }] : []));
}
