import { sentence } from '../../../../protocol/sentence.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Connector } from '../../connectors/connector.ts';
import type { SourceError, SourceErrorCode } from '../../connectors/source-error.ts';
import { dependentsAt } from '../../language/validation/tell-dependents.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import { sourcesAlong } from '../../query/relationship-sources.ts';
import type { EntityGraph, EntitySource, Relationship } from '../../model/entity-graph.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import { buildElementQuery, buildMasterDataQuery, buildRelationshipQuery } from '../../query/build-query.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { CodeWith } from '../../model/rules.ts';
import { sourceName } from '../../query/query-problems.ts';
import { mapErrorPosition } from '../../query/map-error-position.ts';

/**
 * Problems reported by one data source of a graph for every query that can be built, without running it; empty if the source does not
 * support that. Entries with an error are skipped, because further problems would follow from it.
 */
export async function checkOnline(
  { graph }: ParsedEntityGraph,
  catalog: Catalog,
  dataSource: string,
  connector: Pick<Connector, 'checkQueries'>,
  known: readonly Problem[],
  options: { readonly signal?: AbortSignal | undefined },
): Promise<readonly Problem[]> {
  if (!connector.checkQueries) return [];
  const isFaulty = ({ range }: EntitySource | Relationship): boolean =>
    known.some((each) => each.severity === 'error' && each.range.start >= range.start && each.range.end <= range.end);
  const asked = [
    ...graph.elements.map((entry) => ({ entry, built: buildElementQuery(graph, entry, catalog) })),
    ...graph.entities.map((entry) => ({ entry, built: buildMasterDataQuery(entry, catalog) })),
    ...graph.relationships.map((entry) => ({ entry, built: buildRelationshipQuery(graph, entry, catalog) })),
  ]
    .flatMap(({ entry, built }) => ('query' in built && !isFaulty(entry) ? [{ entry, query: built.query }] : []))
    // Only the queries that this source runs.
    .filter(({ entry }) => isAskedOf(entry, graph, dataSource));
  const queries = asked.map(({ query }) => query);
  const refusals = await connector.checkQueries(queries, options);
  const found = asked.flatMap(({ entry, query }, index) => {
    const refusal = refusals[index];
    if (!refusal) return [];
    const problem = toProblem(refusal, query, entry);
    const isLost = refusal.code === 'column-missing';
    const dependents = isLost ? dependentsAt(problem.range, graph, catalog) : undefined;
    return [dependents === undefined ? problem : { ...problem, message: `${problem.message} ${dependents}` }];
  });
  // The server's result replaces uncertain problems of the local parser.
  return found.filter(({ range }, index) => found.findIndex((each) => each.range.start === range.start) === index);
}

function isAskedOf(entry: EntitySource | Relationship, graph: EntityGraph, dataSource: string): boolean {
  const sources = 'mappings' in entry ? sourcesAlong(graph, entry) : new Set([dataSourceNamed(graph, entry)]);
  return sources.size === 1 && sources.has(dataSource);
}

function toProblem(refusal: SourceError, query: CompiledQuery, entry: EntitySource | Relationship): Problem {
  const { position, length, remedy } = refusal.details;
  const place = position === undefined ? undefined : mapErrorPosition(query, position, length);
  const name = 'mappings' in entry ? entry.name : sourceName(entry);
  const message = `${sentence(refusal.message)}${remedy === undefined ? '' : ` ${remedy}`}`;
  return { code: problemCode(refusal.code), severity: 'error', message, range: place ?? name?.range ?? entry.range };
}

function problemCode(code: SourceErrorCode): CodeWith<'error'> {
  if (code === 'paging-unclear') return code;
  return ofRights.includes(code) ? 'permission-denied' : 'sql-error';
}

/** A remedy for missing permissions. */
const ofRights: readonly SourceErrorCode[] = ['permission-denied', 'source-incomplete'];
