import assert from 'node:assert/strict';
import { builtinModules } from 'node:module';
import { build } from 'esbuild';

/** Programs of package.json that install what is missing, so that they start where nothing is installed yet. */
const programs = ['start', 'build', 'test', 'bench', 'package', 'try-server', 'soak'];

describe('programs of a fresh clone', () => {
  for (const program of programs)
    it(`npm run ${program} loads no package before packages are installed`, async () => {
      assert.deepEqual(await packagesAtStart(`scripts/${program}.mjs`), []);
    });
});

/** The packages that a program imports before its first statement runs, each with the file that imports it. */
async function packagesAtStart(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const files = new Set([entry]);
  const packages: string[] = [];
  for (const file of files)
    for (const { path, kind, external } of metafile.inputs[file]!.imports) {
      // Imports by `import()` are loaded when they are reached.
      if (kind !== 'import-statement') continue;
      if (!external) files.add(path);
      else if (!path.startsWith('node:') && !builtinModules.includes(path)) packages.push(`${file}: ${path}`);
    }
  return packages;
}
