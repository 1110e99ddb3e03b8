import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OcelForm } from '../../server/src/event-logs/ocel/read-log.ts';
import { logDifference } from '../support/log-difference.ts';
import { exportAt, importAt, withLogProject } from '../support/log-projects.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { copySample } from './samples-import.ts';

const forms: readonly OcelForm[] = ['ocel-json', 'ocel-xml', 'ocel-sqlite'];

/** docs/semantics.md#35-event-logs: a log that is exported, imported and exported again is the same log. */
describe('identity of event logs', () => {
  const samples = { incidents: ['incident', 'caller'], 'order-to-cash': ['order', 'delivery'] } as const;
  for (const [sample, entityTypes] of Object.entries(samples)) {
    describe(`of the sample ${sample}`, () => {
      let folder = '';
      let graph = '';
      before(async () => {
        folder = await copySample(sample);
        graph = join(folder, `${sample}.entity.yaml`);
        const { status, error } = await importAt(graph);
        assert.equal(status, 'imported', error?.message);
      });
      after(() => removeFolder(folder));

      for (const form of forms) {
        it(`in the form ${form}`, async () => {
          const first = await exportAt(graph, form, join(folder, `first.${form}`));
          await expectIdentity(first, form);
        });
      }

      for (const entityType of entityTypes) {
        it(`as XES of ${entityType}`, async () => {
          const first = await exportAt(graph, 'xes', join(folder, `${entityType}.xes`), entityType);
          await withLogProject('xes', first, async (project) => {
            const { status, error, warnings } = await importAt(project.graph);
            assert.equal(status, 'imported', error?.message);
            assert.deepEqual(warnings, []);
            const second = await exportAt(project.graph, 'xes', join(project.folder, 'second.xes'), entityType);
            const [before, after] = [await linesOf(first), await linesOf(second)];
            assert.ok(before.length > 500, `${before.length} lines`);
            assert.deepEqual(after.slice(0, 20), before.slice(0, 20));
            assert.ok(after.join('\n') === before.join('\n'), 'the files are equal');
          });
        });
      }
    });
  }
});

/** The lines of an XES file, with the attributes of each event sorted: their order has no meaning. */
async function linesOf(path: string): Promise<readonly string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.map((line) => (line.match(/<[^>]*>/g) ?? []).toSorted().join(''));
}

async function expectIdentity(first: string, form: OcelForm): Promise<void> {
  await withLogProject('ocel', first, async (project) => {
    const { status, error, warnings } = await importAt(project.graph);
    assert.equal(status, 'imported', error?.message);
    assert.deepEqual(warnings, []);
    const second = await exportAt(project.graph, form, join(project.folder, `second.${form}`));
    const { differences, rows } = await logDifference([first, second], form);
    assert.deepEqual(differences, []);
    for (const part of ['events', 'objects', 'event values', 'object values', 'event relations'] as const)
      assert.ok(rows[part] > 100, `${part}: ${rows[part]}`);
  });
}
