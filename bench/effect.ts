import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { sourcesFile, ticketRows } from './csv-import-order.ts';
import { type EffectMeasurement, type EffectOrder, baseText } from './effect-order.ts';
import { inProcess } from './in-process.ts';
import { besideFloor, printResults, ratioBounds } from './measure.ts';

/** Nearly two events each: 1,014,000. */
const rows = 520_000;
const rounds = 3;

/** The effect of one changed `where` without attribution, compared with a full import of the same file. */
export async function run(): Promise<BenchResult[]> {
  const folder = await folderWith({ 'ticket.entity.yaml': baseText, 'entity-sources.yaml': sourcesFile });
  try {
    await writeFiles(folder, { 'data/ticket.csv': '' });
    const scratch = await openScratch();
    await scratch.run(`COPY (${ticketRows(rows)}) TO '${join(folder, 'data', 'ticket.csv')}'`);
    await scratch.close();
    const measured = (work: EffectOrder['work']): Promise<EffectMeasurement> =>
      inProcess('effect-process.ts', { work, folder } satisfies EffectOrder);
    const imports: EffectMeasurement[] = [];
    const effects: EffectMeasurement[] = [];
    for (let round = 0; round < rounds; round++) {
      imports.push(await measured('import'));
      effects.push(await measured('effect'));
    }
    const [imported, compared] = [imports[0], effects[0]];
    assert.equal(compared?.events, imported?.events);
    assert.ok(compared && compared.gone > 0 && compared.gone < compared.events);
    const seconds = besideFloor(
      effects.map((each) => each.seconds),
      imports.map((each) => each.seconds),
    );
    const name = `Effect of one changed where on ${compared.events.toLocaleString('en')} events of a file`;
    const bounds = ratioBounds(seconds.ratio, { aim: 1.2, limit: 1.5 }, 'a full import of the file');
    return [{ name, unit: 's', ...seconds, ...bounds }];
  } finally {
    await removeFolder(folder);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
