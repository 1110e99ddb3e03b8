import type { BuildDialect } from './build-dialect.ts';
import { keySql, stagedText } from './key-sql.ts';
import { type StagedMasterData, entityRowsTable } from './master-data.ts';
import type { StatementsStep } from './plan-statement.ts';
import { hasEmptyPart, hasTexts } from './row-counts.ts';
import type { TimePlace } from './utc-time.ts';

type CountPlace = TimePlace & { readonly dialect: BuildDialect };

/**
 * Counts the rows without key (`withoutKey`), those that count with an empty text in their key (`withEmptyKey`), the
 * entities (`entities`) and the rows that count (`versions`) of an entry of `entities`. The second statement, absent
 * where no values can be lost, counts the rows with a repeated key whose values differ from those of the row that
 * counts (`differing`).
 */
export function masterDataCountsStep(entry: StagedMasterData, place: CountPlace): StatementsStep {
  const { build, identifiers } = place.dialect;
  const { plan, key, validFrom } = entry;
  const isMissing = key.map(({ stagedAs }) => `${stagedAs} IS NULL`).join(' OR ');
  const counts = [
    `(SELECT count(*) FROM ${identifiers.quote(plan.table)} WHERE ${isMissing}) AS ${identifiers.quote('withoutKey')}`,
    `${hasTexts(key) ? build.countIf(hasEmptyPart(key)) : '0'} AS ${identifiers.quote('withEmptyKey')}`,
    `count(${validFrom ? 'DISTINCT key' : '*'}) AS entities`,
    'count(*) AS versions',
  ];
  return {
    name: `counts_entities_${plan.number}`,
    title: `Counting ${plan.name}`,
    statements: [
      {
        title: 'Rows without key, and entities',
        sql: `SELECT ${counts.join(', ')} FROM ${entityRowsTable(entry)}`,
      },
      ...(validFrom || entry.properties.length === 0
        ? []
        : [{ title: 'If keys repeat: rows with other values', sql: differingRowsSql(entry, place) }]),
    ],
  };
}

/** Values are compared by their canonical text. A missing value equals a missing value only. */
function differingRowsSql(entry: StagedMasterData, place: CountPlace): string {
  const { build, canonical, identifiers } = place.dialect;
  const row = identifiers.quote('row');
  const values = build.sortedText(canonical.row(entry.properties.map((column) => stagedText(column, place))));
  const staged = identifiers.quote(entry.plan.table);
  return `SELECT count(*) AS differing FROM (SELECT rowid AS ${row}, ${keySql(entry.key, place)} AS key, ${values} AS vals FROM ${staged}) AS other
    JOIN ${entityRowsTable(entry)} AS rows ON rows.key = other.key AND rows.${row} <> other.${row}
    JOIN (SELECT rowid AS ${row}, ${values} AS vals FROM ${staged}) AS counted ON counted.${row} = rows.${row}
    WHERE other.vals <> counted.vals`;
}
