import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../../server/src/model/rules.ts';
import { type Explanation, explainTopic } from '../../server/src/operations/format/explain-topic.ts';
import { projectRoot } from '../support/doc-pages.ts';
import { runCommand } from '../support/run-command.ts';
import { removeFolder, folderWith } from '../support/temporary-folder.ts';

const docs = join(projectRoot, 'docs');
const explain = (topic?: string): Promise<Explanation> => explainTopic(topic, docs);

describe('entity-graph explain', () => {
  it('knows every rule, with its example', async () => {
    for (const code of Object.keys(rules)) {
      const { kind, items } = await explain(code);
      assert.deepEqual([kind, items.map(({ title }) => title)], ['rule', [code]]);
      assert.match(items[0]?.text ?? '', /^\*(Error|Warning|Information)/u);
    }
  });

  it('knows sections by number and title, and chapters with their parts', async () => {
    const [section] = (await explain('8.2')).items;
    assert.equal(section?.title, '8.2 Times without zone');
    assert.ok((section?.text.length ?? 0) > 100);
    assert.deepEqual((await explain('times WITHOUT zone')).items, [section]);
    const chapter = await explain('8');
    assert.match(chapter.items.at(-1)?.text ?? '', /^\* 8\.1 Times are UTC\n\* 8\.2/u);
  });

  it('knows fields by path and by name, those of kinds of data sources, too', async () => {
    const { kind, items } = await explain('elements[0].startTimestamp');
    assert.deepEqual([kind, items.length], ['field', 1]);
    assert.match(items[0]?.text ?? '', /[a-z].*\n(Required|Optional)/u);
    const named = await explain('crossTable');
    assert.deepEqual(
      named.items.map(({ title }) => title),
      ['relationships[].crossTable (*.entity.yaml)'],
    );
    assert.ok((await explain('baseUrl')).items.some(({ title }) => title.includes('entity-sources.yaml')));
  });

  it('lists all topics, each of which it knows, and suggests for others', async () => {
    const { items } = await explain();
    const topics = items.flatMap(({ text }) => text.split('\n').map((line) => line.slice(2)));
    assert.ok(topics.length > 200);
    for (const topic of topics)
      assert.notEqual((await explain(topic.replace(/^(\d[\d.]*\d|\d)\.? .*/u, '$1'))).items.length, 0, topic);
    await assert.rejects(explain('key-widht'), /Nothing is known about "key-widht"\. Did you mean key-width\?/u);
    const { code, stderr } = await runCommand(['explain', 'zzzzzz'], projectRoot);
    assert.equal(code, 2);
    assert.match(stderr, /Without a topic, all are listed/u);
  });

  it('needs only the documents that are packaged', async () => {
    const folder = await folderWith({ 'x.txt': '' });
    try {
      mkdirSync(join(folder, 'semantics'));
      cpSync(join(docs, 'semantics'), join(folder, 'semantics'), { recursive: true });
      cpSync(join(docs, 'rules.md'), join(folder, 'rules.md'));
      assert.deepEqual(await explainTopic('key-width', folder), await explain('key-width'));
      assert.deepEqual(await explainTopic('13.1', folder), await explain('13.1'));
    } finally {
      await removeFolder(folder);
    }
  });
});
