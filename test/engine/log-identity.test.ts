import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OcelForm } from '../../server/src/event-logs/ocel/read-log.ts';
import { logDifference } from '../support/log-difference.ts';
import { exportAt, importAt, withLogProject } from '../support/log-projects.ts';
import { loadSampleDatabase } from '../support/northwind.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { countSoak, isSoak, soakList } from '../support/soak.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { xesFaults } from '../support/xes-faults.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { copySample, shortenFiles } from './samples-import.ts';

const forms: readonly OcelForm[] = ['ocel-json', 'ocel-xml', 'ocel-sqlite'];

/** docs/semantics.md#35-event-logs: a log that is exported, imported and exported again is the same log. */
describe('identity of event logs', () => {
  const stops: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const stop of stops) await stop();
  });

  /** The samples, with entity types of event logs, and the values that their data sources need. */
  const samples: readonly (readonly [
    name: string,
    entityTypes: readonly string[],
    values: () => Promise<Readonly<Record<string, string>>>,
  ])[] = [
    ['incidents', ['incident', 'caller'], async () => ({})],
    ['order-to-cash', ['order', 'delivery'], async () => ({})],
    [
      'northwind',
      ['order'],
      async () => {
        const values = await loadSampleDatabase(await sharedPostgres());
        return { 'env:NORTHWIND_PORT': values['NORTHWIND_PORT'] ?? '', 'secret:northwind': 'northwind' };
      },
    ],
    [
      'itsm',
      ['incident'],
      async () => {
        const simulator = await startSimulator({ seed: 1, incidents: 40 });
        stops.push(() => simulator.close());
        return { 'env:ITSM_URL': simulator.url, 'secret:itsm': simulator.logins.password };
      },
    ],
  ];

  describe('a graph with everything that samples do not have', () => {
    let folder = '';
    let graph = '';
    before(async () => {
      folder = await folderWith(oddFiles);
      graph = join(folder, 'graph.entity.yaml');
      const { status, error } = await importAt(graph);
      assert.equal(status, 'imported', error?.message);
    });
    after(() => removeFolder(folder));

    for (const form of forms) {
      it(`is identical after export, import of ${form} and export`, () =>
        // Its large numbers are of different types in different forms.
        expectIdentity(graph, folder, { imported: form, exported: [form], least: 5 }));
    }

    it('is identical after export, import and export as XES, where its numbers are finite', async () => {
      const finite = await folderWith({
        ...oddFiles,
        'tickets.csv': oddFiles['tickets.csv'].replace(',nan,', ',0.25,').replace(',-inf,', ',-1e-9,'),
      });
      try {
        const path = join(finite, 'graph.entity.yaml');
        assert.equal((await importAt(path)).status, 'imported');
        await expectXesIdentity(path, finite, 'ticket', 5);
      } finally {
        await removeFolder(finite);
      }
    });
  });

  describe('an XES log of another tool with extensions, globals and classifiers', () => {
    let folder = '';
    let first = '';
    before(async () => {
      folder = await folderWith({ 'log.xes': talkativeXes });
      first = join(folder, 'first.xes');
    });
    after(() => removeFolder(folder));

    it('the first graph has an entity for the log, and its export has the complete content of the log', () =>
      withLogProject('xes', join(folder, 'log.xes'), async ({ graph }) => {
        const { status, error, warnings } = await importAt(graph);
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(warnings, []);
        const text = await readFile(await exportAt(graph, 'xes', first), 'utf8');
        assert.deepEqual(xesFaults(text), []);
        const head = text.slice(0, text.indexOf('<trace>')).split('\n').slice(1, -1);
        assert.deepEqual(head, [
          '<log xes.version="1849.2023" xes.features="nested-attributes">',
          '<extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>',
          '<extension name="Time" prefix="time" uri="http://www.xes-standard.org/time.xesext"/>',
          '<extension name="Lifecycle" prefix="lifecycle" uri="http://www.xes-standard.org/lifecycle.xesext"/>',
          '<extension name="Organizational" prefix="org" uri="http://www.xes-standard.org/org.xesext"/>',
          '<extension name="Cost" prefix="cost" uri="http://www.xes-standard.org/cost.xesext"/>',
          '<global scope="trace"><string key="concept:name" value=""/><string key="org:group" value="?"/></global>',
          '<global scope="event"><string key="concept:name" value=""/><date key="time:timestamp" value="1970-01-01T00:00:00.000000Z"/><string key="lifecycle" value="start"/><string key="org:resource" value="none"/></global>',
          '<classifier name="Activity" scope="event" keys="concept:name"/>',
          '<classifier name="ActivityAndLifecycle" scope="event" keys="concept:name lifecycle"/>',
          '<classifier name="By_whom" scope="event" keys="org:resource cost_in_Euro"/>',
          '<classifier name="Group" scope="trace" keys="org:group"/>',
          '<string key="concept:name" value="claim"/>',
          '<string key="source" value="the &quot;old&quot; system &amp; &lt;others&gt;"><int key="version" value="7"/></string>',
          '<date key="written" value="2024-02-01T10:00:00.000+02:00"/>',
        ]);
        assert.match(
          text,
          /<trace><string key="concept:name" value="c1"\/><string key="org:group" value="north"\/><int key="amount" value="10"\/>/,
        );
        assert.match(text, /<string key="org:resource" value="Ada"\/>/);
        assert.match(text, /<float key="cost_in_Euro" value="1\.5"\/>/);
      }));

    it('its export is identical after another import and export', async () => {
      await withLogProject('xes', first, async (project) => {
        const { status, error } = await importAt(project.graph);
        assert.equal(status, 'imported', error?.message);
        const second = await exportAt(project.graph, 'xes', join(project.folder, 'second.xes'), 'claim');
        assert.deepEqual(await linesOf(second), await linesOf(first));
      });
    });

    it('refuses an invalid head of a log, with a remedy', () =>
      withLogProject('xes', join(folder, 'log.xes'), async ({ graph }) => {
        const text = await readFile(graph, 'utf8');
        await writeFile(graph, text.replace(/^( *- )attributes$/m, '$1{ column: log_id, name: attributes }'));
        const { status, error } = await importAt(graph);
        assert.equal(status, 'imported', error?.message);
        await assert.rejects(exportAt(graph, 'xes', join(folder, 'refused.xes')), {
          failure: {
            code: 'log-malformed',
            message: 'The entity of the type xes:log has values that are not those of the head of an event log.',
            remedy:
              'Take the properties attributes, extensions, globals and classifiers of xes:log as the data object log has them, or remove the entry xes:log from entities.',
          },
        });
      }));
  });

  for (const [index, [sample, entityTypes, values]] of samples.entries()) {
    describe(`the sample ${sample}`, () => {
      let folder = '';
      let graph = '';
      before(async () => {
        folder = await copySample(sample);
        await shortenFiles(join(folder, 'data'), 250);
        graph = join(folder, `${sample}.entity.yaml`);
        const sources = join(folder, 'entity-sources.yaml');
        let text = await readFile(sources, 'utf8');
        for (const [name, value] of Object.entries(await values())) text = text.replaceAll(`\${${name}}`, value);
        await writeFile(sources, text);
        const { status, error } = await importAt(graph);
        assert.equal(status, 'imported', error?.message);
      });
      after(() => removeFolder(folder));

      // All forms are exported and compared; imports of them differ in their readers only, which the graph above tries.
      const imported = forms[index % forms.length] ?? 'ocel-json';
      for (const form of soakList(forms, [imported])) {
        it(`is identical after export, import of ${form} and export`, async () => {
          // Types that a form does not have arrive as others, so that in the soak each form is compared with itself.
          await expectIdentity(graph, folder, { imported: form, exported: isSoak ? [form] : forms, least: 30 });
          countSoak();
        });
      }

      for (const entityType of entityTypes) {
        it(`is identical after export, import and export as XES of ${entityType}`, () =>
          expectXesIdentity(graph, folder, entityType));
      }
    });
  }
});

/** The head declares attributes that exports write themselves, that some events lack, and that are malformed. */
const talkativeXes = `<?xml version="1.0" encoding="UTF-8"?>
<log xes.version="2.0" xes.features="nested-attributes">
  <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
  <extension name="Organizational" prefix="org" uri="http://www.xes-standard.org/org.xesext"/>
  <extension name="Nothing"/>
  <global scope="trace"><string key="concept:name" value="?"/><string key="org:group" value="?"/></global>
  <global scope="event"><string key="org:resource" value="none"/><float key="cost in Euro" value="0"/><int key="count" value="many"/></global>
  <classifier name="By whom" keys="org:resource cost in Euro"/>
  <classifier name="Of nothing" keys="org:role"/>
  <classifier name="Group" scope="trace" keys="'org:group'"/>
  <string key="concept:name" value="claim"/>
  <string key="source" value="the &quot;old&quot; system &amp; &lt;others&gt;"><int key="version" value="7"/></string>
  <date key="written" value="2024-02-01T10:00:00.000+02:00"/>
  <trace>
    <string key="concept:name" value="c1"/><string key="org:group" value="north"/><int key="amount" value="10"/>
    <event><string key="concept:name" value="Report"/><date key="time:timestamp" value="2024-01-01T10:00:00Z"/><string key="org:resource" value="Ada"/><float key="cost in Euro" value="1.5"/></event>
    <event><string key="concept:name" value="Assess"/><date key="time:timestamp" value="2024-01-02T10:00:00Z"/><string key="org:resource" value="Bob"/></event>
  </trace>
  <trace><string key="concept:name" value="c2"/><string key="org:group" value="south"/>
    <event><string key="concept:name" value="Report"/><date key="time:timestamp" value="2024-01-03T10:00:00Z"/><string key="org:resource" value="Ada"/></event>
  </trace>
</log>
`;

async function expectXesIdentity(graph: string, folder: string, entityType: string, least = 30): Promise<void> {
  const first = await exportAt(graph, 'xes', join(folder, `${entityType}.xes`), entityType);
  await withLogProject('xes', first, async (project) => {
    const { status, error, warnings } = await importAt(project.graph);
    assert.equal(status, 'imported', error?.message);
    assert.deepEqual(warnings, []);
    const second = await exportAt(project.graph, 'xes', join(project.folder, 'second.xes'), entityType);
    const [before, after] = [await linesOf(first), await linesOf(second)];
    assert.ok(before.length >= least, `${before.length} lines`);
    assert.deepEqual(after.slice(0, 20), before.slice(0, 20));
    assert.ok(after.join('\n') === before.join('\n'), 'the files are equal');
  });
}

/** The lines of an XES file, with the attributes of each event sorted: their order has no meaning. */
async function linesOf(path: string): Promise<readonly string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.map((line) => (line.match(/<[^>]*>/g) ?? []).toSorted().join(''));
}

/** Content that no sample has: activities of two entity types, changes, ties, keys that look like ids of objects, and values of all types at their limits. */
const oddFiles = {
  'tickets.csv': `id,opened,changed,state,amount,ratio,huge,seen,ok,note
1,2024-01-01 00:00:00,2024-01-02 00:00:00,New,10.50,0.1,123456789012345678901234567890,2024-02-29 12:34:56.123456,true,"a ""b"", 'c' <d> & é"
ticket:1,2024-01-01 00:00:00,,New,3.00,nan,-5,,false,"=1+1"
"x:y|z",2024-01-01 00:00:00,2023-01-01 00:00:00,Closed,-7.25,1e300,0,0044-03-15 00:00:00,,
1,2024-01-03 00:00:00,,Closed,10.50,-inf,1,2024-02-29 12:34:56,true,"line
break"
`,
  'problems.csv': 'id,at,state,cause,note\np1,2024-01-01 00:00:00,New,disk,7\np2,2024-01-01 00:00:00,New,,8\n',
  'parts.csv': 'id,ticket,name\na,1,wheel\nb,1,door\nnone,,roof\n',
  'entity-sources.yaml': `version: 1
dataSources:
  shop:
    kind: csv
    path: "*.csv"
    files:
      tickets.csv: { types: { amount: "DECIMAL(10,2)", ratio: DOUBLE, huge: HUGEINT, seen: TIMESTAMP, ok: BOOLEAN, id: VARCHAR, note: VARCHAR, opened: TIMESTAMP, changed: TIMESTAMP } }
      problems.csv: { types: { note: VARCHAR, at: TIMESTAMP } }
      parts.csv: { types: { ticket: VARCHAR } }
`,
  'graph.entity.yaml': `version: 1
dataSource: shop
elements:
  - { activityName: Update Ticket, dataObject: tickets, key: id, entityType: ticket, startTimestamp: opened, changeTimestamp: changed, activityColumn: state, properties: [amount, ratio, huge, seen, ok, { column: note, name: the.note }, { column: state, name: element }] }
  - { activityName: Update Problem, dataObject: problems, key: id, entityType: problem, startTimestamp: at, activityColumn: state, properties: [cause, { column: note, name: the.note }], correlatesWith: [{ entityType: ticket, key: note, qualifier: "it's about" }] }
entities:
  - { entityType: part, dataObject: parts, key: id, properties: [name] }
relationships:
  - { name: consists of, source: Update Ticket, target: part, mappings: [{ source: id, target: ticket }], correlate: none }
`,
};

/** Exports a graph in several forms, imports one of them, and compares what that graph exports in all these forms. */
async function expectIdentity(
  graph: string,
  folder: string,
  options: { readonly imported: OcelForm; readonly exported: readonly OcelForm[]; readonly least: number },
): Promise<void> {
  const { imported, exported, least } = options;
  const firsts = new Map<OcelForm, string>();
  for (const form of exported) firsts.set(form, await exportAt(graph, form, join(folder, `first.${form}`)));
  await withLogProject('ocel', firsts.get(imported) ?? '', async (project) => {
    const { status, error, warnings } = await importAt(project.graph);
    assert.equal(status, 'imported', error?.message);
    assert.deepEqual(warnings, []);
    for (const [form, first] of firsts) {
      const second = await exportAt(project.graph, form, join(project.folder, `second.${form}`));
      const { differences, rows } = await logDifference([first, second], form);
      assert.deepEqual(differences, [], form);
      for (const part of ['events', 'objects', 'event values', 'object values', 'event relations'] as const)
        assert.ok(rows[part] >= least, `${part}: ${rows[part]}`);
    }
  });
}
