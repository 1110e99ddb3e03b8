import type { Catalog } from '../../catalog/catalog.ts';
import type { SourceKind } from '../../connectors/source-kind.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import { sourceOrigin } from '../../connectors/source-origin.ts';
import { graphColumns } from '../../graph-tests/graph-columns.ts';
import type { TestedSource } from '../../graph-tests/test-catalog.ts';
import type { DataSource } from '../../model/data-sources.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';

/** A data source whose rows a test gives. */
export interface OpenedSource extends TestedSource {
  readonly source: DataSource;
  readonly kind: SourceKind | undefined;
}

/** A data source of a graph under test, with the catalog that is known. No I/O. */
export function testedSource(graph: EntityGraph, source: DataSource, known: Catalog | undefined): OpenedSource {
  const kind = sourceKind(source.kind?.value);
  const origin = sourceOrigin(source, known?.isFetched ?? false);
  return { source, kind, known, origin, named: graphColumns(graph, origin.dataSource, origin.dialect) };
}
