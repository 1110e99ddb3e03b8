import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentShop, agentShop, call, hashOf, openAgentShop, rename } from '../support/agent-shop.ts';

describe('what tools for agents write', () => {
  let shop: AgentShop;
  before(async () => (shop = await openAgentShop(1)));
  afterEach(() => shop.disconnect());
  after(() => shop.close());

  it('write an entity graph only as it was read, without new errors, atomically', async () => {
    const [reading, client] = [await shop.connect(), await shop.connect(['--allow', 'edit'])];
    await assert.rejects(
      reading.callTool({ name: 'apply_edit', arguments: {} }),
      /apply_edit needs a server that was started with --allow edit/,
    );
    const file = 'shop.entity.yaml';
    const read = await call(client, 'read_graph', { file });
    const meant = 'meant.entity.yaml';
    const marked = `\uFEFF${agentShop.replaceAll('\n', '\r\n')}# end\r\n`;
    await writeFile(join(shop.folder, meant), marked);
    const edited = await call(client, 'apply_edit', { file: meant, edits: [rename], baseHash: hashOf(marked) });
    assert.equal((edited.structured as { written: boolean }).written, true, edited.text);
    assert.equal(await readFile(join(shop.folder, meant), 'utf8'), marked.replaceAll('Pay Order', 'Settle Order'));
    await rm(join(shop.folder, meant));
    const { hash, text } = read.structured as { hash: string; text: string };
    assert.equal(text, agentShop);
    const wrong = text.replace('placed_at', 'placed_att');
    const proposed = await call(reading, 'validate', { file, text: wrong });
    assert.match(proposed.text, /unknown-column/);
    const lax = text.replace('count: 1 }', 'count: "0..1" }');
    assert.notEqual(lax, text);
    const effect = await call(reading, 'effect', { file, text: lax });
    assert.equal(effect.isError, false, effect.text);
    assert.match(effect.text, /"state":"compared"/);
    const refused = await call(client, 'apply_edit', { file, baseHash: hash, text: wrong });
    assert.deepEqual((refused.structured as { written: boolean }).written, false);
    assert.match(refused.text, /errors that were not there before/);
    assert.equal(await readFile(join(shop.folder, file), 'utf8'), agentShop);
    const renamed = text.replace('name: Shop', 'name: Shop 2 # as it is called now');
    const written = await call(client, 'apply_edit', { file, baseHash: hash, text: renamed });
    assert.equal((written.structured as { written: boolean }).written, true, written.text);
    assert.equal(await readFile(join(shop.folder, file), 'utf8'), renamed);
    const stale = await call(client, 'apply_edit', { file, baseHash: hash, text });
    assert.match(stale.text, /^stale-text: .* it has changed since it was read/);
    assert.equal(stale.isError, true);
    const { hash: next } = written.structured as { hash: string };
    const back = await call(client, 'apply_edit', { file, baseHash: next, text });
    assert.equal(back.isError, false);
    // Errors that were there before do not keep others from being mended.
    const fresh = { file: 'new.entity.yaml', text: wrong };
    assert.equal((await call(client, 'apply_edit', fresh)).isError, false);
    await assert.rejects(readFile(join(shop.folder, 'new.entity.yaml')));
    assert.equal((await call(client, 'apply_edit', { ...fresh, allowErrors: true })).isError, false);
    assert.equal(await readFile(join(shop.folder, 'new.entity.yaml'), 'utf8'), wrong);
    const { text: exists } = await call(client, 'apply_edit', fresh);
    assert.match(exists, /it exists, and baseHash is missing/);
    const { hash: ofWrong } = (await call(client, 'read_graph', { file: fresh.file })).structured as { hash: string };
    const better = wrong.replace('name: Shop', 'name: New');
    assert.equal(
      (
        (await call(client, 'apply_edit', { ...fresh, baseHash: ofWrong, text: better })).structured as {
          written: boolean;
        }
      ).written,
      true,
    );
    const twice = better.replace('startTimestamp: paid_at', 'startTimestamp: placed_att');
    const { hash: ofBetter } = (await call(client, 'read_graph', { file: fresh.file })).structured as { hash: string };
    const more = await call(client, 'apply_edit', { ...fresh, baseHash: ofBetter, text: twice });
    assert.equal((more.structured as { written: boolean }).written, false, 'the same error twice');
    await rm(join(shop.folder, 'new.entity.yaml'));
    const racing = await Promise.all(
      ['A', 'B', 'C'].map((name) =>
        call(client, 'apply_edit', { file: 'race.entity.yaml', text: text.replace('name: Shop', `name: ${name}`) }),
      ),
    );
    assert.deepEqual(
      racing.map(({ isError }) => isError),
      [false, true, true],
    );
    await writeFile(join(shop.folder, 'race.entity.yaml'), Buffer.from('version: 1\nname: Sh\xf6p\n', 'latin1'));
    assert.match((await call(client, 'read_graph', { file: 'race.entity.yaml' })).text, /is not encoded in UTF-8/);
    await writeFile(join(shop.folder, 'race.entity.yaml'), `# ${'x'.repeat(400_000)}\n`);
    assert.match((await call(client, 'read_graph', { file: 'race.entity.yaml' })).text, /at most 400000 are read/);
    await rm(join(shop.folder, 'race.entity.yaml'));
    for (const other of ['entity-sources.yaml', 'orders.csv', '../outside.entity.yaml']) {
      const answer = await call(client, 'apply_edit', { file: other, text: agentShop });
      assert.equal(answer.isError, true, other);
      assert.match(answer.text, /no entity graph|not in the workspace|no plain file/);
    }
  });

  it('import with progress, and are refused after the data sources file has changed', async () => {
    const client = await shop.connect(['--allow', 'reach']);
    const told: number[] = [];
    const { isError } = await client.callTool(
      { name: 'import', arguments: { file: 'shop.entity.yaml' } },
      { onprogress: ({ progress }) => told.push(progress) },
    );
    assert.notEqual(isError, true);
    assert.ok(told.length > 2);
    assert.deepEqual(
      told,
      told.toSorted((one, other) => one - other),
    );
    await writeFile(
      join(shop.folder, 'entity-sources.yaml'),
      `version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n`,
    );
    const { text } = await call(client, 'test_query', { file: 'shop.entity.yaml', element: 'Pay Order' });
    assert.match(text, /^not-allowed: a data sources file has changed/);
  });
});
