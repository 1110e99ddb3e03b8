import type { Column, DataObject, ForeignKey, KnownValue } from '../../../catalog/catalog.ts';
import { columnSense } from '../../../dialects/duckdb/types.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import type { DescribedTable } from './describe-table.ts';
import { currencyCodeType, currencyColumn, moneyTypes } from '../records/money.ts';
import type { DictionaryColumn } from './read-dictionary.ts';
import { displayName } from '../records/record-cells.ts';

/** Converts a table to a data object. `objectNames`: possible targets of references. */
export function dataObject(
  table: DescribedTable,
  objectNames: ReadonlySet<string>,
  config: ServiceNowConfig,
): DataObject {
  const { rowKeys } = table;
  const keys = new Map(rowKeys?.map((key) => [key.name, key]));
  const names = new Set(table.columns.map(({ name }) => name));
  const columns = table.columns.flatMap((column): readonly Column[] => {
    const type = table.types.get(column.name) ?? 'VARCHAR';
    const isShown = column.reference !== undefined || column.hasChoices;
    const { name } = column;
    const comment = column.reference === undefined ? column.label : `${column.label} → ${column.reference}`;
    const target = column.reference !== undefined && objectNames.has(column.reference) ? column.reference : undefined;
    const key = keys.get(name);
    const isKey = name === 'sys_id' && !rowKeys;
    const base = {
      nullable: !isKey && (key?.mayBeEmpty ?? true),
      primaryKey: isKey,
      ...(key && { identifying: true }),
      ...(comment !== '' && { comment }),
    };
    const shownType = isShown && config.displayValue === 'true' ? 'VARCHAR' : type;
    const values = knownValues(column, config);
    const own: Column = {
      name,
      type: shownType,
      sense: columnSense(shownType),
      // Display values cannot be used in filters.
      ...(column.internalType !== '' &&
        !(isShown && config.displayValue === 'true') && { sourceType: column.internalType }),
      ...base,
      ...(values.length > 0 && { values }),
      ...(target !== undefined &&
        config.displayValue !== 'true' && { references: { dataObject: target, column: 'sys_id' } }),
    };
    if (moneyTypes.has(column.internalType)) return [own, ...currencyOf(column, names)];
    if (config.displayValue !== 'all' || !isShown) return [own];
    return [
      own,
      {
        name: displayName(name),
        type: 'VARCHAR',
        sense: 'text',
        comment: `${column.label} as shown`,
        nullable: base.nullable,
        primaryKey: false,
      },
    ];
  });
  const foreignKeys = columns.flatMap(({ name, references }): readonly ForeignKey[] =>
    references
      ? [{ name, columns: [name], references: { dataObject: references.dataObject, columns: [references.column] } }]
      : [],
  );
  const comment = [table.label, ...(rowKeys ? ['(database view)'] : [])].filter(Boolean).join(' ');
  return {
    name: table.name,
    kind: rowKeys ? 'view' : 'table',
    path: [table.name],
    ...(comment !== '' && { comment }),
    ...(table.ancestors && table.ancestors.length > 0 && { extends: table.ancestors }),
    columns,
    primaryKey: columns.some(({ primaryKey }) => primaryKey) ? ['sys_id'] : [],
    foreignKeys,
    statistics: {
      columnCount: columns.length,
      ...(table.rowEstimate !== undefined && { rowEstimate: table.rowEstimate }),
    },
  };
}

/** The currency column of an amount. */
function currencyOf({ name, label }: DictionaryColumn, taken: ReadonlySet<string>): readonly Column[] {
  const beside = currencyColumn(name, taken);
  if (beside === undefined) return [];
  const comment = `Currency of ${label === '' ? name : label}`;
  return [
    {
      name: beside,
      type: 'VARCHAR',
      sense: 'text',
      sourceType: currencyCodeType,
      comment,
      nullable: true,
      primaryKey: false,
    },
  ];
}

/** Choice values as in the column: display values if configured. For the audit trail, the names of the tables. */
function knownValues(
  { internalType, choices = [] }: DictionaryColumn,
  config: ServiceNowConfig,
): readonly KnownValue[] {
  if (internalType === 'table_name' && choices.length === 0) return (config.tables ?? []).map((value) => ({ value }));
  if (config.displayValue !== 'true') return choices;
  return choices.map(({ value, label = value }) => ({ value: label }));
}
