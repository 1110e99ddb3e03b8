import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { sweepLeftovers } from '../../server/src/operations/imports/sweep-leftovers.ts';
import { atWrite, readTrace } from '../support/at-write.ts';
import { countSoak, hasSoakTime, soakCases, soakList } from '../support/soak.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { freshCopy, importedProject, leftovers, writingOperations } from '../support/writing-operations.ts';

/** Of each operation; all of them if there are fewer, as some have. */
const momentsEach = soakCases(1, 2 / writingOperations.length);

describe('processes killed at a given moment of a write', function () {
  this.timeout(0);
  let project = '';
  let rounds = '';
  before(async () => {
    project = await importedProject();
    rounds = await folderWith({});
  });
  after(() => Promise.all([project, rounds].map(removeFolder)));

  // The import is the one that leaves most behind; the soak kills all of them.
  for (const operation of soakList(writingOperations, writingOperations.slice(0, 1))) {
    it(`${operation.name} › files are in their old or new state, and the next run cleans up`, async () => {
      const start = async (): Promise<string> => {
        const folder = await freshCopy(project, rounds);
        await operation.prepare?.(folder);
        return folder;
      };
      const trace = join(tmpdir(), `entity-graph-trace-${randomUUID()}`);
      const whole = await start();
      const done = await operation.run(whole, atWrite({ trace }));
      assert.ok(done.isDone, done.said);
      await operation.check(whole, true);
      assert.deepEqual(await leftovers(whole), []);
      const moments = await readTrace(trace);
      await rm(trace, { force: true });
      await removeFolder(whole);
      assert.ok(moments.length > 1, moments.join('\n'));
      for (const [index, at] of chosen(moments, momentsEach).entries()) {
        if (index > 0 && !hasSoakTime()) break;
        const about = `killed at ${at} of ${moments.length}: ${moments[at]}`;
        const folder = await start();
        const killed = await operation.run(folder, atWrite({ at, action: 'die' }));
        assert.equal(killed.isDone, false, about);
        await inContext(about, async () => {
          await operation.check(folder, false);
          const again = await operation.run(folder, {});
          assert.ok(again.isDone || again.code === operation.refusal, `again: ${again.said}`);
          await operation.check(folder, true);
          if (operation.isSweptInEditor) await sweepLeftovers([folder]);
          const left = await leftovers(folder);
          assert.deepEqual(
            left.filter((name) => !operation.mayLeave?.test(name)),
            [],
          );
        });
        await removeFolder(folder);
        countSoak();
      }
    });
  }
});

/**
 * Some of the moments. `npm test` has the last at which a file is replaced: of an import, its graph has taken its place
 * then, and its status has not. The soak has others at random, too.
 */
function chosen(moments: readonly string[], most: number): readonly number[] {
  const all = moments.map((_, at) => at);
  const last = all.filter((at) => /^(?:rename|link) /.test(moments[at] ?? '')).slice(-1);
  return [...new Set([...last, ...soakList(all, [])])].slice(0, most);
}

async function inContext(about: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`${about}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
