import assert from 'node:assert/strict';
import { isAscii } from 'node:buffer';
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeCacheFolder } from '../../server/src/code-cache/code-cache-folder.ts';
import { type LoadedProgram, loadProgram } from '../../server/src/code-cache/load-program.ts';
import { projectFolder } from '../support/vscode-host.ts';
import { runCli } from '../support/run-cli.ts';
import { folderWith, pathsBelow, removeFolder } from '../support/temporary-folder.ts';
import { withoutPrivileges } from '../support/without-privileges.ts';

const require = createRequire(import.meta.url);

/** Also where the one who runs the tests forbids caches, as a recording run does. */
const withCache = { NODE_DISABLE_COMPILE_CACHE: undefined };

describe('cached code of programs', () => {
  let folder: string;
  let caches: string;
  let path: string;
  const load = (use?: string): LoadedProgram => loadProgram(path, { require, folder: caches, use });
  const onlyFile = async (): Promise<string> => {
    const names = await readdir(caches);
    assert.equal(names.length, 1, names.join());
    return join(caches, names[0] ?? '');
  };

  beforeEach(async () => {
    folder = await folderWith({ 'program.js': program(1) });
    caches = join(folder, 'caches', 'code');
    path = join(folder, 'program.js');
  });
  afterEach(() => removeFolder(folder));

  it('is small, because built programs are plain ASCII, of which V8 stores one byte for each character', async () => {
    const built = join(projectFolder, 'server/dist');
    const programs = (await readdir(built)).filter((name) => name.endsWith('.program.js'));
    assert.ok(programs.length >= 5, programs.join());
    const others = await Promise.all(
      programs.map(async (name) => (isAscii(await readFile(join(built, name))) ? [] : [name])),
    );
    assert.deepEqual(others.flat(), []);
  });

  it('is used by the next load, which gives the same exports', () => {
    const first = load();
    first.keepCode();
    const next = load();
    assert.deepEqual([first.usedCachedCode, next.usedCachedCode], [false, true]);
    const expected = { answer: 1, path, folder, separator: '/' };
    assert.deepEqual([exportsOf(first), exportsOf(next)], [expected, expected]);
  });

  it('is not used for another text of the same length, and is replaced', async () => {
    load().keepCode();
    await writeFile(path, program(2));
    const changed = load();
    assert.equal(changed.usedCachedCode, false);
    assert.equal(exportsOf(changed).answer, 2);
    changed.keepCode();
    assert.equal(load().usedCachedCode, true);
    await onlyFile();
  });

  it('is not used when one byte is damaged or the end is missing, and is replaced', async () => {
    load().keepCode();
    const file = await onlyFile();
    const whole = await readFile(file);
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(damaged.length >> 1) ^ 1, damaged.length >> 1);
    for (const bytes of [damaged, whole.subarray(0, whole.length - 1), whole.subarray(0, 8), Buffer.alloc(0)]) {
      await writeFile(file, bytes);
      const again = load();
      assert.deepEqual([again.usedCachedCode, exportsOf(again).answer], [false, 1], `${bytes.length} bytes`);
      again.keepCode();
      assert.equal(load().usedCachedCode, true);
    }
  });

  it('is not used from a folder that others can write to', async function () {
    if (process.platform === 'win32') return;
    load().keepCode();
    await chmod(caches, 0o777);
    const open = load();
    assert.equal(open.usedCachedCode, false);
    const before = await readFile(await onlyFile());
    open.keepCode();
    assert.deepEqual(await readFile(await onlyFile()), before);
    assert.equal((await stat(await onlyFile())).mode & 0o077, 0, 'the file is the own one of the user');
  });

  it('is kept for each use of a program, and deleted when it is a month old', async () => {
    load().keepCode();
    const monthAgo = Date.now() / 1000 - 31 * 24 * 60 * 60;
    await utimes(await onlyFile(), monthAgo, monthAgo);
    load('map').keepCode();
    assert.match(await onlyFile(), /program-map-[0-9a-f]{16}\.code$/);
    assert.deepEqual([load('map').usedCachedCode, load().usedCachedCode], [true, false]);
  });

  it('leaves a program alone when its folder cannot be made', async () => {
    await writeFile(join(folder, 'caches'), 'a file');
    const loaded = load();
    loaded.keepCode();
    assert.equal(exportsOf(loaded).answer, 1);
  });

  it('leaves a program alone in a file system where nothing can be made', function () {
    if (process.platform !== 'linux') return;
    const loaded = loadProgram(path, { require, folder: '/proc/nowhere/code' });
    loaded.keepCode();
    assert.equal(exportsOf(loaded).answer, 1);
  });

  it('keeps the source position when a program throws', async () => {
    await writeFile(path, "throw new Error('on purpose');");
    assert.throws(load, (error: Error) => error.stack?.includes(`${path}:1:7`) === true);
  });

  describe('of the command line', () => {
    const cached = async (env: Readonly<Record<string, string>>, wrapper?: readonly string[]) => {
      const run = await runCli(['--version'], { env: { ...withCache, XDG_CACHE_HOME: folder, ...env }, wrapper });
      assert.deepEqual([run.code, run.stderr], [0, '']);
      return { printed: run.stdout, files: (await pathsBelow(folder)).filter((name) => name.endsWith('.code')) };
    };

    it('is written once, and not when NODE_DISABLE_COMPILE_CACHE is set', async function () {
      if (process.platform === 'win32') return;
      assert.deepEqual((await cached({ NODE_DISABLE_COMPILE_CACHE: '1' })).files, []);
      const [first, next] = [await cached({}), await cached({})];
      assert.equal(first.files.length, 1);
      assert.match(first.files.join(), /^entity-graph[\\/]code[\\/]cli\.program-start-[0-9a-f]{16}\.code$/);
      assert.deepEqual(next, first);
    });

    it('is left out without a message when the cache folder is read-only', async function () {
      if (process.platform === 'win32') return;
      await mkdir(caches, { recursive: true });
      await chmod(folder, 0o555);
      assert.deepEqual((await cached({}, withoutPrivileges.wrapper)).files, []);
    });
  });
});

describe('cached code of the extension', () => {
  let folder: string;

  /** Activates it in a process of its own; prints what the activation did. */
  const activate = async (): Promise<string> => {
    const script = `
      const later = setTimeout;
      // The extension keeps its code some seconds after the activation.
      globalThis.setTimeout = (call) => (later(call), { unref() {} });
      const said = [];
      require('./extension.cjs').activate(said).then(() => console.log(said.join()), (error) => console.log(error.message));`;
    const env = { ...process.env, ...withCache, XDG_CACHE_HOME: folder, LOCALAPPDATA: folder };
    return (await promisify(execFile)(process.execPath, ['-e', script], { cwd: folder, env })).stdout.trim();
  };
  const kept = async (): Promise<readonly string[]> =>
    (await pathsBelow(folder)).filter((name) => name.endsWith('.code'));

  beforeEach(async () => {
    folder = await folderWith({
      'extension.cjs': await readFile(join(projectFolder, 'client/dist/extension.cjs')),
      'extension.program.cjs': "exports.activate = (said) => said.push('active', require('./library.cjs'));",
      'library.cjs': "module.exports = 'with its library';",
    });
  });
  afterEach(() => removeFolder(folder));

  it('is kept after an activation, and used by the next', async () => {
    assert.equal(await activate(), 'active,with its library');
    const files = await kept();
    assert.equal(files.length, 1);
    assert.match(files.join(), /[\\/]extension\.program\.cjs-start-[0-9a-f]{16}\.code$/);
    const { mtimeMs } = await stat(join(folder, files.join()));
    assert.equal(await activate(), 'active,with its library');
    assert.equal((await stat(join(folder, files.join()))).mtimeMs, mtimeMs, 'used code is not written again');
  });

  it('is not kept when the activation fails, which tells why', async () => {
    await writeFile(
      join(folder, 'extension.program.cjs'),
      "exports.activate = () => { throw new Error('on purpose'); };",
    );
    assert.equal(await activate(), 'on purpose');
    assert.deepEqual(await kept(), []);
  });
});

describe('folder of cached code', () => {
  const of = (platform: NodeJS.Platform, environment: Readonly<Record<string, string>>, home = () => '/home/me') =>
    codeCacheFolder(environment, { platform, home });
  const below = (...names: readonly string[]): string => join(...names, 'entity-graph', 'code');

  it('lies in the cache folder of the user', () => {
    assert.equal(of('linux', {}), below('/home/me', '.cache'));
    assert.equal(of('linux', { XDG_CACHE_HOME: '/caches' }), below('/caches'));
    assert.equal(of('linux', { XDG_CACHE_HOME: 'relative' }), below('/home/me', '.cache'));
    assert.equal(of('darwin', {}), below('/home/me', 'Library', 'Caches'));
    assert.equal(of('win32', { LOCALAPPDATA: '/local' }), below('/local'));
    assert.equal(of('win32', {}), below('/home/me', 'AppData', 'Local'));
  });

  it('does not exist without a home, when such caches are off, and while coverage is measured', () => {
    const homeless = (): string => {
      throw new Error('no such user');
    };
    assert.equal(of('linux', {}, homeless), undefined);
    assert.equal(
      of('linux', {}, () => ''),
      undefined,
    );
    assert.equal(of('linux', { NODE_DISABLE_COMPILE_CACHE: '1' }), undefined);
    assert.equal(of('linux', { NODE_V8_COVERAGE: '/coverage' }), undefined);
  });
});

/** A program whose texts have one length for all digits, with characters beyond ASCII. */
function program(answer: number): string {
  return `const { sep } = require('node:path'); // ü…
module.exports = { answer: ${answer}, path: __filename, folder: __dirname, separator: sep };`;
}

function exportsOf({ exports }: LoadedProgram): Record<string, unknown> {
  return exports as Record<string, unknown>;
}
