import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';
import { projectFolder } from '../../support/vscode-host.ts';

/** The export of `scripts/selection/read-calls.mjs`, which has no types. */
interface ReadCalls {
  readCalls(
    imports: ReadonlyMap<string, readonly string[]>,
    folder: string,
  ): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<number>>>;
}

describe('recorded calls', () => {
  const source = 'protocol/escape-markdown.ts';
  const [called, other] = ['escapeMarkdown', 'escapeTableCell'];
  let folder: string;
  let readCalls: ReadCalls['readCalls'];
  before(async () => {
    const url = new URL('../../../scripts/selection/read-calls.mjs', import.meta.url).href;
    ({ readCalls } = (await import(url)) as ReadCalls);
  });
  beforeEach(async () => {
    folder = await folderWith({});
  });
  afterEach(() => removeFolder(folder));

  const lineOf = (name: string): number =>
    readFileSync(join(projectFolder, source), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(`function ${name}(`)) + 1;

  /** Runs a script for `test/engine/one.test.ts`; the lines of the source in which called functions start. */
  function linesCalledBy(script: string): readonly number[] {
    execFileSync(process.execPath, ['--no-warnings', '--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: projectFolder,
      env: {
        ...process.env,
        ENTITY_GRAPH_CALLS: join(folder, 'calls/engine/one.test.ts'),
        NODE_OPTIONS: `--require ${JSON.stringify(join(projectFolder, 'scripts/selection/record-calls.cjs'))}`,
      },
    });
    const calls = readCalls(new Map(), join(folder, 'calls'));
    assert.deepEqual([...calls.keys()], ['test/engine/one.test.ts']);
    return [...(calls.get('test/engine/one.test.ts')?.get(source) ?? [])];
  }

  function bundle(name: string): string {
    const outfile = join(folder, 'server/dist', name);
    buildSync({
      absWorkingDir: projectFolder,
      stdin: { contents: `export * from './${source}'; export const text = 'ä\u2028';`, resolveDir: projectFolder },
      outfile,
      bundle: true,
      format: 'cjs',
      sourcemap: 'linked',
    });
    return outfile;
  }

  it('have the lines of the called functions of a module', () => {
    const lines = linesCalledBy(`const m = await import('./${source}'); m.${called}('a');`);
    assert.ok(lines.includes(lineOf(called)) && !lines.includes(lineOf(other)), lines.join());
  });

  it('have them of a bundle', () => {
    const path = JSON.stringify(bundle('server.js'));
    const lines = linesCalledBy(`const { default: m } = await import(${path}); m.${called}('a');`);
    assert.ok(lines.includes(lineOf(called)) && !lines.includes(lineOf(other)), lines.join());
  });

  it('have them of a program that is loaded with cached code', () => {
    const path = JSON.stringify(bundle('server.program.js'));
    const lines = linesCalledBy(`
      import { createRequire } from 'node:module';
      const { loadProgram } = await import('./server/src/code-cache/load-program.ts');
      const require = createRequire(${path});
      loadProgram(${path}, { require, folder: undefined }).exports.${called}('a');`);
    assert.ok(lines.includes(lineOf(called)) && !lines.includes(lineOf(other)), lines.join());
  });

  it('are empty for a source that is only loaded', () =>
    assert.deepEqual(linesCalledBy(`await import('./${source}');`), []));
});
