import {
  entityPropertiesColumns,
  entityPropertiesTable,
  entityValuesColumns,
  entityValuesTable,
} from '../../../graph-schema/table-names.ts';
import { keySql, stagedText } from '../key-sql.ts';
import { type StagedMasterData, entityRowsSql, entityRowsTable, fromStart, lastValuesSql } from '../master-data.ts';
import { propertyColumnsSql } from '../properties.ts';
import { type FilledTable, asInGraph, byRow, byText } from '../ranged/filled-table.ts';
import type { GraphShape } from '../rows.ts';
import { utcTime } from '../utc-time.ts';
import { entityOfKey, rowOf } from './names.ts';

/** The rows that count, as in `createEntityRowsSql`. Staged rows are first sent to the nodes of their keys. */
export function distributedEntityRows(entries: readonly StagedMasterData[], shape: GraphShape): readonly FilledTable[] {
  const { build, canonical, identifiers } = shape.dialect;
  const row = rowOf(shape);
  return entries.flatMap((entry) => {
    const { columns, key, validFrom, plan } = entry;
    const title = `Keys of ${plan.name}`;
    const text = canonical.row(columns.map((column) => stagedText(column, shape)));
    const since = validFrom ? [`${fromStart(utcTime(validFrom, shape))} AS since`] : [];
    const isWhole = key.map(({ stagedAs }) => `${stagedAs} IS NOT NULL`).join(' AND ');
    const all = `all_rows_${plan.number}`;
    const rows = entityRowsSql({
      row,
      key: 'key',
      since: validFrom && 'since',
      order: [build.sortedText('tie'), row],
      from: all,
    });
    const selected = [`${build.rowPlace} AS ${row}`, `${keySql(key, shape)} AS key`, `${text} AS tie`, ...since];
    return [
      {
        name: all,
        title: `Rows of ${plan.name}, by key`,
        selects: [`SELECT ${selected.join(', ')} FROM ${identifiers.quote(plan.table)} WHERE ${isWhole}`],
        by: byText('key'),
      },
      { name: entityRowsTable(entry), title, selects: [rows], by: byText('key') },
    ];
  });
}

/** The properties of entities, and their values over time: ids are found by key, then values by row. */
export function distributedMasterData(entries: readonly StagedMasterData[], shape: GraphShape): readonly FilledTable[] {
  const { identifiers, literals, build } = shape.dialect;
  const row = rowOf(shape);
  return entries.flatMap((entry) => {
    const { plan, validFrom, properties } = entry;
    const ids = `entity_ids_${plan.number}`;
    const versions = validFrom ? ['rows.since', 'rows.place'] : [];
    const found = {
      name: ids,
      title: `Entities of ${plan.name}`,
      selects: [
        `SELECT ${[`rows.${row}`, 'entity.id AS entity_id', ...versions].join(', ')} FROM ${entityRowsTable(entry)} AS rows
      JOIN ${entityOfKey} AS entity ON entity.key = rows.key AND entity.entity_type = ${literals.quote(plan.entityType)}`,
      ],
      by: byRow('row'),
    };
    const valuesOf = (fixed: readonly string[], more: readonly string[]): string => {
      const columns = ['rows.entity_id', ...more, ...propertyColumnsSql(properties, fixed, shape)];
      return `SELECT ${columns.join(', ')}
    FROM ${ids} AS rows JOIN ${identifiers.quote(plan.table)} AS staged ON staged.${build.rowPlace} = rows.${row}`;
    };
    const title = `Properties of ${plan.name}`;
    const name = entityPropertiesTable(plan.number);
    if (!validFrom)
      return [
        found,
        { name, title, selects: [valuesOf(entityPropertiesColumns, [])], by: asInGraph('entity_properties_<n>') },
      ];
    return [
      found,
      {
        name: entityValuesTable(plan.number),
        title: `Values over time of ${plan.name}`,
        selects: [valuesOf(entityValuesColumns, ['rows.since AS value_time', 'rows.place AS value_rank'])],
        by: asInGraph('entity_values_<n>'),
      },
      { name, title, selects: [lastValuesSql(entry, shape)], by: asInGraph('entity_properties_<n>') },
    ];
  });
}
