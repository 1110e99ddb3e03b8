import assert from 'node:assert/strict';
import { join } from 'node:path';
import { validateFile } from '../../server/src/operations/validation/validate.ts';
import { graphText } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { noSecrets } from '../support/no-secrets.ts';

describe('validation of SQL with DuckDB', () => {
  it('stops on cancellation without reporting a problem', async () => {
    const element =
      '  - { activityName: Order, dataObject: orders, key: id, startTimestamp: at, where: "id = AND 1" }\n';
    // Nothing is read of this source: the test waits for the SQL only.
    const folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: rest, baseUrl: "http://127.0.0.1:1" }\n',
      'shop.entity.yaml': graphText(element),
    });
    const check = (signal?: AbortSignal) =>
      validateFile(join(folder, 'shop.entity.yaml'), { ...noSecrets }, { online: false, signal });
    try {
      const { problems } = await check();
      assert.deepEqual(
        problems.map(({ code }) => code),
        ['sql-syntax'],
      );
      await assert.rejects(check(AbortSignal.abort(new Error('Cancelled.'))), /^Error: Cancelled\.$/);
    } finally {
      await removeFolder(folder);
    }
  });
});

describe('validation of a large graph', () => {
  const elements = 15_000;
  let folder: string;
  before(async () => {
    const element = (number: number): string =>
      `  - { activityName: A${number}, dataObject: o${number}, key: id, startTimestamp: at }\n`;
    folder = await folderWith({
      'large.entity.yaml': graphText(Array.from({ length: elements }, (_, index) => element(index)).join('')),
    });
  });
  after(() => removeFolder(folder));

  const validate = (signal?: AbortSignal): ReturnType<typeof validateFile> =>
    validateFile(join(folder, 'large.entity.yaml'), { ...noSecrets }, { online: false, signal });

  it('lets others work, and stops on cancellation', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    try {
      const { problems } = await validate();
      assert.equal(problems.length, 1, 'of all elements, the missing sources file is told once');
    } finally {
      clearInterval(timer);
    }
    assert.ok(turns > 10, `${turns} turns of the event loop`);
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('Cancelled.')), 20);
    await assert.rejects(validate(abort.signal), /^Error: Cancelled\.$/);
  });
});
