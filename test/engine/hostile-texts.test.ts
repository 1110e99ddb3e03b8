import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { commands } from '../../server/src/cli/commands/index.ts';
import { csvSources } from '../support/import-text.ts';
import { renderMarkdown } from '../support/rendered-markdown.ts';
import type { CliRun } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

/** What whoever fills a ticket may write to speak to the terminal and the build server that print it. */
const attack =
  '\n::error::A\n \u00a0::warning::B\r##[error]C\t##vso[task.x]D\u2028##vso[task.x]E\u001b]0;F\u0007\u009b31m\u202e<b>`[G](h)|~~~~~~';
/** Commands that print JSON, YAML or the texts of queries, which are unchanged. */
const otherOutput = ['mcp', 'plan', 'show-query'];
/** Commands with a test of their own. */
const testedBelow = ['diff', 'propose'];
/** The same in the name of a file. */
const file = (name: string): string => `${name}\n::error::A\n##vso[task.x]B\u001b[31m\u202e`;
const quoted = (name: string): string => JSON.stringify(`${name}${attack}`);
const cell = (name: string): string => `"${name}${attack.replaceAll('"', '""')}"`;

const graphFile = `${file('graph')}.entity.yaml`;
const elements = `elements:
  - activityName: ${quoted('Place')}
    entityType: ${quoted('order')}
    dataObject: ${JSON.stringify(file('orders'))}
    key: id
    startTimestamp: at
    properties: [{ name: ${quoted('note')}, column: ${quoted('note')} }]
    expect: { unique: [id], values: { ${quoted('note')}: [x] } }
  - activityName: ${quoted('Ship')}
    entityType: ${quoted('order')}
    dataObject: shipments
    key: order
    startTimestamp: at
`;
const graph = `version: 1
dataSource: shop
${elements}relationships:
  - name: ${quoted('follows')}
    source: ${quoted('Ship')}
    target: ${quoted('Place')}
    mappings: [{ source: order, target: id }]
rules:
  - name: ${quoted('Shipped')}
    each: { entityType: ${quoted('order')} }
    expect: [{ activity: ${quoted('Ship')} }]
    severity: error
measures:
  - name: ${quoted('Duration')}
    each: { entityType: ${quoted('order')} }
    duration: { from: ${quoted('Place')}, to: ${quoted('Ship')} }
    target: { count: { atLeast: 10 } }
`;
const tests = `graph: ${JSON.stringify(`./${graphFile}`)}
tests:
  - name: ${quoted('Test')}
    given:
      ${JSON.stringify(file('orders'))}:
        - { id: ${quoted('o')}, at: 2024-01-01 08:00:00, ${quoted('note')}: ${quoted('n')} }
    expect:
      events:
        - { activity: ${quoted('Ship')}, entity: ${quoted('p')}, properties: { ${quoted('note')}: ${quoted('m')} } }
`;

/** No terminal and no build server sees anything but texts. */
function assertHarmless(printed: string, about: string): void {
  for (const line of printed.split('\n')) {
    assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029\p{Bidi_Control}]|^\s*::|##\w*\[/u, `${about}: ${line}`);
  }
}

/** docs/semantics.md#155-text-output */
describe('texts of data in what commands print', () => {
  let folder: string;
  before(async () => {
    const rows = Array.from({ length: 30 }, (_, index) => index);
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      [`${file('orders')}.csv`]: `id,at,${cell('note')}\n${rows.map((row) => `${cell(`o${row}`)},2024-01-01 08:00:00,${cell('n')}\n`).join('')}`,
      'shipments.csv': `order,at\n${rows
        .slice(1)
        .map((row) => `${cell(`o${row}`)},2024-01-02 08:00:00\n`)
        .join('')}`,
      [graphFile]: graph,
      [`${file('test')}.entity.test.yaml`]: tests,
      [`${file('wrong')}.yaml`]: `version: 1\n${attack.replaceAll(/\p{Cc}/gu, ' ')}`,
      [`broken/${graphFile}`]: `version: 1\ndataSource: shop\nelements:\n  - { activityName: ${quoted('A')}, dataObject: ${quoted('none')}, key: id, startTimestamp: at }\n`,
      'broken/entity-sources.yaml': csvSources(),
      'hostile/entity-sources.yaml': `version: 1\ndataSources:\n  files: { kind: csv, path: ${quoted('rows')} }\n`,
      'broken/a.csv': 'id,at\n1,2024-01-01\n',
    });
  });
  after(() => removeFolder(folder));

  async function run(...args: readonly string[]): Promise<CliRun> {
    return runCommand(args, folder);
  }

  /** Runs a command, each of whose lines must be harmless; resolves to all that it prints. */
  async function printed(code: number, args: readonly string[]): Promise<string> {
    const ran = await run(...args);
    const text = `${ran.stdout}${ran.stderr}`;
    assertHarmless(text, args.join(' '));
    assert.equal(ran.code, code, text);
    return text;
  }

  const place = `Place${attack}`;

  it('are shown by every command that prints lines', async () => {
    const commandsRun: readonly (readonly [code: number, args: readonly string[], shows: RegExp])[] = [
      [0, ['validate', graphFile], /no problems/],
      [1, ['validate', '--online', `broken/${graphFile}`], /none\\n::error/],
      [1, ['validate', `${file('wrong')}.yaml`], /wrong\\n::error/],
      [0, ['objects', 'shop'], /orders\\n::error/],
      [0, ['doctor', 'shop'], /ok/],
      [0, ['test-query', graphFile, '--element', place], /o1\\n::error/],
      [0, ['test-query', graphFile, '--relationship', `follows${attack}`], /o1\\n::error/],
      [1, ['test-query', graphFile, '--element', attack], /::error/],
      [1, ['test'], /- .*Ship\\n::error/],
      [0, ['import', graphFile, '--steps'], /Place\\n::error/],
      [0, ['describe', graphFile], /Place\\n::error/],
      [0, ['sources', 'hostile/entity-sources.yaml'], /rows\\n::error/],
      [0, ['status'], /graph\\n::error/],
      [0, ['check', graphFile], /points hold/],
      [1, ['rules', graphFile], /Shipped\\n::error/],
      [0, ['rules', graphFile, '--source'], /n\\n::error/],
      [0, ['analyze', graphFile, '--measure', `Duration${attack}`, '--by', `note${attack}`], /n\\n::error/],
      [0, ['analyze', graphFile, '--where', `with:${place}`], /with:Place\\n::error/],
      [1, ['analyze', graphFile, '--where', `with:${attack}`], /no activity/],
      [1, ['analyze', graphFile, '--by', attack], /no property/],
      [0, ['variants', graphFile, '--entity-type', `order${attack}`], /Place\\n::error/],
      [0, ['entities', graphFile], /o1\\n::error/],
      [0, ['why', graphFile, '--outcome', `with:Ship${attack}`], /Ship\\n::error/],
      [0, ['timeline', graphFile, '--key', `o1${attack}`], /Ship\\n::error/],
      [0, ['steps', graphFile], /Place\\n::error/],
      [0, ['activities', graphFile], /Ship\\n::error/],
      [0, ['workload', graphFile], /order\\n::error/],
      [0, ['batches', graphFile, '--by', `note${attack}`], /Place\\n::error/],
      [0, ['findings', graphFile], /odd in the data/],
      [0, ['query', graphFile, '--sql', 'SELECT key FROM entity'], /o1\\n::error/],
      [0, ['effect', graphFile], /graph\\n::error/],
      [0, ['lineage', graphFile], /Shipped\\n::error/],
      [1, ['fetch', graphFile], /graph\\n::error/],
      [2, ['explain', attack], /::error/],
      [0, ['complete', graphFile, '--line', '5', '--character', '16'], /orders\\n::error/],
      [1, ['ci', '.'], /Shipped\\n::error/],
      [0, ['export', graphFile, '--as', 'csv', '--output', file('out')], /out\\n::error/],
      [0, ['map', graphFile, '--output', `${file('map')}.svg`], /map\\n::error/],
      [1, ['new', 'shop', '--output', `${file('new')}.entity.yaml`], /orders\\n::error/],
      [0, ['copy', graphFile, `${file('copy')}.entity.yaml`], /copy\\n::error/],
      [0, ['reset', graphFile], /graph\\n::error/],
      [0, ['export-config', graphFile, '--as', 'json', '--output', `${file('config')}.json`], /config\\n::error/],
      [0, ['import-config', `${file('config')}.json`], /config\\n::error/],
      [2, ['delete', graphFile], /graph\\n::error/],
      [2, [attack], /there is no command/],
      [2, ['rules', graphFile, attack], /one argument too many/],
      [2, ['servicenow', attack, 'itsm'], /is not one of/],
      [1, ['import', `${file('absent')}.entity.yaml`], /absent\\n::error/],
    ];
    for (const [code, args, shows] of commandsRun) assert.match(await printed(code, args), shows);
    const run = new Set([...commandsRun.map(([, [name]]) => name), ...testedBelow]);
    assert.deepEqual(
      commands.map(({ name }) => name).filter((name) => !run.has(name) && !otherOutput.includes(name)),
      [],
      'commands without a row above',
    );
  });

  it('are shown by the comparison of two imports', async () => {
    const shipments = join(folder, 'shipments.csv');
    await writeFile(shipments, `${await readFile(shipments, 'utf8')}${cell('new')},2024-01-03 08:00:00\n`);
    await printed(0, ['import', graphFile]);
    assert.match(await printed(0, ['diff', graphFile, '--rows']), /new\\n::error/);
  });

  it('are shown by a proposed text', async () => {
    const proposed = graph.replaceAll('at\n    properties', 'gone\n    properties');
    const { stdout, stderr } = await runCommand(['propose', graphFile], folder, {}, proposed);
    assertHarmless(`${stdout}${stderr}`, 'propose');
    assert.match(stdout, /\\n::error/);
  });

  it('are shown by a terminal with colours', async () => {
    const { stdout, stderr } = await runCommand(['rules', graphFile], folder, { NO_COLOR: '', FORCE_COLOR: '1' });
    // eslint-disable-next-line no-control-regex -- the sequences of our own styles
    assertHarmless(`${stdout}${stderr}`.replaceAll(/\u001b\[\d\d?m/g, ''), 'rules');
  });

  it('are shown by Markdown, in which they are no markup', async () => {
    const path = join(folder, 'summary.md');
    await run('ci', '.', '--markdown', path);
    for (const text of [await readFile(path, 'utf8'), (await run('rules', graphFile, '--format', 'markdown')).stdout]) {
      assertHarmless(text, 'Markdown');
      const { kinds } = renderMarkdown(text);
      const ours = ['space', 'heading', 'table', 'text', 'escape', 'paragraph', 'list', 'list_item', 'strong'];
      assert.deepEqual(
        [...kinds].filter((kind) => !ours.includes(kind)),
        [],
      );
      assert.match(renderMarkdown(text).text, /Shipped\\n::error::A\\n.*<b>`\[G\]\(h\)\|~~~~~~/u);
    }
  });

  it('keep the original text in JSON output', async () => {
    const [first] = JSON.parse((await run('rules', graphFile, '--format', 'json')).stdout) as {
      readonly name: string;
    }[];
    assert.equal(first?.name, `Shipped${attack}`);
    const suggested = (await run('rules', graphFile, '--suggest')).stdout;
    assert.doesNotMatch(suggested, /[^\P{Cc}\n]|[\u2028\u2029\p{Bidi_Control}]|^\s*::/mu);
    const { rules } = parse(suggested) as {
      readonly rules: readonly { readonly each: { readonly entityType: string } }[];
    };
    assert.equal(rules[0]?.each.entityType, `order${attack}`);
  });
});
