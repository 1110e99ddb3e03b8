import { createHash } from 'node:crypto';
import type { StagedColumn } from '../../connectors/connector.ts';
import { storeVersion } from '../../graph-schema/graph-schema.ts';
import type { BuildSource } from '../build/build-source.ts';
import { compileBuild } from '../build/compile-build.ts';
import { correlatingRelationships, mayCorrelateTwice } from '../build/correlations.ts';
import type { StagedElement } from '../build/staged-element.ts';
import type { ImportJob } from '../import-job.ts';
import { isWhole } from '../import-slice.ts';
import { commonRows } from '../import-source.ts';
import { plannedPulls } from '../plan-import.ts';
import type { PulledPlan } from '../pull-plan.ts';
import type { RowCache } from '../row-cache/row-cache.ts';
import { comparedElement, comparedMasterData, comparedPairs } from './compared-rows.ts';
import { isAsPublished } from './previous-graph-file.ts';
import type { KeyedRows, ReuseWork } from './reuse-work.ts';
import type { PreviousGraphFacts, StagedFacts } from './rebuild-reason.ts';

/** Collects the facts that are known before rows are compared. */
export async function factsOf({ job, rows, pulled, keyOf }: ReuseWork): Promise<PreviousGraphFacts> {
  const { plan, sources, request, previousGraph } = job;
  const { elements, relationships } = pulled;
  const published =
    typeof previousGraph === 'object' && (await isAsPublished(previousGraph)) ? previousGraph : undefined;
  return {
    isPart: !isWhole(request),
    isFull: request.isFull === true,
    cached: rows.graph,
    published,
    failure: typeof previousGraph === 'string' ? previousGraph : undefined,
    key: keyOf(withRowsBefore(pulled, rows)),
    mayCorrelateTwice: mayCorrelateTwice(correlatingRelationships(relationships, plan.paths), elements),
    joined: plan.relationships.flatMap(({ name, dataSource }) => (dataSource === undefined ? [name] : [])),
    staged: stagedFacts({ plan, sources }, rows, elements),
  };
}

/** Staged rows with the numbers of cached rows: some statements of a build depend on the number of rows. */
function withRowsBefore({ elements, entities, relationships }: PulledPlan, rows: RowCache): KeyedRows {
  const before = (table: string, now: number): number => rows.comparisonOf(table)?.before.sourceRows ?? now;
  return {
    elements: elements.map((each) => ({ ...each, rows: before(each.plan.table, each.rows) })),
    entities: entities.map((each) => ({ ...each, rows: before(each.plan.table, each.rows) })),
    relationships: relationships.map(({ plan, loaded }) => ({
      plan,
      loaded: { ...loaded, sourceRows: before(plan.table, loaded.sourceRows) },
    })),
  };
}

/** The facts about each staged table. */
function stagedFacts(
  { plan, sources }: Pick<ImportJob, 'plan' | 'sources'>,
  rows: RowCache,
  elements: readonly StagedElement[],
): readonly StagedFacts[] {
  const { hasRowOrder } = commonRows(sources);
  const ofTable = new Map(elements.map((element) => [element.plan.table, element]));
  const masterData = new Set(plan.entities.map(({ table }) => table));
  return plannedPulls(plan).map(({ name, table }): StagedFacts => {
    const comparison = rows.comparisonOf(table);
    const element = ofTable.get(table);
    const columns = comparison?.now.columns ?? [];
    const compared = element
      ? comparedElement(element, hasRowOrder)
      : masterData.has(table)
        ? comparedMasterData({ name, table }, columns)
        : comparedPairs({ name, table }, columns);
    const isNumbered = element?.rowOrder !== undefined;
    const hasCorrelations = element !== undefined && element.correlations.length > 0;
    const ownEntity = element?.plan.ownEntity ?? true;
    const hasJoins = element?.plan.element.joins !== undefined;
    return {
      ...compared,
      comparison,
      ownEntity,
      isNumbered,
      hasJoins,
      hasCorrelations,
      isElement: element !== undefined,
    };
  });
}

interface GraphVersions {
  /** Versions in the run record. */
  readonly run: Readonly<Record<string, string>>;
  /** Version of DuckDB, which builds the graph. */
  readonly duckdb: string;
}

/**
 * A hash of versions, of the columns of staged rows, and of the SQL of the build. Two builds have the same hash only if
 * they make equal graphs from equal staged rows. The numbers of rows are included, because some statements depend on
 * them.
 */
export function graphKey(source: BuildSource, { run, duckdb }: GraphVersions): string {
  const { node: _, ...others } = run;
  const versions = { ...others, duckdb, store: storeVersion };
  const columns: readonly (readonly StagedColumn[])[] = [
    ...[...source.elements, ...source.entities].map((each) => each.columns),
    ...source.relationships.map(({ loaded }) => loaded.columns),
  ];
  const statements = compileBuild(source).map(({ name, sql }) => [name, sql]);
  return createHash('sha256')
    .update(JSON.stringify([versions, columns, statements]))
    .digest('hex');
}
