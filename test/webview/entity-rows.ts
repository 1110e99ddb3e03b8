import type { EntityRow } from '../../protocol/entities-table.ts';

/** Rows in every state, as sent by the extension. */
export const entityRows: readonly EntityRow[] = [
  row('incidents', { name: 'Incident management', dataSource: 'itsm', status: 'Imported', progress: 'Import Done' }),
  row('orders', {
    name: 'Orders',
    dataSource: 'shop',
    status: 'Imported',
    progress: 'Import Done',
    modifiedSinceImport: true,
  }),
  row('returns', { name: 'Returns', dataSource: 'shop' }),
  row('invoices', {
    name: 'Invoices',
    dataSource: 'shop',
    progress: 'Import failed at data pull: password authentication failed for user analyst on localhost:5432',
    hasFailed: true,
  }),
  row('shipments', {
    name: 'Shipments',
    dataSource: 'shop',
    running: { state: 'running', step: 'data pull', message: 'Ship Order', rows: 120_000, fraction: 0.4 },
  }),
  row('changes', { name: 'Changes', dataSource: 'itsm', running: { state: 'waiting' } }),
];

/** Any number of rows, named by number. */
export function manyEntityRows(count: number): readonly EntityRow[] {
  return Array.from({ length: count }, (_, index) => row(`e${index}`, { name: `Entity ${index}`, dataSource: 'shop' }));
}

function row(file: string, values: Partial<EntityRow>): EntityRow {
  const imported = values.status === 'Imported' ? '2026-11-19T14:02:00.000Z' : null;
  return {
    uri: `file:///project/${file}.entity.yaml`,
    path: `${file}.entity.yaml`,
    name: file,
    dataSource: null,
    dataSources: typeof values.dataSource === 'string' ? [values.dataSource] : [],
    sourcesUri: 'file:///project/entity-sources.yaml',
    status: 'Not Imported',
    progress: null,
    created: '2026-11-01T08:00:00.000Z',
    modified: `2026-11-${String(10 + (file.length % 9)).padStart(2, '0')}T09:30:00.000Z`,
    imported,
    modifiedSinceImport: false,
    ...values,
  };
}
