// Runs test/host/*.test.ts with mocha inside the extension host of a real VS Code; started by test.mjs.
// usage: node scripts/run-host-tests.mjs [--results FILE] [TEST ...]: all tests, or those of the named files of test/host.
// The results file gets a line for each test, and `end` as its last.
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { chromiumPath, flagsOfShortPages } from './chromium.mjs';
import { cacheFolder, root } from './paths.mjs';
import { exitOnSignals } from './process-group.mjs';
import { recordCallsOf } from './selection/recording.mjs';
import { startVsCodeServer } from './vscode-server.mjs';

const budgetMs = 500_000;
/** Slow tests print their duration. */
const slowMs = 500;
/** Prefix of every message from the extension host. */
const mark = 'entity-graph-test:';
const { values, positionals } = parseArgs({ options: { results: { type: 'string' } }, allowPositionals: true });
const testFiles = chosenTests(positionals);

exitOnSignals();
const testsFolder = join(cacheFolder, 'host-tests');
const workspace = mkdtempSync(join(tmpdir(), 'entity-graph-host-'));
// Tests with given rows would activate the extension before the tests, which listen to it, are loaded.
const isLeftOut = (path) => path.includes('.entity-graph') || path.endsWith('.entity.test.yaml');
cpSync(join(root, 'samples'), workspace, { recursive: true, filter: (path) => !isLeftOut(path) });
await bundleTests(testsFolder);
recordCallsOf('host').endLoading();
const server = await startVsCodeServer({ forTests: true, isLight: true });
const browser = await chromium.launch({
  executablePath: chromiumPath({ withWindow: true }),
  headless: true,
  args: flagsOfShortPages,
});
try {
  process.exitCode = await runInExtensionHost(server, browser);
} finally {
  await browser.close();
  await server.stop();
  rmSync(workspace, { recursive: true, force: true });
}

/** Paths of the named test files, or of all; fails for unknown names. */
function chosenTests(names) {
  const files = readdirSync(join(root, 'test/host')).filter((file) => file.endsWith('.test.ts'));
  const wanted = names.map((name) => basename(name));
  const unknown = wanted.find((name) => !files.includes(name));
  if (unknown !== undefined) throw new Error(`test/host has no ${unknown}.`);
  return files
    .filter((file) => wanted.length === 0 || wanted.includes(file))
    .sort()
    .map((file) => join(root, 'test/host', file));
}

/** One CommonJS file with all tests and a `run` called by VS Code. */
async function bundleTests(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, 'index.ts');
  writeFileSync(entry, indexSource(testFiles));
  await build({
    entryPoints: [entry],
    outfile: join(folder, 'index.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // mocha is not bundled, because it then does not find its own modules.
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
}

/** Tests are registered inside `run`, because mocha's globals do not exist earlier. */
function indexSource(files) {
  return `
export async function run() {
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', timeout: 300_000, reporter: function () {}, forbidOnly: true });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
${files.map((file) => `  require(${JSON.stringify(file)});`).join('\n')}
  const say = (message) => console.log(${JSON.stringify(mark)} + JSON.stringify(message));
  const failures = await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('suite', (suite) => suite.title && say({ kind: 'suite', title: suite.title, depth: suite.titlePath().length }));
    const test = (kind) => (test, error) =>
      say({ kind, title: test.title, depth: test.titlePath().length, ms: test.duration, error: error && (error.stack ?? String(error)) });
    runner.on('pass', test('passed')).on('fail', test('failed')).on('pending', test('skipped'));
  });
  say({ kind: 'end' });
  if (failures > 0) throw new Error(failures + ' tests failed.');
}
`;
}

async function runInExtensionHost({ authority, log }, browser) {
  const remote = (path) => `vscode-remote://${authority}${path}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', remote(root)],
    ['extensionTestsPath', remote(join(testsFolder, 'index.cjs'))],
  ]);
  const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const seen = [];
  const code = new Promise((resolve) => {
    const timer = setTimeout(() => resolve('timeout'), budgetMs);
    void page.exposeFunction('codeAutomationExit', (exitCode) => {
      clearTimeout(timer);
      resolve(exitCode);
    });
  });
  await page.exposeFunction('codeAutomationLog', (type, args) => printMessages(args, seen));
  // A busy machine takes long to start the workbench, and then has the same budget again.
  await page.goto(`http://${authority}/?${new URLSearchParams({ folder: workspace, payload })}`, { timeout: budgetMs });
  const result = await code;
  await page.close();
  if (result === 'timeout') console.error(`The extension host did not end within ${budgetMs / 1000} s.\n${log()}`);
  else if (!seen.includes('end')) console.error(`The extension host ended before its tests did.\n${log()}`);
  return result === 0 && seen.includes('end') ? 0 : 1;
}

/** `args` are the arguments of console.log in the extension host, as texts or serialised. */
function printMessages(args, seen) {
  for (const argument of args) {
    const text = typeof argument === 'string' ? argument : JSON.stringify(argument);
    const at = text.indexOf(mark);
    if (at < 0) continue;
    const message = JSON.parse(text.slice(at + mark.length));
    seen.push(message.kind);
    printMessage(message);
    if (values.results && message.kind !== 'suite')
      appendFileSync(values.results, `${message.kind} ${message.title ?? ''}\n`);
  }
}

function printMessage({ kind, title, depth = 0, ms = 0, error }) {
  const indent = '  '.repeat(depth);
  const signs = { suite: '', passed: '✔ ', failed: '✗ ', skipped: '- ' };
  if (kind in signs) console.log(`${indent}${signs[kind]}${title}${ms >= slowMs ? ` (${ms} ms)` : ''}`);
  if (error) console.log(error.replace(/^/gm, `${indent}    `));
}
