import { duckdb } from '../../dialects/duckdb.ts';
import { counted, numbersOf } from '../counted.ts';
import type { FindingSearch } from '../finding-kind.ts';
import { percent } from '../finding-texts.ts';
import { caseTable } from '../step-tables.ts';

const { quote } = duckdb.literals;

const leastEntities = 50;
/** Share of the entities of a type whose keys are one text with a number behind it. */
const leastNumbered = 0.8;
/** Share of the numbers from the first to the last that there are: otherwise the log is a choice of them. */
const leastDense = 0.75;
const fewest = 5;
const leastShare = 0.01;
/** Numbers in a row of some gap: counters skip single ones, as where an entry was given up. */
const leastRun = 3;
/** Numbers that are missing across a gap in time, or beside entities that are cut off, are another finding. */
const gapDays = 7;
/** Entities before those of the beginning may have ended before the data begins: as long as most take, and of the time at most. */
const beginningShare = 0.2;
/** Share of the events of the missing numbers that a placeholder has at least, if it explains them. */
const leastMoved = 0.5;

/** Numbers that no entity has, where nearly all from the first to the last are there. */
export const numberGaps: FindingSearch = {
  kind: 'number-gaps',
  async find({ store, options, flaggedBy }) {
    await store.run(
      `CREATE OR REPLACE TEMP TABLE finding_number AS
WITH numbered AS (
  SELECT c.entity_type, c.entity_id, c.first_id, c.first_time, regexp_extract(e.key, '^(.*?)([0-9]{1,15})$', 1) AS prefix,
    TRY_CAST(nullif(regexp_extract(e.key, '^(.*?)([0-9]{1,15})$', 2), '') AS BIGINT) AS number
  FROM ${caseTable} AS c JOIN entity AS e ON e.id = c.entity_id
), cut AS (
  ${flaggedBy('truncated-cases')}
), begun AS (
  SELECT entity_type, min(first_time) + to_milliseconds(CAST(least(quantile_cont(epoch_ms(last_time) - epoch_ms(first_time), 0.95),
    ${beginningShare} * (epoch_ms(max(first_time)) - epoch_ms(min(first_time)))) AS BIGINT)) AS at FROM ${caseTable} GROUP BY entity_type
), older AS (
  SELECT entity_type, quantile_disc(number, 0.95) AS number FROM numbered WHERE first_id IN (SELECT id FROM cut) GROUP BY entity_type
), pause AS (
  SELECT DISTINCT date_trunc('day', time) AS day FROM event WHERE id IN (${flaggedBy('time-gap')})
), usual AS (
  SELECT entity_type, prefix FROM numbered WHERE number IS NOT NULL GROUP BY entity_type, prefix
  HAVING count(*) >= ${leastEntities} AND count(*) >= ${leastNumbered} * (SELECT count(*) FROM numbered AS n WHERE n.entity_type = numbered.entity_type)
)
SELECT n.*, CASE WHEN n.first_id IN (SELECT id FROM cut) OR lag(n.first_id) OVER following IN (SELECT id FROM cut) OR n.first_time < b.at OR n.number <= o.number OR EXISTS (SELECT 1 FROM pause AS p WHERE n.first_time BETWEEN p.day - INTERVAL ${gapDays} DAY AND p.day + INTERVAL ${gapDays} DAY) THEN 1 ELSE n.number - lag(n.number) OVER following END AS step, abs(epoch_ms(n.first_time) - epoch_ms(lag(n.first_time) OVER following)) / 86400000 AS days
FROM numbered AS n JOIN usual AS u ON u.entity_type = n.entity_type AND u.prefix = n.prefix JOIN begun AS b ON b.entity_type = n.entity_type LEFT JOIN older AS o ON o.entity_type = n.entity_type
WINDOW following AS (PARTITION BY n.entity_type ORDER BY n.number, n.entity_id)`,
      options,
    );
    const rows = await store.query(
      `SELECT entity_type, any_value(prefix) AS prefix, count(DISTINCT number) AS numbers, max(number) - min(number) + 1 AS span,
  sum(step - 1) FILTER (WHERE step > 1 AND days < ${gapDays}) AS missing, count(*) FILTER (WHERE step > 1 AND days < ${gapDays}) AS gaps,
  max(step - 1) FILTER (WHERE days < ${gapDays}) AS longest,
  (SELECT median(c.events) FROM ${caseTable} AS c WHERE c.entity_type = n.entity_type) AS usual,
  (SELECT count(DISTINCT v.id) FROM event AS v JOIN entity AS e ON e.id = v.entity_id WHERE e.entity_type = n.entity_type AND v.id IN (${flaggedBy('dominant-entity')})) AS placeholders
FROM temp.finding_number AS n GROUP BY entity_type ORDER BY entity_type`,
      options,
    );
    return rows.flatMap((row) => {
      const { numbers, span, missing, gaps, longest, ...rest } = numbersOf(
        row,
        ...(['numbers', 'span', 'missing', 'gaps', 'longest', 'usual', 'placeholders'] as const),
      );
      if (numbers < span * leastDense || missing < fewest) return [];
      // The rows of a missing number may be those of a key that stands for a missing value.
      const isElsewhere = rest.placeholders > 0 && missing * rest.usual * leastMoved <= rest.placeholders;
      const [type, prefix] = [String(row['entity_type']), String(row['prefix'])];
      return {
        kind: 'number-gaps' as const,
        ...counted('numbers', missing, span, isElsewhere || longest < leastRun ? Infinity : leastShare),
        element: null,
        column: null,
        message: `${missing.toLocaleString('en')} of ${span.toLocaleString('en')} numbers of the type ${type} (${percent(missing / span)}), counted ${prefix === '' ? '' : `behind ${prefix} `}without a break elsewhere, are not there, in ${gaps.toLocaleString('en')} ${gaps === 1 ? 'gap' : 'gaps'} of up to ${longest.toLocaleString('en')}: ${isElsewhere ? 'their rows probably have a key that stands for a missing value' : 'rows were deleted, or are missing in the extract'}.`,
        remedy: `Ask the source for one of the missing numbers. If it is there, load the missing rows; if it was deleted or never used, accept it.`,
        flagged: `SELECT first_id AS id FROM temp.finding_number WHERE step > 1 AND days < ${gapDays} AND entity_type = ${quote(type)}`,
      };
    });
  },
};
