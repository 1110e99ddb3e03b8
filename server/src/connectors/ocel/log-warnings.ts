import { fineTimesWarning } from '../log-file/fine-times-warning.ts';
import type { CheckResult } from '../../event-logs/log-check.ts';
import { otherValueTypes, valueTypes } from '../../event-logs/ocel/log-checks.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import type { DuckDbSession, StatementOptions } from '../../store/duckdb-store.ts';

/** The times of a log: of events, of values of objects, and values that are times. */
const logTimes = `SELECT time AS value, 'event ' || id AS place FROM event
  UNION ALL SELECT time, 'object ' || owner FROM object_value
  UNION ALL SELECT held.value, 'event ' || held.owner FROM event_value AS held JOIN event AS own ON own.id = held.owner
    SEMI JOIN declared_attribute AS d ON d.kind = 'event' AND d.type = own.type AND d.name = held.name AND d.value_type IN ('time', 'date')
  UNION ALL SELECT held.value, 'object ' || held.owner FROM object_value AS held JOIN object AS own ON own.id = held.owner
    SEMI JOIN declared_attribute AS d ON d.kind = 'object' AND d.type = own.type AND d.name = held.name AND d.value_type IN ('time', 'date')`;

/** What is not read as the file has it. @param leftOut checks that find parts without a place in `logTables` */
export async function readWarnings(
  database: DuckDbSession,
  leftOut: readonly CheckResult[],
  options: StatementOptions,
): Promise<readonly string[]> {
  return [
    ...leftOut.map((broken) => `parts of the file that OCEL 2.0 does not have are left out. ${examplesText(broken)}`),
    ...(await typeWarnings(database, options)),
    ...(await ownerWarnings(database, options)),
    ...(await fineTimesWarning(database, logTimes, options)),
  ];
}

/** A failed check with its examples. */
export function examplesText({ name, violations, examples }: CheckResult): string {
  const shown = examples.length === 0 ? '' : `: ${examples.join('; ')}`;
  const count = violations > examples.length ? ` (${violations} in all)` : '';
  return `Rule: "${name}". Not so${shown}${count}.`;
}

async function typeWarnings(database: DuckDbSession, options: StatementOptions): Promise<readonly string[]> {
  const known = [...valueTypes, ...Object.keys(otherValueTypes)].map((type) => embeddedLiteral(type));
  const rows = await database.query(
    `SELECT kind, type, name, value_type FROM declared_attribute
     WHERE name IS NOT NULL AND value_type NOT IN (${known.join(', ')})
     QUALIFY row_number() OVER (PARTITION BY value_type ORDER BY rowid) = 1 ORDER BY rowid`,
    options,
  );
  const texts = (row: Readonly<Record<string, unknown>>) =>
    ['kind', 'type', 'name', 'value_type'].map((each) => String(row[each]));
  return rows.map((row) => {
    const [kind, type, name, valueType] = texts(row);
    return `attributes declared as ${valueType}, such as ${name} of the ${kind} type ${type}, are read as texts: the types of OCEL 2.0 are ${valueTypes.join(', ')}.`;
  });
}

/** Tables of SQLite may have rows of events and objects that do not exist. */
async function ownerWarnings(database: DuckDbSession, options: StatementOptions): Promise<readonly string[]> {
  const kinds = ['event', 'object'] as const;
  const rows = await database.query(
    kinds
      .map(
        (kind) => `SELECT '${kind}' AS kind, count(*) AS held, min(owner) AS owner
          FROM ${kind}_value AS held ANTI JOIN ${kind} AS own ON own.id = held.owner`,
      )
      .join(' UNION ALL '),
    options,
  );
  return rows
    .filter((row) => Number(row['held']) > 0)
    .map((row) => {
      const [kind, count] = [String(row['kind']), Number(row['held'])];
      const of = `${kind}s that do not exist, such as ${String(row['owner'] ?? 'one without id')}`;
      return count === 1 ? `1 value of ${of}, is left out.` : `${count} values of ${of}, are left out.`;
    });
}
