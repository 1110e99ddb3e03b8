// `npm run package [-- --target linux-x64|…|all]`: a .vsix for this or another platform in dist/.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { cacheFolder, isMainModule, root } from './paths.mjs';
import { readZip } from './read-zip.mjs';
import { runCommand, runNpm } from './run-command.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { packagedBundles } from './selection/read-calls.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

export const targets = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];
const ownTarget = `${process.platform}-${process.arch}`;

/** Packages excluded from bundling, because they load native libraries. */
const nativePackages = [...['@duckdb/node-bindings', 'detect-libc'], ...['@photostructure/sqlite', 'node-gyp-build']];

/** Each of them must be in the archive, and no path may match `forbidden`. */
const required = [
  'package.json',
  'LICENSE.txt',
  'readme.md',
  'ThirdPartyNotices.txt',
  'client/dist/extension.cjs',
  'client/dist/extension.program.cjs',
  'client/dist/client-library.cjs',
  'server/dist/main.js',
  'server/dist/main.program.js',
  'server/dist/engine.js',
  'server/dist/engine.program.js',
  'server/dist/graph.js',
  'server/dist/graph.program.js',
  'server/dist/elk-thread.js',
  'server/dist/elk-worker.min.js',
  'server/dist/elk-worker.LICENSE.txt',
  'server/dist/duckdb.js',
  'server/dist/duckdb.program.js',
  'server/dist/sqlite.js',
  'server/dist/cli.js',
  'server/dist/cli.program.js',
  'server/dist/package.json',
  'server/dist/libpg-query.wasm',
  'server/dist/pglite.js',
  'server/dist/pglite.wasm',
  'server/dist/initdb.wasm',
  'server/dist/pglite.data',
  'server/dist/node-sqlite3-wasm.wasm',
  'webview/dist/canvas.js',
  'webview/dist/entities.js',
  'webview/dist/event-graph.js',
  'webview/dist/results.js',
  'webview/dist/elk-worker.min.js',
  'webview/dist/elk-worker.LICENSE.txt',
  'webview/dist/codicon.css',
  'webview/dist/codicon.ttf',
  'schemas/entity-graph.schema.json',
  'schemas/entity-tests.schema.json',
  'schemas/entity-sources.schema.json',
  'docs/rules.md',
  'docs/semantics/language.md',
  'package.nls.json',
  'l10n/bundle.l10n.json',
  'client/skills/entity-graph/SKILL.md',
  'client/walkthrough/source.md',
  'client/walkthrough/canvas.svg',
  'client/walkthrough/rules.svg',
  'samples/incidents/incidents.entity.yaml',
  'samples/incidents/data/incident_event_log.csv',
];
const forbidden =
  /\.map$|\.ts$|\/src\/|\.entity-graph\/|^(test|bench|scripts|node_modules)\/|^samples\/(?!incidents\/)/;

/**
 * Builds, packs and checks the extension for one platform.
 * @returns {Promise<string>} The path of the .vsix.
 */
export async function packageExtension(target = ownTarget) {
  if (!targets.includes(target)) {
    throw new Error(`There is no package for "${target}". Choose from ${targets.join(', ')} or all.`);
  }
  const bundled = await build({ production: true });
  const stage = join(cacheFolder, 'package', target);
  rmSync(stage, { recursive: true, force: true });
  keepSourceMaps();
  await stageFiles(stage, bundled);
  await stageNativePackages(stage, target);
  return packAndCheck(stage, target);
}

/** For positions in the packaged bundles (`selection/read-calls.mjs`): the next build may be another one. */
function keepSourceMaps() {
  for (const folder of ['client/dist', 'server/dist']) {
    for (const file of readdirSync(join(root, folder)).filter((name) => /\.c?js(\.map)?$/.test(name))) {
      cpSync(join(root, folder, file), join(packagedBundles, folder, file));
    }
  }
}

/** VS Code shows the README with images of the package. */
function picturesOfReadme() {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  return [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path]) => path);
}

async function stageFiles(stage, bundled) {
  const vsce = await import('@vscode/vsce');
  // A loader of TypeScript passes the exports of a CommonJS module without `default`.
  const { PackageManager, listFiles } = vsce.default ?? vsce;
  // vsce reads .vscodeignore; the included project files are copied to a clean folder.
  for (const file of await listFiles({ cwd: root, packageManager: PackageManager.None })) {
    cpSync(join(root, file), join(stage, file));
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const key of ['scripts', 'dependencies', 'devDependencies', 'allowScripts', 'private']) delete manifest[key];
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const copied = ['elkjs', '@vscode/codicons', ...nativePackages].map((name) => `node_modules/${name}`);
  writeFileSync(join(stage, 'ThirdPartyNotices.txt'), thirdPartyNotices([...new Set([...copied, ...bundled])].sort()));
}

/** Next to the server, because vsce omits a node_modules of the root. */
async function stageNativePackages(stage, target) {
  const modules = join(stage, 'server/node_modules');
  // The SQLite reader has its libraries for all platforms in one package, and its sources.
  const isForeign = (path) => /[\\/]prebuilds[\\/]./.test(path) && !path.includes(target);
  const isSource = (path) => /@photostructure[\\/]sqlite[\\/](src|scripts|binding\.gyp)/.test(path);
  const keep = (path) => !/\.(d\.[cm]?ts|map)$/.test(path) && !isForeign(path) && !isSource(path);
  for (const name of nativePackages) {
    cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true, filter: keep });
  }
  const name = `@duckdb/node-bindings-${target}`;
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@duckdb/node-bindings/package.json'), 'utf8'));
  cpSync(await nativeFolder(name, version), join(modules, name), { recursive: true, filter: keep });
}

/** Folder of a platform's package: installed, or downloaded once. */
async function nativeFolder(name, version) {
  const installed = join(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const folder = join(cacheFolder, 'native', `${name.replace('/', '-').slice(1)}-${version}`);
  if (existsSync(join(folder, 'package'))) return join(folder, 'package');
  console.log(`package: fetching ${name}@${version}`);
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    const printed = await runNpm(['pack', '--silent', '--ignore-scripts', `${name}@${version}`], { cwd: draft });
    await runCommand('tar', ['xzf', printed.trim().split('\n').at(-1)], { cwd: draft });
    cpSync(join(draft, 'package'), join(folder, 'package'), { recursive: true });
  } catch (error) {
    throw new Error(`${name}@${version} could not be fetched from the npm registry.\n${error.message}`, {
      cause: error,
    });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return join(folder, 'package');
}

async function packAndCheck(stage, target) {
  const { name, version } = JSON.parse(readFileSync(join(stage, 'package.json'), 'utf8'));
  const packagePath = join(root, 'dist', `${name}-${target}-${version}.vsix`);
  mkdirSync(dirname(packagePath), { recursive: true });
  // vsce is run as a command, because its API prints to the console; runCommand shows the output on failure.
  const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
  const options = ['--no-dependencies', '--target', target, '--out', packagePath];
  await runCommand(process.execPath, [vsce, 'package', ...options], { cwd: stage });
  const files = readZip(packagePath).filter(({ path }) => path.startsWith('extension/'));
  checkContents(
    files.map(({ path }) => path.slice('extension/'.length)),
    target,
  );
  await checkThatItStarts(files, target);
  printSizes(files, packagePath);
  return packagePath;
}

function checkContents(paths, target) {
  const missing = [...required, ...picturesOfReadme(), ...libraries(target)].filter((path) => !paths.includes(path));
  if (missing.length > 0) throw new Error(`The package lacks ${missing.join(', ')}.`);
  const excess = paths.filter((path) => forbidden.test(path));
  if (excess.length > 0) throw new Error(`The package must not contain ${excess.join(', ')}.`);
}

function libraries(target) {
  return [
    `server/node_modules/@duckdb/node-bindings-${target}/duckdb.node`,
    `server/node_modules/@photostructure/sqlite/prebuilds/${target}/@photostructure+sqlite.glibc.node`,
  ];
}

/** Tests that the command line of the unpacked archive runs and, on its own platform, reads files with DuckDB and SQLite. */
async function checkThatItStarts(files, target) {
  const folder = join(cacheFolder, 'package', `${target}-unpacked`);
  rmSync(folder, { recursive: true, force: true });
  for (const { path, read } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, read());
    chmodSync(file, 0o755);
  }
  const commandLine = join(folder, 'extension/server/dist/cli.js');
  await runCommand(process.execPath, [commandLine, '--help'], { timeoutMs: 30_000 });
  if (target !== ownTarget) return;
  const read = (name, sources) =>
    runCommand(process.execPath, [commandLine, 'objects', name, '--sources', sources], { timeoutMs: 60_000 });
  await read('log', join(root, 'samples/incidents/entity-sources.yaml'));
  const sources = join(folder, 'entity-sources.yaml');
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(join(folder, 'shop.sqlite'));
  database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY)');
  database.close();
  writeFileSync(sources, 'version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite }\n');
  await read('shop', sources);
}

function printSizes(files, packagePath) {
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`package: ${packagePath}, ${files.length} files, ${megabytes(statSync(packagePath).size)}; the largest:`);
  for (const { path, size } of files.toSorted((left, right) => right.size - left.size).slice(0, 6)) {
    console.log(`  ${megabytes(size).padStart(9)}  ${path}`);
  }
}

if (isMainModule(import.meta.url)) {
  const { values } = parseArgs({ options: { target: { type: 'string', default: ownTarget } } });
  for (const target of values.target === 'all' ? targets : [values.target]) {
    try {
      await ensureDependencies();
      await packageExtension(target);
    } catch (error) {
      console.error(`package: ${target} failed. ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
}
