import type { ColumnSense } from '../catalog/catalog.ts';
import type { Pull } from '../connectors/connector.ts';
import { ImportError } from './import-error.ts';
import type { RelationshipPlan } from './plan-import.ts';
import { QueryFailure } from './query-failure.ts';

/**
 * Rejects a relationship whose columns have become numbers or texts since the tables of its data source were read: the
 * engine would convert and compare them instead of refusing the query.
 */
export async function checkComparedTypes(
  { name, query, dataSource = '' }: RelationshipPlan,
  pull: Pick<Pull, 'columnsOf'>,
  signal: AbortSignal,
): Promise<void> {
  for (const compared of query.compared ?? []) {
    const found = await pull.columnsOf(compared.query, { signal }).catch((error: unknown) => {
      throw new QueryFailure(error, compared.query, name);
    });
    for (const [index, planned] of compared.columns.entries()) {
      const now = found[index];
      const [before, after] = [classOf(planned.sense), now && classOf(now.sense)];
      if (!now || before === undefined || after === undefined || before === after) continue;
      const { value, range } = planned.name;
      throw new ImportError(
        'type-mismatch',
        `Data source ${dataSource} has changed since the import read its tables: "${value}" of "${planned.dataObject}" was of type ${planned.type}, and is of type ${now.type} now.`,
        { remedy: 'Import again.', range },
      );
    }
  }
}

/** Other types have checks of their own, or differ between a catalog and a result. */
function classOf(sense: ColumnSense): 'number' | 'text' | undefined {
  if (sense === 'integer' || sense === 'number') return 'number';
  return sense === 'text' ? 'text' : undefined;
}
