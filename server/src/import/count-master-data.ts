import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { MasterDataCounts } from '../../../protocol/import-progress.ts';
import type { RowCondition } from '../../../protocol/query-results.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import { masterDataCountsStep } from './build/master-data-counts.ts';
import type { StagedMasterData } from './build/master-data.ts';
import { type NotedRows, emptyKeyNote, rowsNumber } from './note-rows.ts';
import type { StepRunner } from './step-runner.ts';

interface CountedWork extends Pick<NotedRows, 'timeZone' | 'slice'> {
  readonly entities: readonly StagedMasterData[];
  readonly dialect: BuildDialect;
}

interface CountedMasterData {
  readonly entities: readonly MasterDataCounts[];
  readonly notes: readonly ImportNote[];
}

/** Counts the rows of each entry of `entities` by result. Rejects with the database's error. */
export async function countMasterData(
  runner: StepRunner,
  { entities, dialect, timeZone, slice }: CountedWork,
): Promise<CountedMasterData> {
  const counts: MasterDataCounts[] = [];
  const notes: ImportNote[] = [];
  for (const entry of entities) {
    const { plan, rows, validFrom } = entry;
    const [row] = (await runner.ask(masterDataCountsStep(entry, dialect)))[0] ?? [];
    const of = (name: string): number => Number(row?.[name] ?? 0);
    const [withoutKey, versions] = [of('withoutKey'), of('versions')];
    const repeated = rows - withoutKey - versions;
    const noted = { kind: 'entities', name: plan.name, query: plan.query, timeZone, slice } as const;
    const some = (count: number, only: RowCondition): ImportNote => [
      rowsNumber(count, noted, only),
      ' of ',
      rowsNumber(rows, noted),
      ` rows of "${plan.name}"`,
    ];
    if (rows === 0) notes.push([`"${plan.name}" has no rows: its table is empty, or its filter lets nothing through.`]);
    if (withoutKey > 0) {
      notes.push([...some(withoutKey, { kind: 'withoutKey' }), ' have no key and are left out.']);
    }
    if (of('withEmptyKey') > 0) notes.push(emptyKeyNote(of('withEmptyKey'), noted, rows));
    if (repeated > 0) {
      notes.push([...some(repeated, { kind: 'repeatedKey' }), ' repeat a key: the last row of each key counts.']);
    }
    counts.push({
      name: plan.name,
      rows,
      entities: of('entities'),
      ...(validFrom && { versions }),
      rowsWithoutKey: withoutKey,
    });
  }
  return { entities: counts, notes };
}
