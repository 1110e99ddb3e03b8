import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const module = new URL('../../../server/src/lsp/release-memory.ts', import.meta.url).href;

/** Two of three objects go, so that no page of the heap becomes empty. */
const program = `
  const { cachedDataVersionTag } = await import('node:v8');
  const tag = cachedDataVersionTag();
  process.on('exit', () => console.log(cachedDataVersionTag() === tag ? 'same options' : 'other options'));
  const { createMemoryRelease } = await import(${JSON.stringify(module)});
  let kept = Array.from({ length: 400_000 }, (_, index) => ({ index, list: [index] }));
  kept = kept.filter((_, index) => index % 3 === 0);
  const before = process.memoryUsage().heapTotal;
  createMemoryRelease().opened('x'.repeat(100_000));
  const until = Date.now() + 60_000;
  const look = setInterval(() => {
    const isSmaller = process.memoryUsage().heapTotal < before * 0.75;
    if (!isSmaller && Date.now() < until) return;
    console.log(isSmaller ? 'smaller' : 'as large as before', kept.length);
    process.exit();
  }, 50);
`;

describe('memory of the language server', () => {
  // Code that was cached under other options of V8 is rejected by the next start.
  it('is returned to the system after reading a large file, and the options of V8 are restored', () => {
    const flags = ['--import', 'tsx', '--input-type=module', '-e', program];
    const cwd = fileURLToPath(new URL('../../../', import.meta.url));
    const { stdout, stderr } = spawnSync(process.execPath, flags, { cwd, encoding: 'utf8' });
    assert.deepEqual([stdout, stderr], ['smaller 133334\nsame options\n', '']);
  });
});
