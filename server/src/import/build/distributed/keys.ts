import { createdEvents, isOfGroup, mayHaveTies, sequenceNames, tiesTable } from '../events.ts';
import { stagedText } from '../key-sql.ts';
import { type KeysOfType, makersOfEntities } from '../entities.ts';
import { type FilledTable, byRow, byText } from '../ranged/filled-table.ts';
import { type LinkedKeys, listedKeysSql, linkedTable } from '../row-correlations.ts';
import { type GraphShape, rowsSql, rowsTable } from '../rows.ts';
import type { StagedElement } from '../staged-element.ts';
import { entityOfKey, keyedTable, namedTable, rowOf } from './names.ts';

/** The rows of elements, once distributed by row and once by key. */
export function distributedRows(elements: readonly StagedElement[], shape: GraphShape): readonly FilledTable[] {
  return elements.flatMap((element) => {
    const title = `Keys and times of ${element.plan.activityName}`;
    const rows = { name: rowsTable(element), title, selects: [rowsSql(element, shape)], by: byRow('row') };
    if (!element.plan.ownEntity) return [rows];
    const keyed = `SELECT * FROM ${rowsTable(element)} WHERE key IS NOT NULL`;
    return [rows, { name: keyedTable(element), title: `${title}, by key`, selects: [keyed], by: byText('key') }];
  });
}

/** The keys that rows name, distributed by key. */
export function distributedLinks(linked: readonly LinkedKeys[], shape: GraphShape): readonly FilledTable[] {
  const row = rowOf(shape);
  return linked.flatMap((link) => {
    const { element, correlation, from } = link;
    const title = `Keys of ${correlation.plan.entityType} that ${element.plan.activityName} lists`;
    const listed = listedKeysSql(element, correlation, shape);
    return [
      ...(listed === undefined
        ? []
        : [{ name: linkedTable(element, correlation), title, selects: [listed], by: byRow('row') }]),
      {
        name: namedTable(link),
        title: `${title}, by key`,
        selects: [`SELECT ${row}, key FROM ${from} AS linked`],
        by: byText('key'),
      },
    ];
  });
}

/** The tables of keys that make entities, distributed by key. */
export function distributedMakers(makers: Parameters<typeof makersOfEntities>[0]): readonly KeysOfType[] {
  const linked = makers.linked.map((link) => ({ ...link, from: namedTable(link) }));
  return [
    ...makers.elements
      .filter(({ plan }) => plan.ownEntity)
      .map((element) => ({ entityType: element.plan.entityType, from: keyedTable(element) })),
    ...makersOfEntities({ ...makers, elements: [], linked }),
  ];
}

/**
 * The order of equal events of elements, as in `createTiesSql`, distributed by the key of their rows. Rows without a
 * key cannot be compared on one node, so each of them gets its text.
 */
export function distributedTies(elements: readonly StagedElement[], shape: GraphShape): readonly FilledTable[] {
  const { build, canonical, identifiers } = shape.dialect;
  const row = rowOf(shape);
  return elements
    .filter((element) => mayHaveTies(element, shape))
    .flatMap((element) => {
      const { plan, columns, change } = element;
      const title = `Order of equal events of ${plan.activityName}`;
      const staged = `${identifiers.quote(plan.table)} AS staged`;
      const text = build.sortedText(canonical.row(columns.map((column) => stagedText(column, shape))));
      const name = tiesTable(element);
      const place = `staged.${build.rowPlace}`;
      if (!plan.ownEntity) {
        return [
          { name, title, selects: [`SELECT ${place} AS ${row}, ${text} AS tie FROM ${staged}`], by: byRow('row') },
        ];
      }
      const tied = `tied_${plan.number}`;
      return [
        {
          name: tied,
          title: `Equal events of ${plan.activityName}`,
          selects: (change ? ['start', 'change'] : ['start']).map((time) => tiedRows(element, time, shape)),
          by: byRow('row'),
        },
        {
          name,
          title,
          selects: [
            `SELECT ${place} AS ${row}, tied.key, ${text} AS tie
    FROM (SELECT DISTINCT ${row}, key FROM ${tied}) AS tied JOIN ${staged} ON ${place} = tied.${row}`,
          ],
          by: byText('key'),
        },
      ];
    });
}

function tiedRows(element: StagedElement, time: string, shape: GraphShape): string {
  const same = ['key', time, ...sequenceNames(shape)];
  const table = keyedTable(element);
  return `SELECT rows.${rowOf(shape)}, rows.key FROM ${table} AS rows JOIN (
      SELECT ${same.join(', ')} FROM ${table} WHERE ${time} IS NOT NULL GROUP BY ${same.join(', ')} HAVING count(*) > 1
    ) AS equal ON ${isOfGroup(same, 'equal')}`;
}

/** Queries of all events. Each query joins tables that have the same distribution. */
export function distributedEvents(elements: readonly StagedElement[], shape: GraphShape): readonly string[] {
  const row = rowOf(shape);
  return createdEvents(elements, shape, {
    rows: (element) => (element.plan.ownEntity ? keyedTable(element) : rowsTable(element)),
    entity: entityOfKey,
    tiedBy: ({ plan }) => (plan.ownEntity ? [row, 'key'] : [row]),
  });
}
