import { entityRowsTable } from './master-data.ts';
import type { CountedGraph } from './count-steps.ts';
import type { StatementsStep } from './plan-statement.ts';
import { type LinkedKeys, linkedKeys, noListSql } from './row-correlations.ts';
import { graphShape, rowsTable } from './rows.ts';
import type { BuildDialect } from './build-dialect.ts';
import type { StagedCorrelation, StagedElement } from './staged-element.ts';

interface LinkPlace {
  readonly dialect: BuildDialect;
  readonly timeZone: string;
  readonly hasRowOrder: boolean;
}

/** A step with one statement for each of some row correlations. */
interface LinkStep extends StatementsStep {
  readonly links: readonly { readonly element: StagedElement; readonly correlation: StagedCorrelation }[];
}

/** Looks for values that should be lists of keys but are not. Undefined where no column must hold lists. */
export function noListStep(
  element: StagedElement,
  place: Pick<LinkPlace, 'dialect' | 'timeZone'>,
): LinkStep | undefined {
  const asked = element.correlations.flatMap((correlation) => {
    const sql = noListSql(element, correlation, place);
    const title = `The first value of ${correlation.plan.correlation.key[0]?.value ?? ''} that is no list`;
    return sql === undefined ? [] : [{ link: { element, correlation }, statement: { title, sql } }];
  });
  if (asked.length === 0) return undefined;
  return {
    name: `lists_${element.plan.number}`,
    title: `Lists of ${element.plan.activityName}`,
    links: asked.map(({ link }) => link),
    statements: asked.map(({ statement }) => statement),
  };
}

/**
 * Counts the named keys that match no entity from another source, for each row correlation whose entity type has
 * another source. Undefined without such row correlations.
 */
export function unmatchedKeysStep(graph: CountedGraph, place: LinkPlace): LinkStep | undefined {
  const links = linkedKeys(graph.elements, graphShape(graph.elements, place)).flatMap((link) => {
    const made = madeElsewhere(link, graph);
    return made.length === 0 ? [] : [{ link, made }];
  });
  if (links.length === 0) return undefined;
  return {
    name: 'unmatched_keys',
    title: 'Counting keys that match no entity',
    links: links.map(({ link }) => link),
    statements: links.map(({ link, made }) => ({
      title: `Keys of ${link.correlation.plan.entityType} that only ${link.element.plan.activityName} names`,
      sql: `SELECT count(*) AS keys FROM (SELECT DISTINCT key FROM ${link.from} AS linked) AS linked
    WHERE ${made.map((table) => `NOT EXISTS (SELECT 1 FROM ${table} AS made WHERE made.key = linked.key)`).join(' AND ')}`,
    })),
  };
}

function madeElsewhere({ correlation }: LinkedKeys, { elements, entities }: CountedGraph): readonly string[] {
  const { entityType } = correlation.plan;
  return [
    ...elements.filter(({ plan }) => plan.ownEntity && plan.entityType === entityType).map(rowsTable),
    ...entities.filter(({ plan }) => plan.entityType === entityType).map(entityRowsTable),
  ];
}

/**
 * Counts the events that belong to no entity, by element (`element`, `events`). Undefined where each event has its own.
 */
export function eventsWithoutEntityStep(
  elements: readonly StagedElement[],
  dialect: BuildDialect,
): StatementsStep | undefined {
  if (elements.every(({ plan }) => plan.ownEntity)) return undefined;
  const sql = `SELECT element, count(*) AS events FROM ${dialect.graph}.event AS event
    WHERE entity_id IS NULL AND NOT EXISTS (SELECT 1 FROM ${dialect.graph}.event_entity AS own WHERE own.event_id = event.id) GROUP BY 1 ORDER BY 1`;
  const title = 'Counting events that belong to no entity';
  return { name: 'lonely_events', title, statements: [{ title: 'Events of each element', sql }] };
}
