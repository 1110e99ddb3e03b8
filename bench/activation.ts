import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import packageJson from '../package.json' with { type: 'json' };
import { type VsCodeServer, launchChromium, projectFolder, startVsCodeServer } from '../test/support/vscode-host.ts';
import { type ImportedCounts, importDone, importEnded } from '../server/src/state/entity-status.ts';
import { ensureStateFolder } from '../server/src/state/state-folder.ts';
import { writeStatus } from '../server/src/state/status-file.ts';
import { type TableExtension, bareTable, writeTableExtension } from './bare-table-extension.ts';
import type { BenchResult } from './bench-result.ts';
import { installPackage } from './packaged-extension.ts';
import { besideFloor, excessBounds, median } from './measure.ts';

/** Rounds of a window at rest, and of tables. */
const runs = 5;
/** The answer of a starting window takes between 10 and 300 ms, so that few rounds tell nothing. */
const startingRuns = 15;
const files = 300;
const activationBounds = { aim: 30, limit: 100 };
const tableGoal = 700;
/** Prefix of every message out of the extension host. */
const mark = 'entity-graph-bench:';

/** Milliseconds of an activation. */
interface Activation {
  readonly total: number;
  /** Until VS Code has run the file that the extension names as `main`. */
  readonly load: number;
  /** Until the window has told the stored state of the extension. */
  readonly answer: number;
  readonly call: number;
}

/**
 * `starting`: as soon as VS Code runs a script. The window and other extensions then still start, and share processors
 * and messages with the activation. `at rest`: three seconds later.
 */
type WindowState = 'starting' | 'at rest';
const restMs = 3000;
/** The extension keeps its compiled code five seconds after its activation (`server/src/code-cache/`). */
const untilKeptMs = 7000;

/**
 * Cost of activating the packaged extension in the extension host compared with an empty one, and time until 300 entity
 * graphs are in the table.
 */
export async function run(): Promise<readonly BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-bench-'));
  const extensionsFolder = join(folder, 'extensions');
  mkdirSync(extensionsFolder);
  const packaged = join(extensionsFolder, `${ownTable.id}-${packageJson.version}`);
  await installPackage(packaged);
  writeEmptyExtension(join(extensionsFolder, 'bench.empty-1.0.0'), 'empty');
  // VS Code runs scripts in its extension host only for an extension in development.
  writeEmptyExtension(join(folder, 'developed'), 'developed');
  const { engines } = packageJson;
  writeTableExtension(join(extensionsFolder, 'bench.table-1.0.0'), bareTable, engines);
  const server = await startVsCodeServer({ forTests: true, extensionsFolder });
  const browser = await launchChromium({ withWindow: true });
  try {
    // The first windows find nothing in the caches of server and browser, and no compiled code of the extension.
    const first = await measureActivation({ server, browser, folder }, ownTable.id, 'starting', untilKeptMs);
    await measureActivation({ server, browser, folder }, emptyExtension, 'starting');
    const [starting, resting] = [activationRounds(), activationRounds()];
    // In turns, so that other load affects all.
    for (let index = 0; index < startingRuns; index += 1) {
      for (const [window, { own, empty }] of [['starting', starting] as const, ['at rest', resting] as const]) {
        if (window === 'at rest' && index >= runs) continue;
        own.push(await measureActivation({ server, browser, folder }, ownTable.id, window));
        empty.push(await measureActivation({ server, browser, folder }, emptyExtension, window));
      }
    }
    printActivations('the first one, without compiled code', [first]);
    printActivations('this extension, window starting', starting.own);
    printActivations('the empty extension, window starting', starting.empty);
    printActivations('this extension, window at rest', resting.own);
    printActivations('the empty extension, window at rest', resting.empty);
    const workspace = await writeManyGraphs(join(folder, 'many'));
    const [tables, bareTables]: [TableTimes[], TableTimes[]] = [[], []];
    for (let index = 0; index < runs; index += 1) {
      tables.push(await measureTable({ server, browser, folder }, workspace, ownTable));
      bareTables.push(await measureTable({ server, browser, folder }, workspace, bareTable));
    }
    printTable('this extension', tables);
    printTable('the bare table', bareTables);
    const partOf = (part: keyof TableTimes) =>
      besideFloor(
        tables.map((each) => each[part]),
        bareTables.map((each) => each[part]),
      );
    const table = partOf('shown');
    const milestone = (name: string, part: keyof TableTimes): BenchResult => ({
      ...{ name: `of these, ${name}`, unit: 'ms', ...partOf(part) },
      ...{ goal: 'no goal', ok: true },
    });
    return [
      activationResult('activation of the extension', starting),
      activationResult('activation of the extension in a window at rest', resting),
      {
        ...{ name: `activation to ${files} entity graphs in the table`, unit: 'ms', ...table },
        ...{ goal: `≤ ${tableGoal} ms`, ok: table.value <= tableGoal },
      },
      milestone('until the extension is active', 'active'),
      milestone('until the page of the table begins to load', 'page'),
      {
        ...milestone('until the rows are those of the server, not of an earlier run', 'complete'),
        aim: { text: `≤ ${tableGoal} ms`, isMet: partOf('complete').value <= tableGoal },
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Host {
  readonly server: VsCodeServer;
  readonly browser: Browser;
  readonly folder: string;
}

interface ActivationRounds {
  readonly own: Activation[];
  readonly empty: Activation[];
}

function activationRounds(): ActivationRounds {
  return { own: [], empty: [] };
}

function activationResult(name: string, { own, empty }: ActivationRounds): BenchResult {
  const activation = besideFloor(
    own.map(({ total }) => total),
    empty.map(({ total }) => total),
  );
  return {
    ...{ name, unit: 'ms', ...activation },
    ...excessBounds(activation.value - activation.floor, activationBounds, 'the empty extension'),
  };
}

/**
 * Activates an extension in a window of its own: what one starts by its activation would count for the next.
 * @param openMs milliseconds for which the window stays open.
 */
async function measureActivation(host: Host, id: string, window: WindowState, openMs = 0): Promise<Activation> {
  const workspace = join(host.folder, 'nothing');
  mkdirSync(workspace, { recursive: true });
  const script = `
    const { extensions } = require('vscode');
    await new Promise((resolve) => setTimeout(resolve, ${window === 'at rest' ? restMs : 0}));
    const extension = extensions.getExtension(${JSON.stringify(id)});
    if (extension.isActive) throw new Error(extension.id + ' is active already.');
    const [start, startedAt] = [performance.now(), Date.now()];
    await extension.activate();
    const total = performance.now() - start;
    // VS Code's own marks, in whole milliseconds.
    const marks = globalThis.MonacoPerformanceMarks.getMarks();
    const at = (name) => marks.find((mark) => mark.name === 'code/extHost/' + name + '/' + extension.id).startTime;
    const [loaded, called] = [at('didLoadExtensionCode'), at('willActivateExtension')];
    say({ total, load: loaded - startedAt, answer: called - loaded, call: at('didActivateExtension') - called });
    await new Promise((resolve) => setTimeout(resolve, ${openMs}));`;
  const page = await openHost(host, workspace, script);
  const activation = (await page.message) as Activation;
  await new Promise((resolve) => setTimeout(resolve, openMs));
  await page.close();
  return activation;
}

function printActivations(name: string, activations: readonly Activation[]): void {
  const all = (part: keyof Activation, digits = 0): string =>
    activations.map((each) => each[part].toFixed(digits)).join(' ');
  const parts = `load ${all('load')}, answer of the window ${all('answer')}, call ${all('call')}`;
  console.log(`  ${name}, ms: ${all('total', 1)} (${parts})`);
}

/** Medians. */
function printTable(name: string, tables: readonly TableTimes[]): void {
  const of = (part: keyof TableTimes): string => median(tables.map((each) => each[part])).toFixed(0);
  const parts = `active ${of('active')}, page ${of('page')}, rows ${of('shown')}`;
  console.log(`  ${name}, ms: ${parts}`);
}

/** Milliseconds from the start of the activation. */
interface TableTimes {
  readonly active: number;
  /** VS Code has made the frame of the table. */
  readonly page: number;
  /** Rows are drawn, which may be those of an earlier run. */
  readonly shown: number;
  readonly complete: number;
}

const emptyExtension = 'bench.empty';
const ownTable: TableExtension = {
  id: `${packageJson.publisher}.${packageJson.name}`,
  command: 'entityGraph.openEntities',
};

/** @param opened the extension whose table is opened, and the command that does it. */
async function measureTable(host: Host, workspace: string, opened: TableExtension): Promise<TableTimes> {
  const script = `
    const { commands, extensions } = require('vscode');
    const start = Date.now();
    await extensions.getExtension(${JSON.stringify(opened.id)}).activate();
    const active = Date.now();
    await commands.executeCommand(${JSON.stringify(opened.command)});
    say({ start, active });
    await new Promise(() => {});`;
  const page = await openHost(host, workspace, script);
  const table = await tableOf(page.page);
  const { start, active } = (await page.message) as { readonly start: number; readonly active: number };
  await page.close();
  return {
    active: active - start,
    page: table.page - start,
    shown: table.shown - start,
    complete: table.complete - start,
  };
}

type TableFrame = Omit<TableTimes, 'active'>;

/** Waits for the table. Locators look every half a second only, so its frame is asked all the time. */
async function tableOf(page: Page): Promise<TableFrame> {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    // The last one is visible; a frame may be replaced while it is asked.
    const frame = page.frames().findLast((each) => each.url().includes('/fake.html'));
    const times = await frame?.evaluate(timesOfTable, files + 1).catch(() => undefined);
    if (times) return times;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('The table was not shown within a minute.');
}

/** Runs in the frame of the table. Undefined without rows; else it waits until they are drawn. */
async function timesOfTable(rowCount: number): Promise<TableFrame | undefined> {
  if (!document.querySelector(`#table[aria-rowcount="${rowCount}"] .rows .row`)) return undefined;
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const { timeOrigin } = performance;
  const shown = timeOrigin + performance.now();
  while (document.querySelector('#table[aria-busy="true"]'))
    await new Promise((resolve) => requestAnimationFrame(resolve));
  const complete = timeOrigin + performance.now();
  return { page: timeOrigin, shown, complete };
}

/** Runs a script in a fresh extension host with the installed extensions; `say` sends one message out. */
async function openHost(
  { server, browser, folder }: Host,
  workspace: string,
  script: string,
): Promise<{ readonly page: Page; readonly message: Promise<unknown>; close(): Promise<void> }> {
  const tests = join(folder, 'script.cjs');
  writeFileSync(
    tests,
    `exports.run = async () => {
  const say = (message) => console.log(${JSON.stringify(mark)} + JSON.stringify(message));
  ${script}
};`,
  );
  const remote = (path: string): string => `vscode-remote://${server.authority}${path}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', remote(join(folder, 'developed'))],
    ['extensionTestsPath', remote(tests)],
  ]);
  const page = await browser.newPage();
  const said: string[] = [];
  const message = new Promise<unknown>((resolve, reject) => {
    void page.exposeFunction('codeAutomationExit', (code: number) =>
      reject(new Error(`The script ended with ${code}: ${said.join('\n')}`)),
    );
    void page.exposeFunction('codeAutomationLog', (_type: string, args: readonly unknown[]) => {
      for (const argument of args) {
        const text = typeof argument === 'string' ? argument : JSON.stringify(argument);
        said.push(text);
        const at = text.indexOf(mark);
        if (at >= 0) resolve(JSON.parse(text.slice(at + mark.length)));
      }
    });
  });
  message.catch(() => undefined);
  await page.goto(`http://${server.authority}/?${new URLSearchParams({ folder: workspace, payload })}`);
  return { page, message, close: () => page.close() };
}

/** An extension whose activation does nothing. */
function writeEmptyExtension(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name,
    publisher: 'bench',
    version: '1.0.0',
    engines: packageJson.engines,
    main: './main.cjs',
    activationEvents: [`onCommand:bench.${name}`],
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'main.cjs'), 'exports.activate = () => {};\n');
}

/**
 * Typical entity graphs: most are imported, some of these modified or failed since, and one in ten is new. Their state
 * is that of an import.
 */
async function writeManyGraphs(folder: string): Promise<string> {
  const sample = join(projectFolder, 'samples/incidents');
  mkdirSync(folder, { recursive: true });
  cpSync(join(sample, 'entity-sources.yaml'), join(folder, 'entity-sources.yaml'));
  const text = readFileSync(join(sample, 'incidents.entity.yaml'), 'utf8');
  const stateFolder = join(folder, '.entity-graph');
  await ensureStateFolder(stateFolder);
  for (let index = 0; index < files; index += 1) {
    const entity = `graph-${index}`;
    const isModified = index % 10 === 1;
    writeFileSync(join(folder, `${entity}.entity.yaml`), isModified ? `${text}# changed\n` : text);
    if (index % 10 === 0) continue;
    const run = `run-${index}`;
    const imported = importDone({ at: new Date().toISOString(), run, store: `${run}.duckdb`, text, counts });
    const hasFailed = index % 10 === 2;
    const status = hasFailed
      ? importEnded(imported, 'failed', 'data pull', {
          code: 'source-unreachable',
          message: 'The host does not answer.',
        })
      : imported;
    await writeStatus(stateFolder, entity, status);
  }
  return folder;
}

/** Totals of an import of the sample. */
const counts: ImportedCounts = {
  elements: ['Update Incident', 'Open Incident', 'Resolve Incident', 'Close Incident', 'Contact Service Desk'].map(
    (activityName) => ({ activityName, events: 1906, entities: 890 }),
  ),
  entities: [],
  relationships: [{ name: 'reports', pairs: 890 }],
  totals: { events: 9529, entities: 1780 },
};
