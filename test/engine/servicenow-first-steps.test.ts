import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator } from '../simulator/simulator.ts';
import type { CliRun } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

/** The code blocks of the page's first part, in order, without indentation. */
async function firstSteps(): Promise<readonly { readonly language: string; readonly text: string }[]> {
  const page = await readFile(new URL('../../docs/servicenow.md', import.meta.url), 'utf8');
  const [, part = ''] = /## From zero to an import\n([^]*?)\n## /.exec(page) ?? [];
  return [...part.matchAll(/^( *)```(\w+)\n([^]*?)\n\1```$/gm)].map(([, indent = '', language = '', text = '']) => ({
    language,
    text: text
      .split('\n')
      .map((line) => line.slice(indent.length))
      .join('\n'),
  }));
}

/** Words of a command line; quotes group some, a comment ends it. */
function wordsOf(line: string): readonly string[] {
  const words = line.replace(/ +#.*$/, '').matchAll(/"([^"]*)"|(\S+)/g);
  return [...words].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

describe('first steps in docs/servicenow.md', () => {
  it('lead to an import when followed literally', async function () {
    this.timeout(600_000);
    const simulator = await startSimulator({ incidents: 40 });
    const { clientId, clientSecret } = simulator.logins;
    const blocks = await firstSteps();
    const sources = blocks.find(({ language }) => language === 'yaml')?.text ?? '';
    const own = sources.replace('https://acme.example', simulator.url).replace('0123abcd', clientId);
    assert.ok(own.includes(simulator.url) && own.includes(clientId));
    const folder = await folderWith({ 'entity-sources.yaml': own });
    try {
      const lines = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'));
      const [secret = '', ...commands] = lines;
      const variable = /^export (\w+)=…$/.exec(secret)?.[1] ?? '';
      const runs = new Map<string, CliRun>();
      for (const line of commands) {
        const [program, name = '', ...rest] = wordsOf(line);
        assert.equal(program, 'entity-graph');
        const run = await runCommand([name, ...rest, '--workspace', folder], folder, { [variable]: clientSecret });
        assert.equal(run.code, 0, `${line}\n${run.stderr}`);
        runs.set(name, run);
      }
      assert.deepEqual([...runs.keys()], ['doctor', 'objects', 'new', 'show-query', 'test-query', 'import', 'map']);
      assert.match(runs.get('objects')?.stdout ?? '', /incident +table +\d+ +~40 +sys_id/);
      assert.match(runs.get('show-query')?.stdout ?? '', /^GET http:.*\/api\/now\/table\/incident\?/m);
      assert.match(runs.get('import')?.stdout ?? '', /Change state of incident +\d+ +\d+ +40 /);
      assert.ok((await stat(join(folder, 'itsm.svg'))).size > 1000);
    } finally {
      await simulator.close();
      await removeFolder(folder);
    }
  });
});
