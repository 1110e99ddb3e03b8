import type { QueryTarget } from '../../../../protocol/query-results.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { findTarget } from '../../query/find-target.ts';
import { sourcesAlong } from '../../query/relationship-sources.ts';
import { type Project, findSource } from '../../project/open-project.ts';
import { OperationError } from '../operation-error.ts';

/** The data sources in which the query of a target runs. */
export function targetSources(graph: EntityGraph, target: QueryTarget): readonly string[] {
  const found = findTarget(graph, target);
  if (!found) return [];
  const names =
    found.kind === 'relationship'
      ? sourcesAlong(graph, found.relationship)
      : new Set([dataSourceNamed(graph, found.kind === 'element' ? found.element : found.entry)]);
  return [...names].filter((name) => name !== undefined);
}

/** A project whose source is that of a target in one data source. Rejects with `source-config` for an unknown one. */
export function projectOfTarget(project: Project, target: QueryTarget): Project {
  const [name] = targetSources(project.parsed.graph, target);
  return name === undefined ? project : { ...project, source: findSource(project.sourcesFile, name) };
}

/** Whether a target joins rows of several data sources. Rejects a path over several, which no query follows. */
export function isTargetAcross({ parsed: { graph } }: Project, target: QueryTarget): boolean {
  const sources = targetSources(graph, target);
  if (sources.length < 2) return false;
  const found = findTarget(graph, target);
  if (found?.kind !== 'relationship' || !found.relationship.path) return true;
  throw new OperationError({
    code: 'engine-unsupported',
    message: `The steps of ${target.name} belong to several data sources (${sources.join(', ')}), which no query can follow.`,
    remedy: 'Show or test its steps one by one. An import follows the path.',
  });
}
