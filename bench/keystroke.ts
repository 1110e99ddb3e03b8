import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import packageJson from '../package.json' with { type: 'json' };
import { type Workbench, workbenchIn } from '../test/e2e/workbench.ts';
import { launchChromium, projectFolder, startVsCodeServer } from '../test/support/vscode-host.ts';
import { waitUntil } from '../test/support/wait-until.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { largeGraph, placesOf } from './language-service-file.ts';
import { excessBounds, median } from './measure.ts';

const lines = 10_000;
const bounds = { aim: 30, limit: 60 };
const rounds = isQuick ? 2 : 6;
const placesOfRound = 10;
const ownFile = 'large.entity.yaml';
/** Has the same text; only the first peer validates it. */
const peerFile = 'fixed.yaml';
/** Has the same text; only the second peer validates it. */
const servedFile = 'served.yaml';
/** The mistake that each key makes, for which the peers set their diagnostic. */
const mistake = 'X';
/** Time in which VS Code ends what follows a change of the cursor or of the text, such as highlights of occurrences. */
const restMs = 400;

/**
 * From a key pressed in the editor of a real VS Code until its squiggle is drawn, or is gone, beside an extension that
 * sets one fixed diagnostic at that place, and beside one whose language server answers each question for problems with
 * that diagnostic: the same host, the same browser, in turns. Then the same in a window whose server offers problems only,
 * which tells what the answers to the other questions of the editor cost.
 */
export async function run(): Promise<readonly BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-bench-'));
  const extensionsFolder = join(folder, 'extensions');
  writePeer(extensionsFolder, 'fixed', fixedDiagnostic);
  writePeer(extensionsFolder, 'served', servedDiagnostic);
  writeFileSync(join(extensionsFolder, 'bench.served-1.0.0', 'server.cjs'), servedDiagnosticServer);
  const workspace = join(folder, 'shop');
  const text = largeGraph(lines);
  writeWorkspace(workspace, text);
  const flag = join(folder, 'problems-only');
  const preloaded = join(folder, 'problems-only.cjs');
  writeFileSync(preloaded, offeringProblemsOnly(flag));
  const env = { NODE_OPTIONS: `--require ${preloaded}` };
  const server = await startVsCodeServer({ forTests: true, extensionsFolder, env });
  const browser = await launchChromium({ withWindow: true });
  try {
    const openWindow = async (): Promise<Workbench> => {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      const development = `vscode-remote://${server.authority}${projectFolder.replace(/\/$/, '')}`;
      const payload = JSON.stringify([['extensionDevelopmentPath', development]]);
      await page.goto(`http://${server.authority}/?${new URLSearchParams({ folder: workspace, payload })}`);
      return workbenchIn(page);
    };
    const workbench = await openWindow();
    const { lineOfKey } = placesOf(text);
    const own: number[] = [];
    const peers: number[] = [];
    const served: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // The first round is not counted: programs are compiled, and files read, at their first use.
      const sets = [
        { file: ownFile, times: round === 0 ? [] : own },
        { file: peerFile, times: round === 0 ? [] : peers },
        { file: servedFile, times: round === 0 ? [] : served },
      ];
      for (const { file, times } of round % 2 === 0 ? sets : sets.toReversed()) {
        await workbench.openFile(file);
        for (let place = 0; place < placesOfRound; place += 1)
          times.push(...(await visit(workbench, lineOfKey('entityType', place))));
      }
    }
    await workbench.page.close();
    writeFileSync(flag, '');
    const second = await openWindow();
    const problemsOnly: number[] = [];
    await second.openFile(ownFile);
    for (let round = 0; round < rounds; round += 1) {
      for (let place = 0; place < placesOfRound; place += 1) {
        const times = await visit(second, lineOfKey('entityType', place));
        if (round > 0) problemsOnly.push(...times);
      }
    }
    const rounded = [own, peers, served, problemsOnly].map((times) => times.map(Math.round).join(' '));
    console.log(`  all visits\n  ${rounded.join('\n  ')}`);
    const fixed = 'an extension that sets one fixed diagnostic';
    const alone = 'this extension in a window of its own, when its server offers nothing but problems';
    const answering = 'a language server that answers with one fixed diagnostic';
    return [
      bounded(compared('median', median, own, peers), fixed),
      bounded(compared('p95', p95, own, peers), fixed),
      forComparison(compared('median', median, own, served), answering),
      forComparison(compared('p95', p95, own, served), answering),
      forComparison(compared('median', median, own, problemsOnly), alone),
      forComparison(compared('p95', p95, own, problemsOnly), alone),
    ];
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Compared = Omit<BenchResult, 'aim' | 'goal' | 'ok'> & { readonly floor: number };

function compared(
  of: string,
  summed: (visits: readonly number[]) => number,
  rounds: readonly number[],
  floorRounds: readonly number[],
): Compared {
  const [value, floor] = [summed(rounds), summed(floorRounds)];
  return {
    name: `${lines.toLocaleString('en')} lines: key pressed to squiggle drawn or gone, ${of} of all visits`,
    ...{ value, unit: 'ms', floor, ratio: value / floor, rounds, floorRounds },
  };
}

function bounded(times: Compared, peer: string): BenchResult {
  return { ...times, ...excessBounds(times.value - times.floor, bounds, peer) };
}

function forComparison(times: Compared, peer: string): BenchResult {
  return { ...times, goal: `for comparison: ${peer}`, ok: true };
}

/** Breaks the key of a line (0-based) and repairs it. @returns the milliseconds of both. */
async function visit({ page, goTo }: Workbench, line: number): Promise<readonly number[]> {
  const [, middleOfKey] = [line, '    entityType'.length - 3];
  await goTo(line + 1, middleOfKey);
  await waitUntil('no squiggle is in sight', async () => ((await squiggles(page)) === 0 ? true : undefined));
  await page.waitForTimeout(restMs);
  const broken = await timeKey(page, mistake, true);
  await page.waitForTimeout(restMs);
  const repaired = await timeKey(page, 'Backspace', false);
  return [broken, repaired];
}

const squiggly = '.editor-group-container.active .monaco-editor :is(.squiggly-error, .squiggly-warning)';

const squiggles = (page: Page): Promise<number> => page.locator(squiggly).count();

/** Milliseconds from the event of a key to the frame in which the squiggle appears or disappears. */
async function timeKey(page: Page, key: string, isShown: boolean): Promise<number> {
  await page.evaluate(
    ({ selector, wanted }) => {
      const timed = new Promise<number>((resolve) => {
        document.addEventListener(
          'keydown',
          ({ timeStamp }) => {
            const seen = new MutationObserver(() => {
              if ((document.querySelector(selector) !== null) !== wanted) return;
              seen.disconnect();
              // The editor changes its page while a frame is made; a message arrives after that frame.
              const drawn = new MessageChannel();
              drawn.port1.onmessage = () => resolve(performance.now() - timeStamp);
              drawn.port2.postMessage(undefined);
            });
            seen.observe(document.body, { subtree: true, childList: true, attributes: true });
          },
          { capture: true, once: true },
        );
      });
      Object.assign(window, { timed });
    },
    { selector: squiggly, wanted: isShown },
  );
  await page.keyboard.press(key);
  return page.evaluate(() => (window as unknown as { readonly timed: Promise<number> }).timed);
}

function p95(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}

function writeWorkspace(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  const files = {
    [ownFile]: text,
    [peerFile]: text,
    [servedFile]: text,
    'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
    'orders.csv': 'id,customer_id,note,placed_at\n1,1,x,2024-01-01 08:00:00\n',
    'customers.csv': 'id,since\n1,2024-01-01\n',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

function writePeer(extensionsFolder: string, name: string, main: string): void {
  const folder = join(extensionsFolder, `bench.${name}-1.0.0`);
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name,
    publisher: 'bench',
    version: '1.0.0',
    engines: packageJson.engines,
    main: './main.cjs',
    activationEvents: ['onLanguage:yaml'],
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'main.cjs'), main);
}

/** An extension that sets or clears a diagnostic at each change without reading the text. */
const fixedDiagnostic = `const { Diagnostic, Range, languages, workspace } = require('vscode');
const found = languages.createDiagnosticCollection('fixed');
exports.activate = () => workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
  if (!document.uri.path.endsWith('/${peerFile}')) return;
  for (const { text, range } of contentChanges) {
    const line = range.start.line;
    found.set(document.uri, text === '${mistake}' ? [new Diagnostic(new Range(line, 4, line, 15), 'fixed')] : []);
  }
});
`;

/** Preloaded into all processes: if the flag is there, our server offers nothing but problems. */
const offeringProblemsOnly = (flag: string): string => `
if (process.send && process.argv[1]?.endsWith('server/dist/main.js') && require('node:fs').existsSync('${flag}')) {
  const send = process.send.bind(process);
  process.send = (message, ...rest) => {
    const { textDocumentSync, diagnosticProvider } = message?.result?.capabilities ?? {};
    if (textDocumentSync) message.result.capabilities = { textDocumentSync, diagnosticProvider };
    return send(message, ...rest);
  };
}
`;

/** The path by which a peer loads a library of this project. */
const library = (name: string): string => JSON.stringify(createRequire(import.meta.url).resolve(name));

/** An extension with a language server, by the libraries that the product uses, over its transport. */
const servedDiagnostic = `const { LanguageClient, TransportKind } = require(${library('vscode-languageclient/node')});
exports.activate = () => {
  const run = { module: require('node:path').join(__dirname, 'server.cjs'), transport: TransportKind.ipc };
  const documentSelector = [{ pattern: '**/${servedFile}' }];
  void new LanguageClient('served', 'Served', { run, debug: run }, { documentSelector }).start();
};
`;

/** A language server that answers what the first peer says, and offers nothing else. */
const servedDiagnosticServer = `const { createConnection } = require(${library('vscode-languageserver/node')});
const connection = createConnection();
let items = [];
const diagnosticProvider = { interFileDependencies: false, workspaceDiagnostics: false };
connection.onInitialize(() => ({ capabilities: { textDocumentSync: { openClose: true, change: 2 }, diagnosticProvider } }));
connection.onDidChangeTextDocument(({ contentChanges }) => {
  for (const { text, range } of contentChanges) {
    const { line } = range.start;
    const marked = { start: { line, character: 4 }, end: { line, character: 15 } };
    items = text === '${mistake}' ? [{ range: marked, message: 'served' }] : [];
  }
});
connection.languages.diagnostics.on(() => ({ kind: 'full', items }));
connection.listen();
`;
