import assert from 'node:assert/strict';
import type { Tokens } from 'marked';
import { docPages, readSections } from '../support/doc-pages.ts';
import { type Answer, comparedAnswers, rowText, serviceTimes } from '../support/insight-answers.ts';
import { insightFiles } from '../support/insight-graph.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { queryDuckDb } from './samples-import.ts';

for (const [graph, more] of [
  ['docs/insight.md', ''],
  ['docs/insight.md of a graph with ends', ', endTimestamp: done'],
] as const) {
  describe(graph, () => answers(more));
}

function answers(more: string): void {
  const sections = readSections(docPages().get('docs/insight.md') ?? '').map(({ title, tokens }) => {
    const blocks = (language: string): readonly string[] =>
      tokens.flatMap((token) => {
        const { type, lang, text } = token as Tokens.Code;
        return type === 'code' && lang === language ? [text] : [];
      });
    return {
      title,
      commands: blocks('sh').flatMap((block) => block.split('\n')),
      sql: blocks('sql'),
      pandas: blocks('python'),
    };
  });
  let folder = '';
  let store = '';
  before(async () => {
    folder = await folderWith(insightFiles(more));
    const { stdout } = await run('import', 'shop.entity.yaml', '--format', 'json');
    const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { store: string };
    store = summary.store;
  });
  after(() => removeFolder(folder));

  const run = (...args: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand([...args, '--workspace', folder], folder);

  for (const { title, commands, sql, pandas } of sections) {
    it(`${title} a command, its SQL and pandas answer`, async () => {
      assert.ok(commands.length > 0 && sql.length === 1 && pandas.length === 1);
      for (const command of commands) {
        const { code, stdout, stderr } = await run(...wordsOf(command));
        assert.equal(code, 0, stderr);
        assert.ok(stdout.split('\n').length > 2, stdout);
      }
      if (title === serviceTimes && more === '') return;
      assert.ok((await queryDuckDb(sql[0] ?? '', store)).length > 0);
    });
  }

  for (const [title, ofAnswer, ofRow] of comparedAnswers) {
    it(`${title} SQL and the command give the same`, async () => {
      if (title === serviceTimes && more === '') return;
      const { commands, sql } = sections.find((section) => section.title === title) ?? assert.fail(title);
      const { stdout } = await run(...wordsOf(commands[0] ?? ''), '--format', 'json');
      const [answered, queried] = [
        ofAnswer(JSON.parse(stdout) as Answer).map(rowText),
        (await queryDuckDb(sql[0] ?? '', store)).map((row) => rowText(ofRow(row))),
      ];
      assert.ok(answered.length > 0);
      assert.deepEqual(answered.toSorted(), queried.toSorted());
    });
  }

  it('SQL and commands give the same numbers', async () => {
    const sqlOf = async (title: string): Promise<Readonly<Record<string, unknown>>> => {
      const [row] = await queryDuckDb(sections.find((each) => each.title === title)?.sql[0] ?? '', store);
      return row ?? {};
    };
    const groupOf = async (...args: readonly string[]) => {
      const { stdout } = await run('analyze', 'shop.entity.yaml', ...args, '--format', 'json');
      return (JSON.parse(stdout) as [{ groups: [{ median: number; p90: number; mean: number }] }])[0].groups[0];
    };
    const [time, long] = [await groupOf('--measure', 'throughput'), await sqlOf('How long does it take?')];
    const daysOf = (milliseconds: number): string => (milliseconds / 86_400_000).toFixed(9);
    assert.deepEqual(
      [long['median'], long['p90']].map((days) => Number(days).toFixed(9)),
      [daysOf(time.median), daysOf(time.p90)],
    );
    const { rate } = await sqlOf('How much is done twice?');
    assert.equal(rowText([rate]), rowText([(await groupOf('--measure', 'rework rate')).mean]));
    const sqlRows = await queryDuckDb(
      sections.find(({ title }) => title === 'Which way is slow?')?.sql[0] ?? '',
      store,
    );
    const listed = await run('variants', 'shop.entity.yaml', '--format', 'json');
    const { variants } = JSON.parse(listed.stdout) as {
      variants: readonly { activities: readonly string[]; entities: number; median: number }[];
    };
    assert.deepEqual(
      sqlRows.map(({ variant, orders, median }) => [String(variant), Number(orders), Number(median).toFixed(9)]).sort(),
      variants.map(({ activities, entities, median }) => [String(activities), entities, daysOf(median)]).sort(),
    );
    const { stdout } = await run(
      'entities',
      'shop.entity.yaml',
      ...['--sort', 'idle', '--where', 'without:Close Order'],
    );
    assert.match(
      stdout,
      new RegExp(`^${String((await sqlOf('What has been lying still for longest?'))['key'])} `, 'm'),
    );
  });
}

/** The words of a command after the name of the program. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
}
