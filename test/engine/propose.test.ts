import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { csvSources, graphText } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const shop = graphText(
  '  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed } # the first\n',
).replaceAll('\n', '\r\n');
const files = {
  'entity-sources.yaml': csvSources(),
  'shop.entity.yaml': shop,
  'shop.entity.test.yaml': `graph: shop.entity.yaml
tests:
  - name: One event
    given: { orders: [{ id: 1, placed: 2024-01-01 }] }
    expect: { events: [{ activity: Place Order, time: "2024-01-01T00:00:00Z", entity: { type: order, key: 1 } }] }
`,
  'orders.csv': 'id,placed,amount\n1,2024-01-01,10\n2,2024-01-02,20\n',
};

interface Proposed {
  readonly text?: string;
  readonly edits: readonly {
    readonly range: { readonly start: object; readonly end: object };
    readonly newText: string;
  }[];
  readonly diagnostics: readonly { readonly code: string }[];
  readonly hasNewErrors: boolean;
  readonly tests: readonly { readonly tests: readonly { readonly outcome: string }[] }[];
  readonly effect?: { readonly state?: string; readonly error?: { readonly code: string }; readonly changes?: unknown };
}

describe('entity-graph propose', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith(files);
  });
  after(() => removeFolder(folder));

  async function propose(input: unknown, ...options: readonly string[]): Promise<Proposed & { readonly code: number }> {
    const words = ['propose', 'shop.entity.yaml', ...options, '--format', 'json'];
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    const { code, stdout } = await runCommand(words, folder, {}, text);
    return { ...(JSON.parse(stdout) as Proposed), code: code ?? -1 };
  }
  const outcomes = ({ tests }: Proposed): readonly string[] =>
    tests.flatMap((report) => report.tests.map(({ outcome }) => outcome));

  it('says the lines that differ, problems and test results, and writes nothing', async () => {
    const same = await propose(shop);
    assert.deepEqual(
      [same.code, same.edits, same.hasNewErrors, outcomes(same)],
      [0, [], false, ['passed']],
      JSON.stringify(same.tests),
    );
    const wrong = await propose(shop.replace('key: id', 'key: idd'));
    assert.deepEqual(
      [wrong.code, wrong.hasNewErrors, wrong.diagnostics.map(({ code }) => code), outcomes(wrong)],
      [1, true, ['unknown-column'], ['failed']],
    );
    assert.equal(wrong.edits.length, 1);
    assert.equal(await readFile(join(folder, 'shop.entity.yaml'), 'utf8'), shop);
  });

  it('makes edits of meaning, and keeps comments and line ends', async () => {
    const { text, edits, code } = await propose(
      [
        { kind: 'configureElement', element: 'Place Order', values: { activityName: 'Order' } },
        { kind: 'set', path: ['elements', 0, 'properties'], value: ['amount'] },
        { kind: 'set', path: ['elements', 0, 'startTimestamp'], value: 'placed' },
        { kind: 'set', path: ['description'], value: 'Orders' },
        { kind: 'set', path: ['rules', 0], value: { name: 'R', each: { entityType: 'order' }, expect: [] } },
        { kind: 'set', path: ['rules'] },
      ],
      '--edits',
    );
    assert.match(text ?? '', /activityName: Order, .*properties: \[ ?amount ?\] \} # the first\r\n/u);
    assert.match(text ?? '', /^description: Orders\r$/mu);
    assert.doesNotMatch(text ?? '', /rules|[^\r]\n/u);
    assert.ok(edits.length > 0);
    assert.equal(code, 0);
  });

  it('refuses edits that do not fit, with their place', async () => {
    const refused = async (edits: unknown): Promise<string> => {
      const { code, stdout } = await runCommand(
        ['propose', 'shop.entity.yaml', '--edits', '--format', 'json'],
        folder,
        {},
        JSON.stringify(edits),
      );
      assert.equal(code, 1);
      const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
      assert.equal(error.code, 'edit-refused');
      return error.message;
    };
    assert.equal(await refused({}), 'Edits are a list.');
    assert.match(await refused([{ kind: 'set' }]), /^"edits\.0\.path" must be a list/u);
    assert.match(await refused([{ kind: 'addElement' }]), /^"edits\.0\.dataObject" is missing/u);
    assert.match(await refused([{ kind: 'explode' }]), /^"edits\.0\.kind" must be one of/u);
    assert.equal(
      await refused([{ kind: 'set', path: ['elements', 7, 'key'], value: 1 }]),
      'There is no place ["elements",7,"key"].',
    );
    const usage = await runCommand(['propose', 'shop.entity.yaml', '--edits'], folder, {}, '{');
    assert.deepEqual([usage.code, usage.stdout], [2, '']);
  });

  it('tells the effect on the rows of the last import, and why it cannot', async () => {
    const another = shop.replace('startTimestamp: placed', "startTimestamp: { sql: placed + INTERVAL '1' DAY }");
    assert.equal((await propose(another, '--effect')).effect?.error?.code, 'not-imported');
    assert.equal((await runCommand(['import', 'shop.entity.yaml'], folder)).code, 0);
    const { effect } = await propose(another.replace(/\{ sql:[^}]*\}/u, 'placed, endTimestamp: placed'), '--effect');
    assert.equal(effect?.state, 'compared', JSON.stringify(effect));
  });
});
