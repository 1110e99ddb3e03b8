import { join } from 'node:path';
import type { ExportFormat } from '../export-format.ts';
import { foldEnds } from '../fold-ends.ts';
import { guardedColumns } from '../guard-formulas.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { chosenEntityType } from './entity-type.ts';
import { type OwnAttribute, freeNames, readCaseValues, readLogRows, takePlaces } from './log-rows.ts';

const fixed = ['case_id', 'activity', 'lifecycle', 'event_id', 'element'];

/** The events of the entities of one type as one CSV file, case by case in the order of their events; values are written as in the form `csv`. */
export const csvLog: ExportFormat = {
  singleFile: 'log.csv',
  guardsFormulas: true,
  hasCases: true,
  async write(store, folder, signal, { guardFormulas = false, entityType } = {}) {
    const type = await chosenEntityType(store, entityType, { signal });
    const endTime = await foldEnds(store, { signal });
    const { sql, values } = await readLogRows(store, type, (column) => column, { signal });
    const cases = await readCaseValues(store, type, (column) => column, { signal });
    const ended = values.find(({ name }) => name === endTime);
    const { own: taken, others } = takePlaces(values.filter((value) => value !== ended));
    const times = ended ? ['timestamp', 'start_timestamp'] : ['timestamp'];
    const ownColumn = (name: OwnAttribute): string => {
      const { column } = taken[name] ?? {};
      return column === undefined ? name : `coalesce(CAST(${column} AS VARCHAR), CAST(${name} AS VARCHAR)) AS ${name}`;
    };
    const columns = [...others, ...cases.values.map((value) => ({ ...value, name: `case_${value.name}` }))];
    const names = freeNames(columns, [...fixed, ...times], (name) => name);
    const own = columns
      .map(({ column }, index) => `, ${column} AS ${quoteIdentifier(names[index] ?? column)}`)
      .join('');
    const joined = cases.sql === undefined ? '' : ` LEFT JOIN (${cases.sql}) AS of_case USING (case_id)`;
    await store.run(
      `CREATE TEMP VIEW event_log AS SELECT case_key AS case_id, activity, ${ended ? `time AS start_timestamp, coalesce(${ended.column}, time)` : 'time'} AS timestamp, ${ownColumn('lifecycle')}, ${ownColumn('event_id')}, ${ownColumn('element')}${own}
       FROM (${sql}) AS found${joined} ORDER BY found.case_id, found.event_id`,
      { signal },
    );
    const written = guardFormulas ? await guardedColumns(store, 'event_log') : '*';
    const file = 'log.csv';
    await store.run(
      `COPY (SELECT ${written} FROM event_log) TO ${embeddedLiteral(join(folder, file))}
       (FORMAT csv, HEADER, TIMESTAMPFORMAT '%Y-%m-%dT%H:%M:%S.%fZ')`,
      { signal },
    );
    return [file];
  },
};
