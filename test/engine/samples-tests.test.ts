import { deepStrictEqual } from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { runGraphTests } from '../../server/src/operations/graph-tests/run-graph-tests.ts';
import { isEntityFile, listEntityFiles, listTestFiles } from '../../server/src/project/list-entity-files.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const samples = fileURLToPath(new URL('../../samples', import.meta.url));

/** Tests that fail so that people see what that looks like, with the message. Their names and the sample's README say so. */
const brokenOnPurpose: Readonly<Record<string, readonly string[]>> = {
  incidents: [
    'broken on purpose: a reopened incident is resolved once: failed',
    'events: Expected 2 events, got 3. Not expected: { activity: Resolved, entity: INC1, time: 2024-01-01T10:00:00Z }.',
  ],
};

describe('tests of the samples', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith({});
    await cp(samples, folder, { recursive: true, filter: (path) => basename(path) !== '.entity-graph' });
  });
  after(() => removeFolder(folder));

  for (const sample of ['incidents', 'northwind', 'cross-system', 'order-to-cash', 'itsm']) {
    it(`${sample}: all tests pass without a server, except the ones broken on purpose`, async () => {
      const projectContext = {
        permitUses: permitAllUses,
        readSecret: async () => undefined,
        environment: {},
        workspaceFolderOf: () => folder,
      };
      const { signal } = new AbortController();
      const files = await listTestFiles(join(folder, sample));
      const results: string[] = [];
      for (const path of files) {
        const { tests, problems } = await runGraphTests(path, projectContext, { signal });
        results.push(...problems.map(({ message }) => message));
        for (const { name, outcome, failures } of tests) {
          if (outcome !== 'passed') results.push(`${name}: ${outcome}`, ...failures.map(({ message }) => message));
        }
      }
      deepStrictEqual([files.length > 0, results], [true, brokenOnPurpose[sample] ?? []]);
    });
  }

  it('are not entity graphs', async () => {
    const graphs = await listEntityFiles(folder);
    deepStrictEqual(
      graphs.filter((path) => /test/.test(basename(path))),
      [],
    );
    deepStrictEqual(
      ['a.entity.test.yaml', 'a.entity.test.yml', 'A.Entity.Test.YAML', 'test.entity.yaml'].map(isEntityFile),
      [false, false, false, true],
    );
  });
});
