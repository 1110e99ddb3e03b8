import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChangeKind, type ChangePart, changeParts, kindsOfPart } from '../../protocol/graph-changes.ts';
import type { GraphEffect } from '../../protocol/graph-effect.ts';
import entityGraphSchema from '../../schemas/entity-graph.schema.json' with { type: 'json' };
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { runCommand } from '../support/run-command.ts';
import { projectRoot } from '../support/doc-pages.ts';
import { countSoak, soakList } from '../support/soak.ts';

/** An edit of a sample, and how much it changes, counted over the raw files, in which every value is a text. */
interface GoldenEdit {
  readonly title: string;
  /** Edits that have nothing to do with each other are tried together, as each takes two imports. In the soak, each alone. */
  readonly run: number;
  readonly sample: 'order-to-cash' | 'incidents';
  readonly from: string | RegExp;
  readonly to: string;
  /** What else is replaced, with it. */
  readonly references?: readonly [from: RegExp, to: string];
  /** Parts that are counted for this edit, too. */
  readonly also?: readonly ChangePart[];
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
const deliveredOrders =
  'SELECT count(*) FROM (SELECT DISTINCT l.VBELN, VGBEL FROM LIPS l JOIN VBAK o ON o.VBELN = VGBEL JOIN LIKP d ON d.VBELN = l.VBELN)';
const billedDeliveries = `SELECT count(*) FROM (SELECT DISTINCT r.VBELN, VGBEL FROM VBRP r JOIN LIKP d ON d.VBELN = VGBEL JOIN VBRK i ON i.VBELN = r.VBELN AND i.FKART = 'F2')`;
const changedFields = "CDPOS JOIN CDHDR USING (CHANGENR) WHERE FNAME NOT IN ('LIFSK', 'ABGRU')";
const contained = 'SELECT DISTINCT VBELN, MATNR FROM VBAP JOIN VBAK USING (VBELN) JOIN MARA USING (MATNR)';
const sent = 'SELECT DISTINCT VGBEL AS VBELN, MATNR FROM LIPS JOIN VBAK ON VBAK.VBELN = VGBEL JOIN MARA USING (MATNR)';
const closed = `(SELECT * FROM incident_event_log AS log WHERE incident_state = 'Closed'
  AND sys_mod_count::INT = (SELECT max(later.sys_mod_count::INT) FROM incident_event_log AS later WHERE later.number = log.number))`;
const reporting = (column: string): string =>
  `SELECT DISTINCT contact.caller_id, incident.number FROM ${closed} AS contact JOIN ${closed} AS incident ON contact.caller_id = incident.${column}`;
const reopened =
  "SELECT count(*) FROM (SELECT number, arg_max(reopen_count, sys_mod_count::INT) AS times FROM incident_event_log GROUP BY 1) WHERE times <> '0'";
const office =
  'calendars:\n  office: { timeZone: Europe/Berlin, days: Mon-Fri, hours: "08:00-17:00", holidays: ["2024-01-01"] }\n';
/** 1 if there is any, as a rule or an expectation is broken once. */
const any = (from: string): string => `SELECT CASE WHEN count(*) > 0 THEN 1 ELSE 0 END FROM ${from}`;
const expecting = (run: number, title: string, expect: string, broken: string, from: string): GoldenEdit => ({
  title,
  run,
  sample: 'order-to-cash',
  from: '    dataObject: VBAK\n',
  to: `    dataObject: VBAK\n    expect: ${expect}\n`,
  also: ['expectations'],
  changes: { [`expectations Place Order · ${broken} broken`]: any(from) },
});
const edits: readonly GoldenEdit[] = [
  {
    title: 'a comment',
    run: 1,
    sample: 'order-to-cash',
    from: 'elements:',
    to: '# What happens\nelements:',
    changes: {},
  },
  {
    title: 'quotes and the description',
    run: 1,
    sample: 'order-to-cash',
    from: 'name: Order to cash\n',
    to: 'name: "Order to cash, edited"\n',
    changes: {},
  },
  {
    title: 'a condition of an element',
    run: 3,
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
    run: 3,
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
    run: 4,
    sample: 'order-to-cash',
    from: "    where: FKART = 'S1'\n",
    to: '',
    changes: {
      'events Cancel Invoice new': "SELECT count(*) FROM VBRK WHERE FKART <> 'S1' AND SFAKN IS NOT NULL",
    },
  },
  {
    title: 'a property more',
    run: 3,
    sample: 'order-to-cash',
    from: '      - { column: KWBTR, name: amount }',
    to: '      - { column: KWBTR, name: amount }\n      - { column: XBLNR, name: reference }',
    changes: {},
    schema: 1,
  },
  {
    title: 'another name of a property',
    run: 5,
    sample: 'order-to-cash',
    from: '{ column: MATKL, name: group }',
    to: '{ column: MATKL, name: category }',
    changes: {},
    schema: 2,
  },
  {
    title: 'another column of a property',
    run: 3,
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
    run: 5,
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
    run: 4,
    sample: 'order-to-cash',
    from: "FNAME NOT IN ('LIFSK', 'ABGRU')",
    to: "FNAME NOT IN ('LIFSK', 'ABGRU', 'KWMENG')",
    changes: {
      'events Change Order gone': "SELECT count(*) FROM CDPOS JOIN CDHDR USING (CHANGENR) WHERE FNAME = 'KWMENG'",
    },
  },
  {
    title: 'a computed time',
    run: 4,
    sample: 'order-to-cash',
    from: "strptime(ERDAT || ERZET, '%Y%m%d%H%M%S')",
    to: "strptime(ERDAT || '000000', '%Y%m%d%H%M%S')",
    changes: { 'events Place Order moved': "SELECT count(*) FROM VBAK WHERE ERZET <> '000000'" },
  },
  {
    title: 'another name of an element',
    run: 5,
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
    run: 5,
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
    run: 4,
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
    run: 4,
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
    run: 5,
    sample: 'order-to-cash',
    from: "separator: ';', qualifier: pays",
    to: "separator: '|', qualifier: pays",
    changes: {
      'entities invoice new': "SELECT count(DISTINCT XBLNR) FROM FEBEP WHERE contains(XBLNR, ';')",
    },
  },
  {
    title: 'a condition of one element of several over the same file',
    run: 8,
    sample: 'incidents',
    from: '    sequence: sys_mod_count\n',
    to: "    sequence: sys_mod_count\n    where: incident_state <> 'New'\n",
    changes: { 'events Update Incident gone': "SELECT count(*) FROM incident_event_log WHERE incident_state = 'New'" },
  },
  {
    title: 'a column of a property of many events',
    run: 9,
    sample: 'incidents',
    from: '[priority, impact, urgency,',
    to: '[{ column: impact, name: priority }, impact, urgency,',
    changes: {
      'events Update Incident changed': 'SELECT count(*) FROM incident_event_log WHERE priority <> impact',
      'values Update Incident.priority changed': 'SELECT count(*) FROM incident_event_log WHERE priority <> impact',
    },
  },
  {
    title: 'a change of each order, at the day that the customer wants it',
    run: 5,
    sample: 'order-to-cash',
    from: `startTimestamp: { expression: "strptime(ERDAT || ERZET, '%Y%m%d%H%M%S')" }\n    correlatesWith:\n      - { entityType: customer`,
    to: `startTimestamp: { expression: "strptime(ERDAT || ERZET, '%Y%m%d%H%M%S')" }\n    changeTimestamp: { expression: "strptime(VDATU::VARCHAR, '%Y%m%d')" }\n    correlatesWith:\n      - { entityType: customer`,
    changes: { 'events Place Order new': 'SELECT count(*) FROM VBAK WHERE VDATU IS NOT NULL' },
  },
  {
    title: 'an end of each order',
    run: 6,
    sample: 'order-to-cash',
    from: `startTimestamp: { expression: "strptime(ERDAT || ERZET, '%Y%m%d%H%M%S')" }\n    correlatesWith:\n      - { entityType: customer`,
    to: `startTimestamp: { expression: "strptime(ERDAT || ERZET, '%Y%m%d%H%M%S')" }\n    endTimestamp: { expression: "strptime(VDATU::VARCHAR, '%Y%m%d')" }\n    correlatesWith:\n      - { entityType: customer`,
    changes: { 'events Place Order new': 'SELECT count(*) FROM VBAK WHERE VDATU IS NOT NULL' },
  },
  {
    title: 'activities from a column',
    run: 6,
    sample: 'order-to-cash',
    from: '  - activityName: Change Order\n',
    to: '  - activityName: Change Order\n    activityColumn: FNAME\n',
    changes: {
      'events Change Order gone':
        "SELECT count(*) FROM CDPOS JOIN CDHDR USING (CHANGENR) WHERE FNAME NOT IN ('LIFSK', 'ABGRU')",
      'events Change Order new':
        "SELECT count(*) FROM CDPOS JOIN CDHDR USING (CHANGENR) WHERE FNAME NOT IN ('LIFSK', 'ABGRU')",
    },
  },
  {
    title: 'the order of equal events',
    run: 2,
    sample: 'order-to-cash',
    from: '  - activityName: Change Order\n',
    to: '  - activityName: Change Order\n    sequence: FNAME\n',
    changes: {},
  },
  {
    title: 'another entity type',
    run: 6,
    sample: 'order-to-cash',
    from: /entityType: delivery/g,
    to: 'entityType: shipment',
    changes: {
      'entities delivery gone': 'SELECT count(DISTINCT VBELN) FROM LIKP',
      'entities shipment new': 'SELECT count(DISTINCT VBELN) FROM LIKP',
      'relations delivers gone': deliveredOrders,
      'relations delivers new': deliveredOrders,
      'relations bills gone': billedDeliveries,
      'relations bills new': billedDeliveries,
    },
  },
  {
    title: 'another qualifier of a correlation',
    run: 2,
    sample: 'order-to-cash',
    from: 'qualifier: ordered by',
    to: 'qualifier: placed for',
    changes: {},
  },
  {
    title: 'a correlation less, whose entities have master data',
    run: 2,
    sample: 'order-to-cash',
    from: '      - { entityType: customer, key: KUNNR, qualifier: paid by }\n',
    to: '',
    changes: {},
  },
  {
    title: 'the context of a process',
    run: 2,
    sample: 'order-to-cash',
    from: 'owner: Sales',
    to: 'owner: Service',
    changes: {},
  },
  {
    title: 'what is expected of rows',
    run: 2,
    sample: 'order-to-cash',
    from: '    dataObject: VBAK\n',
    to: '    dataObject: VBAK\n    expect: { unique: [VBELN], notNull: [KUNNR] }\n',
    changes: {},
  },
  {
    title: 'a guard and a measure',
    run: 2,
    sample: 'order-to-cash',
    from: '\nmeasures:\n',
    to: '\nguards:\n  - { element: Place Order, losesAtMost: 10% }\nmeasures:\n  - { name: Value, each: { activity: Place Order }, value: value }\n',
    changes: {},
  },
  {
    title: 'another name of a relationship',
    run: 6,
    sample: 'order-to-cash',
    from: '  - name: contains\n',
    to: '  - name: has\n',
    changes: {
      'relations contains gone':
        'SELECT count(*) FROM (SELECT DISTINCT VBELN, MATNR FROM VBAP JOIN VBAK USING (VBELN) JOIN MARA USING (MATNR))',
      'relations has new':
        'SELECT count(*) FROM (SELECT DISTINCT VBELN, MATNR FROM VBAP JOIN VBAK USING (VBELN) JOIN MARA USING (MATNR))',
    },
  },
  {
    title: 'another name of an entry of entities',
    run: 7,
    sample: 'order-to-cash',
    from: '  - entityType: material\n',
    to: '  - name: Goods\n    entityType: material\n',
    references: [/(source|target): material\b/g, '$1: Goods'],
    changes: {
      'entries material gone': 'SELECT count(*) FROM MARA',
      'entries Goods new': 'SELECT count(*) FROM MARA',
    },
    // Its properties, of each name.
    schema: 4,
  },
  {
    title: 'a time that is missing more often',
    run: 7,
    sample: 'order-to-cash',
    from: "nullif(WADAT_IST, '00000000')",
    to: "nullif(nullif(WADAT_IST, '00000000'), '20240109')",
    changes: { 'events Issue Goods gone': "SELECT count(*) FROM LIKP WHERE WADAT_IST = '20240109'" },
  },
  {
    title: 'an element less',
    run: 6,
    sample: 'order-to-cash',
    from: / {2}- activityName: Reject Item\n[\s\S]*?name: user \}\n\n/,
    to: '',
    changes: {
      'events Reject Item gone': "SELECT count(*) FROM CDPOS JOIN CDHDR USING (CHANGENR) WHERE FNAME = 'ABGRU'",
    },
    schema: 1,
  },
  {
    title: 'the description of the graph',
    run: 10,
    sample: 'order-to-cash',
    from: 'description: How orders are',
    to: 'description: How all orders are',
    changes: {},
  },
  {
    title: 'the order of data objects, and the default of the import',
    run: 10,
    sample: 'order-to-cash',
    from: 'dataObjects: [VBAK, VBAP,',
    to: 'import: { engine: embedded }\ndataObjects: [VBAP, VBAK,',
    changes: {},
  },
  {
    title: 'the data source of an element, which is that of the file',
    run: 10,
    sample: 'order-to-cash',
    from: '    dataObject: VBAK\n',
    to: '    dataObject: VBAK\n    dataSource: erp\n',
    changes: {},
  },
  {
    title: 'entities of their own for events that had none',
    run: 11,
    sample: 'order-to-cash',
    from: /ownEntity: false\n(.*\n.*where: FNAME NOT IN)/,
    to: 'entityType: change\n$1',
    changes: {
      'events Change Order gone': `SELECT count(*) FROM ${changedFields}`,
      'events Change Order new': `SELECT count(*) FROM ${changedFields}`,
      'entities change new': `SELECT count(*) FROM (SELECT DISTINCT CHANGENR, TABNAME, TABKEY, FNAME FROM ${changedFields})`,
    },
  },
  {
    title: 'a join that takes fewer rows',
    run: 12,
    sample: 'order-to-cash',
    from: /(joins: JOIN CDHDR AS header ON header\.CHANGENR = CDPOS\.CHANGENR)(\n.*where: FNAME NOT IN)/,
    to: "$1 AND header.USERNAME <> 'ROSSI'$2",
    changes: { 'events Change Order gone': `SELECT count(*) FROM ${changedFields} AND USERNAME = 'ROSSI'` },
  },
  {
    title: 'starts and ends of activities, of which there are no ends',
    run: 10,
    sample: 'order-to-cash',
    from: '    entityType: delivery\n    startTimestamp: { expression: "strptime(ERDAT',
    to: '    entityType: delivery\n    lifecycle: { column: ERNAM, start: [SHIP1], end: [NONE] }\n    startTimestamp: { expression: "strptime(ERDAT',
    changes: {},
  },
  expecting(11, 'expected values', '{ values: { AUART: [XX] } }', 'values AUART', "VBAK WHERE AUART <> 'XX'"),
  expecting(
    12,
    'unique columns',
    '{ unique: [KUNNR] }',
    'unique KUNNR',
    'VBAK GROUP BY KUNNR HAVING count(*) > 1 LIMIT 1',
  ),
  expecting(
    13,
    'columns that are never missing',
    '{ notNull: [VDATU, WAERK] }',
    'notNull VDATU',
    'VBAK WHERE VDATU IS NULL',
  ),
  expecting(14, 'an expected number of rows', '{ rows: "..10" }', 'rows', '(SELECT 1 FROM VBAK LIMIT 11)'),
  {
    title: 'the severity of an expectation',
    run: 16,
    sample: 'incidents',
    from: '      notNull: [caller_id]\n',
    to: '      notNull: [caller_id]\n      severity: info\n',
    also: ['expectations'],
    changes: {},
  },
  {
    title: 'business rules, procedures and links of an activity',
    run: 10,
    sample: 'order-to-cash',
    from: '      owner: Sales\n',
    to: '      owner: Sales\n      businessRules: [Blocked orders are released]\n      procedures: [Orders]\n      links: ["https://wiki.example/orders"]\n',
    changes: {},
  },
  {
    title: 'another source of a relationship, with the same entities',
    run: 10,
    sample: 'order-to-cash',
    from: 'source: Create Delivery',
    to: 'source: Issue Goods',
    changes: {},
  },
  {
    title: 'another column of a mapping',
    run: 18,
    sample: 'incidents',
    from: '    mappings:\n      - { source: caller_id, target: caller_id }',
    to: '    mappings:\n      - { source: caller_id, target: opened_by }',
    changes: {
      'relations reports gone': `SELECT count(*) FROM (${reporting('caller_id')} EXCEPT ${reporting('opened_by')})`,
      'relations reports new': `SELECT count(*) FROM (${reporting('opened_by')} EXCEPT ${reporting('caller_id')})`,
    },
  },
  {
    title: 'a mapping as an expression',
    run: 16,
    sample: 'incidents',
    from: '{ source: caller_id, target: caller_id }',
    to: '{ expression: source.caller_id = target.caller_id }',
    changes: {},
  },
  {
    title: 'the operator of a mapping, which is the default',
    run: 19,
    sample: 'incidents',
    from: '{ source: caller_id, target: caller_id }',
    to: '{ source: caller_id, operator: "=", target: caller_id }',
    changes: {},
  },
  {
    title: 'another cross table',
    run: 11,
    sample: 'order-to-cash',
    from: /crossTable:\n.*VBAP\n.*\n.*cross: MATNR, target: MATNR \}\]\n/,
    to: 'crossTable:\n      dataObject: LIPS\n      sourceMappings: [{ source: VBELN, cross: VGBEL }]\n      targetMappings: [{ cross: MATNR, target: MATNR }]\n',
    changes: {
      'relations contains gone': `SELECT count(*) FROM (${contained} EXCEPT ${sent})`,
      'relations contains new': `SELECT count(*) FROM (${sent} EXCEPT ${contained})`,
    },
  },
  {
    title: 'a column of a cross table that matches nothing, and a path over it',
    run: 12,
    sample: 'order-to-cash',
    from: /(dataObject: VBRP\n.*\n.*)cross: VGBEL/,
    to: '$1cross: POSNR',
    changes: {
      'relations bills gone': billedDeliveries,
      'relations invoices of order gone': `SELECT count(*) FROM (SELECT DISTINCT l.VGBEL, r.VBELN FROM LIPS l JOIN VBAK o ON o.VBELN = l.VGBEL JOIN LIKP d ON d.VBELN = l.VBELN
         JOIN VBRP r ON r.VGBEL = l.VBELN JOIN VBRK i ON i.VBELN = r.VBELN AND i.FKART = 'F2')`,
    },
  },
  {
    title: 'a way back along a path',
    run: 13,
    sample: 'order-to-cash',
    from: '    source: Place Order\n    target: Send Invoice\n    path: [delivers, bills]\n    correlate: target\n',
    to: '    source: Send Invoice\n    target: Place Order\n    path: [{ relationship: bills }, { relationship: delivers, reverse: false }]\n    correlate: source\n',
    changes: {
      'relations invoices of order gone': `SELECT count(*) FROM (SELECT DISTINCT l.VGBEL, r.VBELN FROM LIPS l JOIN VBAK o ON o.VBELN = l.VGBEL JOIN LIKP d ON d.VBELN = l.VBELN
         JOIN VBRP r ON r.VGBEL = l.VBELN JOIN VBRK i ON i.VBELN = r.VBELN AND i.FKART = 'F2')`,
      'relations invoices of order new': `SELECT count(*) FROM (SELECT DISTINCT l.VGBEL, r.VBELN FROM LIPS l JOIN VBAK o ON o.VBELN = l.VGBEL JOIN LIKP d ON d.VBELN = l.VBELN
         JOIN VBRP r ON r.VGBEL = l.VBELN JOIN VBRK i ON i.VBELN = r.VBELN AND i.FKART = 'F2')`,
    },
  },
  {
    title: 'correlations of a relationship less',
    run: 18,
    sample: 'incidents',
    from: 'correlate: target',
    to: 'correlate: none',
    changes: {},
  },
  {
    title: 'master data that are versions of their entities',
    run: 18,
    sample: 'incidents',
    from: 'elements:\n',
    to: 'entities:\n  - { name: Priorities, entityType: incident, dataObject: incident_event_log, key: number, validFrom: sys_updated_at, properties: [priority] }\nelements:\n',
    changes: {
      'entries Priorities new': 'SELECT count(DISTINCT number) FROM incident_event_log',
      'versions Priorities new': 'SELECT count(*) FROM incident_event_log',
    },
    schema: 1,
  },
  {
    title: 'a join, an expectation and the context of master data',
    run: 12,
    sample: 'order-to-cash',
    from: '    dataObject: MARA\n',
    to: '    dataObject: MARA\n    joins: JOIN (SELECT DISTINCT MATNR AS sold FROM VBAP) AS item ON item.sold = MARA.MATNR\n    expect: { notNull: [MAKTX] }\n    processContext: { description: What is sold }\n',
    changes: {
      'entries material gone': 'SELECT count(*) FROM MARA WHERE MATNR NOT IN (SELECT MATNR FROM VBAP)',
      'entities material gone': 'SELECT count(*) FROM MARA WHERE MATNR NOT IN (SELECT MATNR FROM VBAP)',
    },
  },
  {
    title: 'another key of master data',
    run: 13,
    sample: 'order-to-cash',
    from: '    dataObject: MARA\n    key: MATNR\n',
    to: '    dataObject: MARA\n    key: MAKTX\n',
    changes: {
      'entries material gone': 'SELECT count(*) FROM MARA',
      'entries material new': 'SELECT count(DISTINCT MAKTX) FROM MARA',
      'entities material gone': 'SELECT count(*) FROM MARA',
      'entities material new': 'SELECT count(DISTINCT MAKTX) FROM MARA',
      'relations contains gone': `SELECT count(*) FROM (${contained})`,
      'relations contains new': `SELECT count(*) FROM (SELECT DISTINCT VBELN, MAKTX FROM VBAP JOIN VBAK USING (VBELN) JOIN MARA USING (MATNR))`,
    },
  },
  {
    title: 'a rule more',
    run: 14,
    sample: 'order-to-cash',
    from: 'rules:\n',
    to: 'rules:\n  - { name: Large orders, description: Small ones cost more than they bring, each: { activity: Place Order }, expect: [{ sql: value > 1000 }] }\n',
    also: ['rules'],
    changes: {
      'rules Large orders new': 'SELECT count(*) FROM VBAK WHERE NETWR::DOUBLE <= 1000',
      'rules Large orders broken': any('VBAK WHERE NETWR::DOUBLE <= 1000'),
    },
  },
  {
    title: 'rules of every kind',
    run: 10,
    sample: 'order-to-cash',
    from: 'rules:\n',
    to: `rules:
  - { name: Soon, each: { entityType: delivery }, expect: [{ from: Create Delivery, to: Issue Goods, take: first, atLeast: 1s, atMost: 90d }] }
  - { name: Next, each: { activity: Send Invoice }, expect: [{ activity: Receive Payment, within: 90d, lifecycle: start }, { never: Cancel Invoice, after: Receive Payment }, { activity: Create Delivery, before: Send Invoice, of: order }] }
  - { name: Directly, each: { entityType: order }, expect: [{ activity: Release Delivery, after: Block Delivery, directly: true, count: "0.." }] }
  - { name: Delivered, each: { entityType: order }, expect: [{ relationship: delivers, direction: target, count: "0.." }] }\n`,
    changes: {},
  },
  {
    title: 'data objects by their data source',
    run: 16,
    sample: 'incidents',
    from: 'dataObjects: [incident_event_log]',
    to: 'dataObjects: [{ source: log, objects: [incident_event_log] }]',
    changes: {},
  },
  {
    title: 'a relationship more',
    run: 14,
    sample: 'order-to-cash',
    from: 'relationships:\n',
    to: 'relationships:\n  - { name: pays, source: Receive Payment, target: Send Invoice, mappings: [{ source: XBLNR, target: VBELN }], correlate: none }\n',
    changes: {
      'relations pays new': `SELECT count(*) FROM (SELECT DISTINCT KUKEY, ESNUM, VBELN FROM FEBEP JOIN VBRK ON VBRK.VBELN = XBLNR AND FKART = 'F2')`,
    },
  },
  {
    title: 'what a rule expects',
    run: 16,
    sample: 'incidents',
    from: '{ sql: reopen_count = 0 }',
    to: '{ sql: reopen_count <= 100 }',
    also: ['rules'],
    changes: { 'rules Few incidents are reopened gone': reopened },
  },
  {
    title: 'the share and the severity of a rule',
    run: 19,
    sample: 'incidents',
    from: '    severity: info\n    each: { entityType: incident }\n    expect:\n      - { sql: reopen_count = 0 }\n    atLeast: 98%\n',
    to: '    severity: error\n    each: { entityType: incident }\n    expect:\n      - { sql: reopen_count = 0 }\n    atLeast: 100%\n',
    also: ['rules'],
    changes: { 'rules Few incidents are reopened broken': any(`(${reopened}) AS found(times) WHERE times > 0`) },
  },
  {
    title: 'measures with targets and a calendar',
    run: 11,
    sample: 'order-to-cash',
    from: '\nmeasures:\n',
    to: `\n${office}measures:
  - { name: Value, description: Of orders, each: { activity: Place Order }, value: value, by: [user], target: { min: { atLeast: 0 }, mean: { atLeast: 0 }, median: { atLeast: 0 }, p90: { atLeast: 0 }, max: { atMost: 1000 }, share: { atMost: 1000, atLeast: 1% } }, severity: info }
  - { name: Wait, each: { entityType: delivery }, duration: { from: Create Delivery, to: Issue Goods }, calendar: office }
  - { name: Changes, each: { entityType: order }, count: { activity: Change Order }, target: { sum: { atLeast: 1 } } }
  - { name: Tax, each: { activity: Send Invoice }, sql: value * 0.19 }
`,
    also: ['measures'],
    changes: { 'measures Value broken': any('VBAK WHERE NETWR::DOUBLE > 1000') },
  },
  {
    title: 'another time zone of an element',
    run: 10,
    sample: 'order-to-cash',
    from: '      - { entityType: customer, key: KUNNR, qualifier: ordered by }\n',
    to: '      - { entityType: customer, key: KUNNR, qualifier: ordered by }\n    timeZone: Asia/Tokyo\n',
    changes: { 'events Place Order moved': 'SELECT count(*) FROM VBAK' },
  },
  {
    title: 'other names of activities, one of them for two texts',
    run: 20,
    sample: 'incidents',
    from: '    activityColumn: incident_state\n',
    to: '    activityColumn: incident_state\n    activityNames: { Active: Work on Incident, New: Work on Incident }\n',
    changes: {
      'events Update Incident gone':
        "SELECT count(*) FROM incident_event_log WHERE incident_state IN ('Active', 'New')",
      'events Update Incident new': "SELECT count(*) FROM incident_event_log WHERE incident_state IN ('Active', 'New')",
    },
  },
  {
    title: 'an accepted finding',
    run: 10,
    sample: 'order-to-cash',
    from: '\nelements:\n',
    to: '\naccepted:\n  - { finding: midnight-times, element: Send Invoice, column: ERDAT, reason: As it is. }\n\nelements:\n',
    changes: {},
  },
  {
    title: 'a guard of a relationship',
    run: 10,
    sample: 'order-to-cash',
    from: '\nelements:\n',
    to: '\nguards:\n  - { relationship: bills, unmatchedAtMost: 2%, side: target, severity: error }\n\nelements:\n',
    changes: {},
  },
];

/** Of the only version; and those that say where a graph is built inside its source, whose effect is not compared. */
const otherFields = ['version', 'schema', 'catalog'];

const together = [...new Set(edits.map((edit) => edit.run))].map((number) => edits.filter(({ run }) => run === number));

describe('golden edits of the samples', () => {
  it('have each field of the format', () => {
    const texts = edits.map(({ from, to }) => `${typeof from === 'string' ? from : from.source} ${to}`).join(' ');
    const words = new Set(texts.match(/\w+/g));
    const fields = [entityGraphSchema, ...Object.values(entityGraphSchema.definitions)].flatMap((each) =>
      Object.keys((each as { readonly properties?: object }).properties ?? {}),
    );
    assert.deepEqual(
      fields.filter((field) => !words.has(field) && !otherFields.includes(field)),
      [],
    );
    assert.ok(edits.length >= 60);
  });

  for (const group of soakList(
    edits.map((edit) => [edit]),
    together,
  )) {
    it(`${group[0]?.sample}: ${group.map(({ title }) => title).join('; ')}`, async () => {
      const { found, schema, expected } = await effectOf(group);
      assert.deepEqual(found, expected);
      assert.equal(
        schema,
        group.reduce((sum, edit) => sum + (edit.schema ?? 0), 0),
      );
      countSoak();
    });
  }
});

/** The effect of several edits of one sample. */
async function effectOf(group: readonly GoldenEdit[]) {
  const folder = await mkdtemp(join(tmpdir(), 'effect-golden-'));
  try {
    const sample = join(projectRoot, 'samples', group[0]?.sample ?? '');
    await cp(join(sample, 'data'), join(folder, 'data'), { recursive: true });
    await cp(join(sample, 'entity-sources.yaml'), join(folder, 'entity-sources.yaml'));
    const text = await readFile(join(sample, `${group[0]?.sample}.entity.yaml`), 'utf8');
    let edited = text;
    for (const { from, to, references } of group) {
      const before = edited;
      edited = edited.replace(from, to);
      if (references) edited = edited.replaceAll(...references);
      assert.notEqual(edited, before);
    }
    await writeFile(join(folder, 'base.yaml'), text);
    await writeFile(join(folder, 'sample.entity.yaml'), edited);
    const args = [
      'effect',
      'sample.entity.yaml',
      '--workspace',
      folder,
      '--base',
      'base.yaml',
      '--total',
      '--format',
      'json',
    ];
    const { code, stdout } = await runCommand(args, folder);
    assert.equal(code, 0, stdout);
    const { changes, schema } = JSON.parse(stdout) as GraphEffect;
    const found = [...countedParts, ...new Set(group.flatMap(({ also }) => also ?? []))].flatMap((part) =>
      (changes?.[part] ?? []).flatMap((change) =>
        kindsOfPart[part].flatMap((kind: ChangeKind) => {
          const count = change[kind] ?? 0;
          return count > 0 ? [`${part} ${change.name} ${kind}: ${count}`] : [];
        }),
      ),
    );
    assert.ok(changeParts.every((part) => changes?.[part]));
    return { found: found.toSorted(), schema: schema?.length, expected: await counted(join(folder, 'data'), group) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The numbers by SQL over the files; those of 0 are left out. */
async function counted(folder: string, group: readonly GoldenEdit[]): Promise<readonly string[]> {
  const scratch = await openScratch();
  try {
    for (const name of await readdir(folder)) {
      const path = join(folder, name).replaceAll("'", "''");
      await scratch.run(
        `CREATE VIEW "${name.replace('.csv', '')}" AS FROM read_csv('${path}', header = true, all_varchar = true)`,
      );
    }
    const lines: string[] = [];
    for (const [number, sql] of group.flatMap(({ changes }) => Object.entries(changes))) {
      const count = (await scratch.table(sql)).rows[0]?.[0];
      if (Number(count) > 0) lines.push(`${number}: ${count}`);
    }
    return lines.toSorted();
  } finally {
    await scratch.close();
  }
}
