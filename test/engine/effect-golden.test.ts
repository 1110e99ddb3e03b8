import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChangeKind, type ChangePart, changeParts, kindsOfPart } from '../../protocol/graph-changes.ts';
import type { GraphEffect } from '../../protocol/graph-effect.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { runCommand } from '../support/run-command.ts';
import { projectRoot } from '../support/doc-pages.ts';

/** An edit of a sample, and how much it changes, counted over the raw files, in which every value is a text. */
interface GoldenEdit {
  readonly title: string;
  readonly sample: 'order-to-cash' | 'incidents';
  readonly from: string | RegExp;
  readonly to: string;
  /** SQL of each number of these parts that is not 0; all others of them are 0. */
  readonly changes: Readonly<Record<string, string>>;
  /** Properties that were added, removed or have other types. */
  readonly schema?: number;
}

/** The parts whose numbers are all counted. */
const countedParts: readonly ChangePart[] = ['entities', 'events', 'values', 'entries', 'versions', 'relations'];

const changedOrders =
  "SELECT OBJECTID FROM CDHDR JOIN CDPOS USING (CHANGENR) WHERE FNAME NOT IN ('LIFSK') OR FNAME = 'LIFSK'";
const paidInvoices = "SELECT unnest(string_split(XBLNR, ';')) FROM FEBEP";
const edits: readonly GoldenEdit[] = [
  {
    title: 'a comment',
    sample: 'order-to-cash',
    from: 'elements:',
    to: '# What happens\nelements:',
    changes: {},
  },
  {
    title: 'quotes and the description',
    sample: 'order-to-cash',
    from: 'name: Order to cash\n',
    to: 'name: "Order to cash, edited"\n',
    changes: {},
  },
  {
    title: 'a condition of an element',
    sample: 'order-to-cash',
    from: '    dataObject: VBAK\n',
    to: '    dataObject: VBAK\n    where: NETWR > 1000\n',
    changes: {
      'events Place Order gone': 'SELECT count(*) FROM VBAK WHERE NETWR::DOUBLE <= 1000',
      'entities order gone': `SELECT count(*) FROM VBAK WHERE NETWR::DOUBLE <= 1000 AND VBELN NOT IN (${changedOrders})`,
      'relations delivers gone':
        'SELECT count(*) FROM (SELECT DISTINCT l.VBELN, VGBEL FROM LIPS l JOIN VBAK o ON o.VBELN = VGBEL JOIN LIKP d ON d.VBELN = l.VBELN WHERE o.NETWR::DOUBLE <= 1000)',
      'relations contains gone':
        'SELECT count(*) FROM (SELECT DISTINCT p.VBELN, MATNR FROM VBAP p JOIN VBAK o USING (VBELN) WHERE o.NETWR::DOUBLE <= 1000)',
      'relations invoices of order gone': `SELECT count(*) FROM (SELECT DISTINCT o.VBELN, r.VBELN FROM VBAK o JOIN LIPS l ON l.VGBEL = o.VBELN JOIN VBRP r ON r.VGBEL = l.VBELN
         JOIN VBRK i ON i.VBELN = r.VBELN WHERE o.NETWR::DOUBLE <= 1000 AND i.FKART = 'F2')`,
    },
  },
  {
    title: 'a condition that takes nothing',
    sample: 'order-to-cash',
    from: "where: FKART = 'S1'",
    to: "where: FKART = 'S2'",
    changes: {
      'events Cancel Invoice gone': "SELECT count(*) FROM VBRK WHERE FKART = 'S1'",
      'entities invoice gone': `SELECT count(DISTINCT SFAKN) FROM VBRK WHERE FKART = 'S1' AND SFAKN NOT IN (SELECT VBELN FROM VBRK WHERE FKART = 'F2') AND SFAKN NOT IN (${paidInvoices})`,
    },
  },
  {
    title: 'a condition less, whose rows have no key',
    sample: 'order-to-cash',
    from: "    where: FKART = 'S1'\n",
    to: '',
    changes: {
      'events Cancel Invoice new': "SELECT count(*) FROM VBRK WHERE FKART <> 'S1' AND SFAKN IS NOT NULL",
    },
  },
  {
    title: 'a property more',
    sample: 'order-to-cash',
    from: '      - { column: KWBTR, name: amount }',
    to: '      - { column: KWBTR, name: amount }\n      - { column: XBLNR, name: reference }',
    changes: {},
    schema: 1,
  },
  {
    title: 'another name of a property',
    sample: 'order-to-cash',
    from: '{ column: MATKL, name: group }',
    to: '{ column: MATKL, name: category }',
    changes: {},
    schema: 2,
  },
  {
    title: 'another column of a property',
    sample: 'order-to-cash',
    from: '{ column: ORT01, name: town }',
    to: '{ column: NAME1, name: town }',
    changes: {
      'entries customer changed': 'SELECT count(*) FROM KNA1 WHERE ORT01 IS DISTINCT FROM NAME1',
      'values customer.town changed': 'SELECT count(*) FROM KNA1 WHERE ORT01 IS DISTINCT FROM NAME1',
    },
  },
  {
    title: 'the column of a property of joined rows',
    sample: 'order-to-cash',
    from: '{ column: VALUE_OLD, name: before }',
    to: '{ column: VALUE_NEW, name: before }',
    changes: {
      'events Change Order changed':
        "SELECT count(*) FROM CDPOS JOIN CDHDR USING (CHANGENR) WHERE FNAME NOT IN ('LIFSK', 'ABGRU') AND VALUE_OLD IS DISTINCT FROM VALUE_NEW",
      'values Change Order.before changed':
        "SELECT count(*) FROM CDPOS JOIN CDHDR USING (CHANGENR) WHERE FNAME NOT IN ('LIFSK', 'ABGRU') AND VALUE_OLD IS DISTINCT FROM VALUE_NEW",
    },
  },
  {
    title: 'a list of values in a condition with a join',
    sample: 'order-to-cash',
    from: "FNAME NOT IN ('LIFSK', 'ABGRU')",
    to: "FNAME NOT IN ('LIFSK', 'ABGRU', 'KWMENG')",
    changes: {
      'events Change Order gone': "SELECT count(*) FROM CDPOS JOIN CDHDR USING (CHANGENR) WHERE FNAME = 'KWMENG'",
    },
  },
  {
    title: 'a computed time',
    sample: 'order-to-cash',
    from: "strptime(ERDAT || ERZET, '%Y%m%d%H%M%S')",
    to: "strptime(ERDAT || '000000', '%Y%m%d%H%M%S')",
    changes: { 'events Place Order moved': "SELECT count(*) FROM VBAK WHERE ERZET <> '000000'" },
  },
  {
    title: 'another name of an element',
    sample: 'order-to-cash',
    from: 'activityName: Reject Item',
    to: 'activityName: Refuse Item',
    changes: {
      'events Reject Item gone': "SELECT count(*) FROM CDPOS JOIN CDHDR USING (CHANGENR) WHERE FNAME = 'ABGRU'",
      'events Refuse Item new': "SELECT count(*) FROM CDPOS JOIN CDHDR USING (CHANGENR) WHERE FNAME = 'ABGRU'",
    },
    // The property of each.
    schema: 2,
  },
  {
    title: 'a relationship less',
    sample: 'order-to-cash',
    from: / {2}- name: contains\n[\s\S]*?correlate: none\n/,
    to: '',
    changes: {
      'relations contains gone':
        'SELECT count(*) FROM (SELECT DISTINCT VBELN, MATNR FROM VBAP JOIN VBAK USING (VBELN) JOIN MARA USING (MATNR))',
    },
  },
  {
    title: 'another key',
    sample: 'order-to-cash',
    from: 'key: [KUKEY, ESNUM]',
    to: 'key: KUKEY',
    changes: {
      'events Receive Payment gone': 'SELECT count(*) FROM FEBEP',
      'events Receive Payment new': 'SELECT count(*) FROM FEBEP',
      'entities payment gone': 'SELECT count(*) FROM (SELECT DISTINCT KUKEY, ESNUM FROM FEBEP)',
      'entities payment new': 'SELECT count(DISTINCT KUKEY) FROM FEBEP',
    },
  },
  {
    title: 'a condition of master data',
    sample: 'order-to-cash',
    from: '    dataObject: MARA\n',
    to: "    dataObject: MARA\n    where: MATKL = 'LIGHT'\n",
    changes: {
      'entries material gone': "SELECT count(*) FROM MARA WHERE MATKL <> 'LIGHT'",
      'entities material gone': "SELECT count(*) FROM MARA WHERE MATKL <> 'LIGHT'",
      'relations contains gone':
        "SELECT count(*) FROM (SELECT DISTINCT VBELN, MATNR FROM VBAP JOIN VBAK USING (VBELN) JOIN MARA USING (MATNR) WHERE MATKL <> 'LIGHT')",
    },
  },
  {
    title: 'the separator of a list of keys',
    sample: 'order-to-cash',
    from: "separator: ';', qualifier: pays",
    to: "separator: '|', qualifier: pays",
    changes: {
      'entities invoice new': "SELECT count(DISTINCT XBLNR) FROM FEBEP WHERE contains(XBLNR, ';')",
    },
  },
  {
    title: 'a condition of one element of several over the same file',
    sample: 'incidents',
    from: '    sequence: sys_mod_count\n',
    to: "    sequence: sys_mod_count\n    where: incident_state <> 'New'\n",
    changes: { 'events Update Incident gone': "SELECT count(*) FROM incident_event_log WHERE incident_state = 'New'" },
  },
  {
    title: 'a column of a property of many events',
    sample: 'incidents',
    from: '[priority, impact, urgency,',
    to: '[{ column: impact, name: priority }, impact, urgency,',
    changes: {
      'events Update Incident changed': 'SELECT count(*) FROM incident_event_log WHERE priority <> impact',
      'values Update Incident.priority changed': 'SELECT count(*) FROM incident_event_log WHERE priority <> impact',
    },
  },
];

describe('golden edits of the samples', () => {
  for (const edit of edits) {
    it(`${edit.sample}: ${edit.title}`, async () => {
      const { found, schema, expected } = await run(edit);
      assert.deepEqual(found, expected);
      assert.equal(schema, edit.schema ?? 0);
    });
  }
});

async function run(edit: GoldenEdit) {
  const folder = await mkdtemp(join(tmpdir(), 'effect-golden-'));
  try {
    const sample = join(projectRoot, 'samples', edit.sample);
    await cp(join(sample, 'data'), join(folder, 'data'), { recursive: true });
    await cp(join(sample, 'entity-sources.yaml'), join(folder, 'entity-sources.yaml'));
    const text = await readFile(join(sample, `${edit.sample}.entity.yaml`), 'utf8');
    const edited = text.replace(edit.from, edit.to);
    assert.notEqual(edited, text);
    await writeFile(join(folder, 'base.yaml'), text);
    await writeFile(join(folder, 'sample.entity.yaml'), edited);
    const args = ['effect', 'sample.entity.yaml', '--workspace', folder, '--base', 'base.yaml', '--format', 'json'];
    const { code, stdout } = await runCommand(args, folder);
    assert.equal(code, 0, stdout);
    const { changes, schema } = JSON.parse(stdout) as GraphEffect;
    const found = countedParts.flatMap((part) =>
      (changes?.[part] ?? []).flatMap((change) =>
        kindsOfPart[part].flatMap((kind: ChangeKind) => {
          const count = change[kind] ?? 0;
          return count > 0 ? [`${part} ${change.name} ${kind}: ${count}`] : [];
        }),
      ),
    );
    assert.ok(changeParts.every((part) => changes?.[part]));
    return { found: found.toSorted(), schema: schema?.length, expected: await counted(join(folder, 'data'), edit) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The numbers by SQL over the files; those of 0 are left out. */
async function counted(folder: string, { changes }: GoldenEdit): Promise<readonly string[]> {
  const scratch = await openScratch();
  try {
    for (const name of await readdir(folder)) {
      const path = join(folder, name).replaceAll("'", "''");
      await scratch.run(
        `CREATE VIEW "${name.replace('.csv', '')}" AS FROM read_csv('${path}', header = true, all_varchar = true)`,
      );
    }
    const lines: string[] = [];
    for (const [number, sql] of Object.entries(changes)) {
      const count = (await scratch.table(sql)).rows[0]?.[0];
      if (Number(count) > 0) lines.push(`${number}: ${count}`);
    }
    return lines.toSorted();
  } finally {
    await scratch.close();
  }
}
