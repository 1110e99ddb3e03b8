import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { csvSources, graphText } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { sarifResults } from '../support/sarif-results.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const element = '{ activityName: Place Order, dataObject: orders, key: id, startTimestamp: at }';
const good = graphText(`  - ${element}\n`);
const broken = good.replace('startTimestamp: at', 'startTimestamp: att');
const orders = 'id,at\n1,2024-01-01 08:00:00\n2,2024-01-02 09:30:00\n';

interface Step {
  readonly name: string;
  readonly outcome: string;
  readonly detail: string;
  readonly messages: readonly string[];
}

interface Report {
  readonly files: readonly {
    readonly file: string;
    readonly steps: readonly Step[];
    readonly diagnostics: readonly unknown[];
  }[];
  readonly unchanged: number;
  readonly failed: number;
}

/** docs/ci.md */
describe('command line: ci', () => {
  const folders: string[] = [];
  after(async () => {
    for (const folder of folders) await removeFolder(folder);
  });

  async function project(files: Readonly<Record<string, string>>): Promise<string> {
    const folder = await folderWith({ 'entity-sources.yaml': csvSources(), 'orders.csv': orders, ...files });
    folders.push(folder);
    return folder;
  }

  async function runJson(
    folder: string,
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly report: Report }> {
    const { code, stdout, stderr } = await runCommand(
      ['ci', folder, '--workspace', folder, '--format', 'json', ...args],
      folder,
    );
    assert.ok(stdout.startsWith('{'), stderr);
    return { code, report: JSON.parse(stdout) as Report };
  }

  const outcomes = ({ files }: Report): Readonly<Record<string, readonly string[]>> =>
    Object.fromEntries(
      files.map(({ file, steps }) => [
        file.split(/[\\/]/).at(-1),
        steps.map(({ name, outcome }) => `${name} ${outcome}`),
      ]),
    );

  it('validates, imports and checks each graph; a failed step ends the steps of its graph only', async () => {
    const folder = await project({ 'a.entity.yaml': broken, 'below/b.entity.yaml': good });
    const { code, report } = await runJson(folder);
    assert.deepEqual(outcomes(report), {
      'entity-sources.yaml': ['validate passed'],
      'a.entity.yaml': ['validate failed', 'import not run', 'check not run', 'findings not run'],
      'b.entity.yaml': ['validate passed', 'import passed', 'check passed', 'findings passed'],
    });
    assert.deepEqual([code, report.failed, report.unchanged], [1, 1, 0]);
    assert.equal(report.files[1]?.steps[1]?.detail, 'validate failed');
    assert.equal(report.files[2]?.steps[1]?.detail, '2 events, 2 entities');
  });

  it('takes --base and --rows with --effect only, and a base with it', async () => {
    const folder = await project({ 'b.entity.yaml': good });
    const usage = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr } = await runCommand(['ci', folder, ...args], folder);
      assert.equal(code, 2);
      return stderr;
    };
    assert.match(await usage('--base', 'main'), /--base needs --effect FILE/);
    assert.match(await usage('--rows'), /--rows needs --effect FILE/);
    assert.match(await usage('--effect', 'effect.md'), /--effect needs --base/);
    assert.match(await usage('--effect', 'effect.md', '--base', 'main', '--offline'), /--offline does not/);
  });

  it('runs the tests of graphs, also offline', async () => {
    const testOf = (entity: number): string => `graph: a.entity.yaml
tests:
  - name: an order is an event
    given: { orders: [{ id: 1, at: 2024-01-01T08:00:00Z }] }
    expect: { events: [{ activity: Place Order, entity: ${entity} }] }
`;
    const folder = await project({
      'a.entity.yaml': good,
      'a.entity.test.yaml': testOf(1),
      'b.entity.test.yaml': testOf(2),
    });
    const [junit, sarif] = [join(folder, 's.xml'), join(folder, 'p.sarif')];
    const { code, report } = await runJson(folder, '--offline', '--junit', junit, '--sarif', sarif);
    assert.deepEqual([code, report.failed], [1, 1]);
    assert.deepEqual(outcomes(report), {
      'entity-sources.yaml': ['validate passed'],
      'a.entity.yaml': ['validate passed'],
      'a.entity.test.yaml': ['test passed'],
      'b.entity.test.yaml': ['test failed'],
    });
    assert.deepEqual(
      casesOf(await readFile(junit, 'utf8')).filter(({ name }) => name === 'an order is an event'),
      [
        { suite: 'a.entity.test.yaml', name: 'an order is an event', result: undefined },
        { suite: 'b.entity.test.yaml', name: 'an order is an event', result: 'failure' },
      ],
    );
    const results = sarifResults(await readFile(sarif, 'utf8'));
    assert.deepEqual(
      results.map(({ ruleId, level, locations: [{ physicalLocation }] }) => [
        ruleId,
        level,
        physicalLocation.artifactLocation.uri.split('/').at(-1),
        physicalLocation.region.startLine,
      ]),
      [['test-failed', 'error', 'b.entity.test.yaml', 5]],
    );
  });

  it('a failed import is reported with its reason', async () => {
    const folder = await project({ 'a.entity.yaml': good, 'orders.csv': 'id,at\n1,no time\n' });
    const { code, report } = await runJson(folder);
    const failed = report.files[1]?.steps.find(({ outcome }) => outcome === 'failed');
    assert.equal(code, 1);
    assert.ok(
      (failed?.messages.join('') ?? '').length > 0 || (report.files[1]?.diagnostics.length ?? 0) > 0,
      JSON.stringify(report),
    );
  });

  it('writes the reports, also when a step fails', async () => {
    const rules = 'rules:\n  - { name: Late, each: { activity: Place Order }, expect: [{ sql: 1 = 2 }] }\n';
    const folder = await project({ 'a.entity.yaml': broken, 'b <&> "1".entity.yaml': `${good}${rules}` });
    const paths = ['p.sarif', 's.xml', 'm.md'].map((name) => join(folder, name));
    const [sarif = '', junit = '', markdown = ''] = paths;
    const { code } = await runJson(folder, '--sarif', sarif, '--junit', junit, '--markdown', markdown);
    assert.equal(code, 1);
    assert.deepEqual(
      sarifResults(await readFile(sarif, 'utf8')).map(({ ruleId }) => ruleId),
      ['unknown-column', 'rule-broken'],
    );
    const cases = casesOf(await readFile(junit, 'utf8'));
    assert.deepEqual(
      cases.map(({ suite, name, result }) => [suite, name, result]),
      [
        ['a.entity.yaml', 'validate', 'failure'],
        ['a.entity.yaml', 'import', 'skipped'],
        ['a.entity.yaml', 'check', 'skipped'],
        ['a.entity.yaml', 'findings', 'skipped'],
        ['b <&> "1".entity.yaml', 'validate', undefined],
        ['b <&> "1".entity.yaml', 'import', undefined],
        ['b <&> "1".entity.yaml', 'check', undefined],
        ['b <&> "1".entity.yaml', 'rules', undefined],
        ['b <&> "1".entity.yaml', 'findings', undefined],
        ['entity-sources.yaml', 'validate', undefined],
      ],
    );
    const text = await readFile(markdown, 'utf8');
    assert.match(text, /\| a\.entity\.yaml \| ❌ failed: 1 error \| {2}\| ⚪ not run: validate failed \|/);
    assert.match(text, /"att"/);
  });

  it('tells what is odd in the data, which fails with --strict unless the file accepts it', async () => {
    const times = Array.from({ length: 40 }, (_, index) => {
      const hour = index % 4 === 0 ? 0 : 7 + (index % 11);
      return new Date(Date.UTC(2024, 0, 1 + index, hour, hour === 0 ? 0 : 13, hour === 0 ? 0 : 17)).toISOString();
    });
    const accepted = `accepted: [{ finding: midnight-times, element: Place Order, reason: Days only. }]\n`;
    const folder = await project({
      'a.entity.yaml': good,
      'b.entity.yaml': `${good}${accepted}`,
      'orders.csv': ['id,at', ...times.map((time, id) => `${id},${time}`)].join('\n'),
    });
    const sarif = join(folder, 'p.sarif');
    const { code, report } = await runJson(folder, '--sarif', sarif);
    const steps = report.files.slice(1).map((file) => file.steps.find(({ name }) => name === 'findings'));
    assert.deepEqual(
      [code, ...steps.map((step) => [step?.outcome, step?.detail])],
      [0, ['passed', '1 warning'], ['passed', '1 accepted']],
    );
    assert.match(steps[0]?.messages[0] ?? '', /^midnight-times: 10 of 40 events of "Place Order"/);
    assert.deepEqual(
      sarifResults(await readFile(sarif, 'utf8')).map(({ ruleId, level, locations: [{ physicalLocation }] }) => [
        ruleId,
        level,
        physicalLocation.artifactLocation.uri.split('/').at(-1),
      ]),
      [['data-finding', 'warning', 'a.entity.yaml']],
    );
    const strict = await runJson(folder, '--strict');
    assert.deepEqual([strict.code, strict.report.failed], [1, 1]);
  });

  it('offline, files are validated only', async () => {
    const folder = await project({ 'a.entity.yaml': good });
    const { code, report } = await runJson(folder, '--offline');
    assert.deepEqual([code, outcomes(report)['a.entity.yaml']], [0, ['validate passed']]);
    assert.equal(existsSync(join(folder, '.entity-graph/graphs')), false);
  });

  it('with --strict a warning fails', async () => {
    const unused = good.replace('elements:', 'dataObjects: [orders, orders2]\nelements:');
    const folder = await project({ 'a.entity.yaml': unused, 'orders2.csv': orders });
    assert.equal((await runJson(folder, '--offline')).code, 0);
    const { code, report } = await runJson(folder, '--offline', '--strict');
    assert.deepEqual([code, outcomes(report)['a.entity.yaml']], [1, ['validate failed']]);
  });

  it('leaves out graphs that did not change since a commit', async () => {
    const folder = await project({
      'a.entity.yaml': good,
      'b.entity.yaml': good,
      'other/entity-sources.yaml': csvSources(),
      'other/c.entity.yaml': good,
      'other/orders.csv': orders,
    });
    const git = gitIn(folder);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    const none = await runJson(folder, '--changed-since', 'HEAD', '--offline');
    assert.deepEqual([none.code, none.report.files, none.report.unchanged], [0, [], 3]);
    await writeFile(join(folder, 'b.entity.yaml'), `${good}# changed\n`);
    await writeFile(join(folder, 'new ü.entity.yaml'), good);
    const some = await runJson(folder, '--changed-since', 'HEAD', '--offline');
    assert.deepEqual(Object.keys(outcomes(some.report)), ['b.entity.yaml', 'new ü.entity.yaml']);
    git('add', '.');
    git('commit', '--quiet', '-m', 'second');
    await writeFile(join(folder, 'other/entity-sources.yaml'), `${csvSources()}# changed\n`);
    const sources = await runJson(folder, '--changed-since', 'HEAD', '--offline');
    assert.deepEqual(Object.keys(outcomes(sources.report)), ['entity-sources.yaml', 'c.entity.yaml']);
    const before = await runJson(folder, '--changed-since', 'HEAD~1', '--offline');
    assert.equal(before.report.unchanged, 1);
  });

  it('runs the named queries of a graph, which are part of what may have changed', async () => {
    const folder = await project({ 'a.entity.yaml': good, 'queries/all.sql': 'SELECT count(*) FROM entity' });
    const git = gitIn(folder);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    const steps = async (...words: readonly string[]): Promise<readonly unknown[]> => {
      const { code, report } = await runJson(folder, ...words);
      const step = report.files.flatMap((file) => file.steps).find(({ name }) => name === 'queries');
      return [code, step?.outcome, step?.detail, step?.messages];
    };
    assert.deepEqual(await steps(), [0, 'passed', '1 can be run', []]);
    assert.deepEqual(await steps('--changed-since', 'HEAD'), [0, undefined, undefined, undefined]);
    await writeFile(join(folder, 'queries/late.sql'), 'SELECT late FROM entity');
    const [code, outcome, detail, [message] = []] = (await steps('--changed-since', 'HEAD')) as [
      number,
      string,
      string,
      string[],
    ];
    assert.deepEqual([code, outcome, detail], [1, 'failed', '1 of 2 fail']);
    assert.match(message ?? '', /^late\.sql: .*"late" not found/u);
  });

  it('refuses a base that is not there before any work', async () => {
    const folder = await project({ 'a.entity.yaml': good });
    const git = gitIn(folder);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    const { code, stderr } = await runCommand(
      ['ci', folder, '--workspace', folder, '--effect', join(folder, 'x.md'), '--base', 'nope'],
      folder,
    );
    assert.equal(code, 1);
    assert.match(stderr, /There is no commit nope in .*unknown-commit.*fetch-depth/s);
    assert.equal(existsSync(join(folder, '.entity-graph/graphs')), false);
  });

  it('tells of a change that mends a broken base why the base cannot be built, and the new numbers', async () => {
    const folder = await project({ 'a.entity.yaml': broken });
    const git = gitIn(folder);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    await writeFile(join(folder, 'a.entity.yaml'), good);
    const path = join(folder, 'x.md');
    const { code, report } = await runJson(folder, '--effect', path, '--base', 'HEAD');
    const comment = await readFile(path, 'utf8');
    const step = report.files[1]?.steps.find(({ name }) => name === 'effect');
    assert.deepEqual([code, step?.outcome, step?.detail], [0, 'passed', 'the base cannot be built'], comment);
    assert.match(comment, /The base HEAD \(\w{10}\) cannot be built: line \d+: .*"att"/);
    assert.match(comment, /\nThe graph has now 2 entities, 2 events, /);
    // Where neither can be built, that is a failure, and the other reports are written.
    await writeFile(join(folder, 'a.entity.yaml'), good.replace('key: id', 'key: idd'));
    const junit = join(folder, 's.xml');
    const neither = await runJson(folder, '--effect', path, '--base', 'HEAD', '--junit', junit);
    assert.deepEqual([neither.code, existsSync(junit)], [1, true]);
  });

  it('refuses impossible options, with a remedy', async () => {
    const folder = await project({ 'a.entity.yaml': good });
    const run = (...args: readonly string[]) => runCommand(['ci', folder, '--workspace', folder, ...args], folder);
    const noRepository = await run('--changed-since', 'HEAD');
    assert.equal(noRepository.code, 1);
    assert.match(noRepository.stderr, /is not in a Git repository.*no-repository/s);
    execFileSync('git', ['-C', folder, 'init', '--quiet']);
    const noCommit = await run('--changed-since', '--output=x');
    assert.match(noCommit.stderr, /changed-since|There is no commit/);
    const unknown = await run('--changed-since', 'nowhere');
    assert.match(unknown.stderr, /There is no commit nowhere in .*fetch-depth/s);
    const target = await run('--junit', folder);
    assert.match(target.stderr, /is a folder/);
    assert.equal(existsSync(join(folder, '.entity-graph/graphs')), false);
    const empty = await folderWith({});
    folders.push(empty);
    const nothing = await runCommand(['ci', empty, '--workspace', empty], empty);
    assert.deepEqual([nothing.code, /There is no entity graph/.test(nothing.stderr)], [1, true]);
  });
});

function gitIn(folder: string): (...args: readonly string[]) => string {
  return (...args) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.org', '-C', folder, ...args], {
      encoding: 'utf8',
    });
}

function casesOf(
  xml: string,
): readonly { readonly suite: string; readonly name: string; readonly result: string | undefined }[] {
  const cases: { suite: string; name: string; result: string | undefined }[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const last = cases.at(-1);
    if (name === 'testcase')
      cases.push({ suite: attributes['classname'] ?? '', name: attributes['name'] ?? '', result: undefined });
    else if (last && (name === 'failure' || name === 'skipped')) last.result = name;
  });
  parser.write(xml).close();
  return cases.toSorted((a, b) => (`${a.suite}` < `${b.suite}` ? -1 : a.suite > b.suite ? 1 : 0));
}
