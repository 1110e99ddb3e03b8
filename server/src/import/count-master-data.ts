import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { MasterDataCounts } from '../../../protocol/import-progress.ts';
import type { RowCondition } from '../../../protocol/query-results.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import { masterDataCountsStep } from './build/master-data-counts.ts';
import type { StagedMasterData } from './build/master-data.ts';
import type { StatementsStep } from './build/plan-statement.ts';
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
    const step = masterDataCountsStep(entry, { dialect, timeZone });
    const [first, ...others] = step.statements;
    const [row] = (await runner.ask({ ...step, statements: first ? [first] : [] }))[0] ?? [];
    const of = (name: string): number => Number(row?.[name] ?? 0);
    const [withoutKey, versions] = [of('withoutKey'), of('versions')];
    const isRepeated = others.length > 0 && rows > withoutKey + versions;
    const differing = isRepeated ? await countDiffering(runner, { ...step, statements: others }) : 0;
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
    if (differing > 0) {
      const text = ' repeat a key with other values: the last row of each key counts.';
      notes.push([...some(differing, { kind: 'repeatedKey' }), text]);
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

/** Most keys are unique, and comparing values takes time: only asked where keys repeat. */
async function countDiffering(runner: StepRunner, { name, ...step }: StatementsStep): Promise<number> {
  const [[row] = []] = await runner.ask({ ...step, name: `${name}_values` });
  return Number(row?.['differing'] ?? 0);
}
