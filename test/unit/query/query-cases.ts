import type { PlainElement, PlainObject, PlainRelationship } from './graph-fixture.ts';

/** A graph whose last relationship, or else last element, gives the query. */
export interface QueryCase {
  readonly title: string;
  readonly elements: readonly PlainElement[];
  readonly relationships?: readonly PlainRelationship[];
  readonly sql: Readonly<Record<'postgresql' | 'duckdb' | 'mysql' | 'trino', string>>;
}

const strange = 'Ünïcode "quoted" Order';

/** The tables of all cases. Unusual names on purpose. */
export const caseObjects: Readonly<Record<string, PlainObject>> = {
  incident: {
    columns: [
      'sys_id',
      'number',
      ['priority', 'integer'],
      'state',
      'category',
      'caller_id',
      'problem_id',
      ['opened_at', 'timestamp'],
      ['sys_updated_on', 'timestamp'],
      ['sys_mod_count', 'integer'],
    ],
    primaryKey: ['sys_id'],
  },
  problem: { columns: ['sys_id', 'category', ['opened_at', 'timestamp'], 'pattern'], primaryKey: ['sys_id'] },
  'itsm.task_ci': { path: ['itsm', 'task_ci'], columns: ['task', 'ci_item', ['weight', 'number']], primaryKey: [] },
  sys_user: { columns: ['sys_id', 'name', 'manager.name'], primaryKey: ['sys_id'] },
  [strange]: {
    path: ['Weird Schema', strange],
    columns: ['select', 'a.b', "it's", 'Größe €😀', 'UPPER', ['Time Stamp', 'timestamp'], 'back\\slash'],
    primaryKey: ['select', 'a.b'],
  },
};

const open: PlainElement = { activityName: 'Open', dataObject: 'incident', startTimestamp: 'opened_at' };
const openWithCaller: PlainElement = {
  ...open,
  joins: 'LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called',
  where: "incident.state <> 'x' -- no tests",
};
const investigate: PlainElement = { activityName: 'Investigate', dataObject: 'problem', startTimestamp: 'opened_at' };
const order: PlainElement = { activityName: 'Order', dataObject: strange, startTimestamp: 'Time Stamp' };

export const queryCases: readonly QueryCase[] = [
  {
    title: 'an element, key from the primary key, columns listed twice taken once',
    elements: [{ ...open, properties: ['number', 'opened_at', 'number', 'sys_id'] }],
    sql: {
      postgresql: `
SELECT
  "incident"."sys_id" AS "sys_id",
  "incident"."opened_at" AS "opened_at",
  "incident"."number" AS "number"
FROM "public"."incident" AS "incident"`,
      duckdb: `
SELECT
  "incident"."sys_id" AS "sys_id",
  "incident"."opened_at" AS "opened_at",
  "incident"."number" AS "number"
FROM "incident" AS "incident"`,
      trino: `
SELECT
  "incident"."sys_id" AS "sys_id",
  "incident"."opened_at" AS "opened_at",
  "incident"."number" AS "number"
FROM "public"."incident" AS "incident"`,
      mysql: `
SELECT
  \`incident\`.\`sys_id\` AS \`sys_id\`,
  \`incident\`.\`opened_at\` AS \`opened_at\`,
  \`incident\`.\`number\` AS \`number\`
FROM \`public\`.\`incident\` AS \`incident\``,
    },
  },
  {
    title: 'every role in its order',
    elements: [
      {
        ...open,
        key: ['number'],
        changeTimestamp: 'sys_updated_on',
        sequence: 'sys_mod_count',
        activityColumn: 'state',
        properties: ['priority'],
      },
    ],
    sql: {
      postgresql: `
SELECT
  "incident"."number" AS "number",
  "incident"."opened_at" AS "opened_at",
  "incident"."sys_updated_on" AS "sys_updated_on",
  "incident"."sys_mod_count" AS "sys_mod_count",
  "incident"."state" AS "state",
  "incident"."priority" AS "priority"
FROM "public"."incident" AS "incident"`,
      duckdb: `
SELECT
  "incident"."number" AS "number",
  "incident"."opened_at" AS "opened_at",
  "incident"."sys_updated_on" AS "sys_updated_on",
  "incident"."sys_mod_count" AS "sys_mod_count",
  "incident"."state" AS "state",
  "incident"."priority" AS "priority"
FROM "incident" AS "incident"`,
      trino: `
SELECT
  "incident"."number" AS "number",
  "incident"."opened_at" AS "opened_at",
  "incident"."sys_updated_on" AS "sys_updated_on",
  "incident"."sys_mod_count" AS "sys_mod_count",
  "incident"."state" AS "state",
  "incident"."priority" AS "priority"
FROM "public"."incident" AS "incident"`,
      mysql: `
SELECT
  \`incident\`.\`number\` AS \`number\`,
  \`incident\`.\`opened_at\` AS \`opened_at\`,
  \`incident\`.\`sys_updated_on\` AS \`sys_updated_on\`,
  \`incident\`.\`sys_mod_count\` AS \`sys_mod_count\`,
  \`incident\`.\`state\` AS \`state\`,
  \`incident\`.\`priority\` AS \`priority\`
FROM \`public\`.\`incident\` AS \`incident\``,
    },
  },
  {
    title: 'all properties are the own columns in catalog order',
    elements: [{ ...investigate, key: ['category'], properties: 'all' }],
    sql: {
      postgresql: `
SELECT
  "problem"."category" AS "category",
  "problem"."opened_at" AS "opened_at",
  "problem"."sys_id" AS "sys_id",
  "problem"."pattern" AS "pattern"
FROM "public"."problem" AS "problem"`,
      duckdb: `
SELECT
  "problem"."category" AS "category",
  "problem"."opened_at" AS "opened_at",
  "problem"."sys_id" AS "sys_id",
  "problem"."pattern" AS "pattern"
FROM "problem" AS "problem"`,
      trino: `
SELECT
  "problem"."category" AS "category",
  "problem"."opened_at" AS "opened_at",
  "problem"."sys_id" AS "sys_id",
  "problem"."pattern" AS "pattern"
FROM "public"."problem" AS "problem"`,
      mysql: `
SELECT
  \`problem\`.\`category\` AS \`category\`,
  \`problem\`.\`opened_at\` AS \`opened_at\`,
  \`problem\`.\`sys_id\` AS \`sys_id\`,
  \`problem\`.\`pattern\` AS \`pattern\`
FROM \`public\`.\`problem\` AS \`problem\``,
    },
  },
  {
    title: 'joins and filter verbatim on lines of their own, joined columns by alias',
    elements: [{ ...openWithCaller, properties: ['caller.name', 'caller.manager.name', 'incident.number'] }],
    sql: {
      postgresql: `
SELECT
  "incident"."sys_id" AS "sys_id",
  "incident"."opened_at" AS "opened_at",
  "caller"."name" AS "caller.name",
  "caller"."manager.name" AS "caller.manager.name",
  "incident"."number" AS "incident.number"
FROM "public"."incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
WHERE (
incident.state <> 'x' -- no tests
)`,
      duckdb: `
SELECT
  "incident"."sys_id" AS "sys_id",
  "incident"."opened_at" AS "opened_at",
  "caller"."name" AS "caller.name",
  "caller"."manager.name" AS "caller.manager.name",
  "incident"."number" AS "incident.number",
  "incident"."__file_row" AS "__file_row"
FROM "incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
WHERE (
incident.state <> 'x' -- no tests
)`,
      trino: `
SELECT
  "incident"."sys_id" AS "sys_id",
  "incident"."opened_at" AS "opened_at",
  "caller"."name" AS "caller.name",
  "caller"."manager.name" AS "caller.manager.name",
  "incident"."number" AS "incident.number"
FROM "public"."incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
WHERE (
incident.state <> 'x' -- no tests
)`,
      mysql: `
SELECT
  \`incident\`.\`sys_id\` AS \`sys_id\`,
  \`incident\`.\`opened_at\` AS \`opened_at\`,
  \`caller\`.\`name\` AS \`caller.name\`,
  \`caller\`.\`manager.name\` AS \`caller.manager.name\`,
  \`incident\`.\`number\` AS \`incident.number\`
FROM \`public\`.\`incident\` AS \`incident\`
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
WHERE (
incident.state <> 'x' -- no tests
)`,
    },
  },
  {
    title: 'a filter with a subquery',
    elements: [{ ...open, where: 'incident.problem_id IN (SELECT sys_id FROM problem)' }],
    sql: {
      postgresql: `
SELECT
  "incident"."sys_id" AS "sys_id",
  "incident"."opened_at" AS "opened_at"
FROM "public"."incident" AS "incident"
WHERE (
incident.problem_id IN (SELECT sys_id FROM problem)
)`,
      duckdb: `
SELECT
  "incident"."sys_id" AS "sys_id",
  "incident"."opened_at" AS "opened_at",
  "incident"."__file_row" AS "__file_row"
FROM "incident" AS "incident"
WHERE (
incident.problem_id IN (SELECT sys_id FROM problem)
)`,
      trino: `
SELECT
  "incident"."sys_id" AS "sys_id",
  "incident"."opened_at" AS "opened_at"
FROM "public"."incident" AS "incident"
WHERE (
incident.problem_id IN (SELECT sys_id FROM problem)
)`,
      mysql: `
SELECT
  \`incident\`.\`sys_id\` AS \`sys_id\`,
  \`incident\`.\`opened_at\` AS \`opened_at\`
FROM \`public\`.\`incident\` AS \`incident\`
WHERE (
incident.problem_id IN (SELECT sys_id FROM problem)
)`,
    },
  },
  {
    title: 'names with quotes, spaces, reserved words, dots, upper case and other scripts',
    elements: [{ ...order, properties: 'all' }],
    sql: {
      postgresql: `
SELECT
  "Ünïcode ""quoted"" Order"."select" AS "select",
  "Ünïcode ""quoted"" Order"."a.b" AS "a.b",
  "Ünïcode ""quoted"" Order"."Time Stamp" AS "Time Stamp",
  "Ünïcode ""quoted"" Order"."it's" AS "it's",
  "Ünïcode ""quoted"" Order"."Größe €😀" AS "Größe €😀",
  "Ünïcode ""quoted"" Order"."UPPER" AS "UPPER",
  "Ünïcode ""quoted"" Order"."back\\slash" AS "back\\slash"
FROM "Weird Schema"."Ünïcode ""quoted"" Order" AS "Ünïcode ""quoted"" Order"`,
      duckdb: `
SELECT
  "Ünïcode ""quoted"" Order"."select" AS "select",
  "Ünïcode ""quoted"" Order"."a.b" AS "a.b",
  "Ünïcode ""quoted"" Order"."Time Stamp" AS "Time Stamp",
  "Ünïcode ""quoted"" Order"."it's" AS "it's",
  "Ünïcode ""quoted"" Order"."Größe €😀" AS "Größe €😀",
  "Ünïcode ""quoted"" Order"."UPPER" AS "UPPER",
  "Ünïcode ""quoted"" Order"."back\\slash" AS "back\\slash"
FROM "Ünïcode ""quoted"" Order" AS "Ünïcode ""quoted"" Order"`,
      trino: `
SELECT
  "Ünïcode ""quoted"" Order"."select" AS "select",
  "Ünïcode ""quoted"" Order"."a.b" AS "a.b",
  "Ünïcode ""quoted"" Order"."Time Stamp" AS "Time Stamp",
  "Ünïcode ""quoted"" Order"."it's" AS "it's",
  "Ünïcode ""quoted"" Order"."Größe €😀" AS "Größe €😀",
  "Ünïcode ""quoted"" Order"."UPPER" AS "UPPER",
  "Ünïcode ""quoted"" Order"."back\\slash" AS "back\\slash"
FROM "Weird Schema"."Ünïcode ""quoted"" Order" AS "Ünïcode ""quoted"" Order"`,
      mysql: `
SELECT
  \`Ünïcode "quoted" Order\`.\`select\` AS \`select\`,
  \`Ünïcode "quoted" Order\`.\`a.b\` AS \`a.b\`,
  \`Ünïcode "quoted" Order\`.\`Time Stamp\` AS \`Time Stamp\`,
  \`Ünïcode "quoted" Order\`.\`it's\` AS \`it's\`,
  \`Ünïcode "quoted" Order\`.\`Größe €😀\` AS \`Größe €😀\`,
  \`Ünïcode "quoted" Order\`.\`UPPER\` AS \`UPPER\`,
  \`Ünïcode "quoted" Order\`.\`back\\slash\` AS \`back\\slash\`
FROM \`Weird Schema\`.\`Ünïcode "quoted" Order\` AS \`Ünïcode "quoted" Order\``,
    },
  },
  {
    title: 'a table of another schema',
    elements: [{ activityName: 'Link', dataObject: 'itsm.task_ci', key: ['task'], startTimestamp: 'weight' }],
    sql: {
      postgresql: `
SELECT
  "task_ci"."task" AS "task",
  "task_ci"."weight" AS "weight"
FROM "itsm"."task_ci" AS "task_ci"`,
      duckdb: `
SELECT
  "itsm.task_ci"."task" AS "task",
  "itsm.task_ci"."weight" AS "weight"
FROM "itsm.task_ci" AS "itsm.task_ci"`,
      trino: `
SELECT
  "task_ci"."task" AS "task",
  "task_ci"."weight" AS "weight"
FROM "itsm"."task_ci" AS "task_ci"`,
      mysql: `
SELECT
  \`task_ci\`.\`task\` AS \`task\`,
  \`task_ci\`.\`weight\` AS \`weight\`
FROM \`itsm\`.\`task_ci\` AS \`task_ci\``,
    },
  },
  {
    title: 'a relationship over several columns with every operator',
    elements: [open, investigate],
    relationships: [
      {
        source: 'Open',
        target: 'Investigate',
        mappings: [
          ['problem_id', 'sys_id'],
          ['category', '!=', 'category'],
          ['opened_at', '<', 'opened_at'],
          ['opened_at', '<=', 'opened_at'],
          ['opened_at', '>', 'opened_at'],
          ['opened_at', '>=', 'opened_at'],
          ['category', 'like', 'pattern'],
          ['number', 'not like', 'pattern'],
        ],
      },
    ],
    sql: {
      postgresql: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*
  FROM "public"."incident" AS "incident"
) AS "source"
JOIN (
  SELECT "problem".*
  FROM "public"."problem" AS "problem"
) AS "target"
  ON "source"."problem_id" = "target"."sys_id"
  AND "source"."category" <> "target"."category"
  AND "source"."opened_at" < "target"."opened_at"
  AND "source"."opened_at" <= "target"."opened_at"
  AND "source"."opened_at" > "target"."opened_at"
  AND "source"."opened_at" >= "target"."opened_at"
  AND "source"."category" LIKE "target"."pattern"
  AND "source"."number" NOT LIKE "target"."pattern"
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      duckdb: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*
  FROM "incident" AS "incident"
) AS "source"
JOIN (
  SELECT "problem".*
  FROM "problem" AS "problem"
) AS "target"
  ON "source"."problem_id" = "target"."sys_id"
  AND "source"."category" <> "target"."category"
  AND "source"."opened_at" < "target"."opened_at"
  AND "source"."opened_at" <= "target"."opened_at"
  AND "source"."opened_at" > "target"."opened_at"
  AND "source"."opened_at" >= "target"."opened_at"
  AND "source"."category" LIKE "target"."pattern" ESCAPE '\\'
  AND "source"."number" NOT LIKE "target"."pattern" ESCAPE '\\'
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      trino: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*
  FROM "public"."incident" AS "incident"
) AS "source"
JOIN (
  SELECT "problem".*
  FROM "public"."problem" AS "problem"
) AS "target"
  ON "source"."problem_id" = "target"."sys_id"
  AND "source"."category" <> "target"."category"
  AND "source"."opened_at" < "target"."opened_at"
  AND "source"."opened_at" <= "target"."opened_at"
  AND "source"."opened_at" > "target"."opened_at"
  AND "source"."opened_at" >= "target"."opened_at"
  AND "source"."category" LIKE "target"."pattern" ESCAPE '\\'
  AND "source"."number" NOT LIKE "target"."pattern" ESCAPE '\\'
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      mysql: `
SELECT
  \`source\`.\`sys_id\` AS \`source_key_1\`,
  \`target\`.\`sys_id\` AS \`target_key_1\`
FROM (
  SELECT \`incident\`.*
  FROM \`public\`.\`incident\` AS \`incident\`
) AS \`source\`
JOIN (
  SELECT \`problem\`.*
  FROM \`public\`.\`problem\` AS \`problem\`
) AS \`target\`
  ON \`source\`.\`problem_id\` = \`target\`.\`sys_id\`
  AND CAST(CONVERT(\`source\`.\`problem_id\` USING utf8mb4) AS BINARY) = CAST(CONVERT(\`target\`.\`sys_id\` USING utf8mb4) AS BINARY)
  AND CAST(CONVERT(\`source\`.\`category\` USING utf8mb4) AS BINARY) <> CAST(CONVERT(\`target\`.\`category\` USING utf8mb4) AS BINARY)
  AND (CASE WHEN YEAR(\`source\`.\`opened_at\`) * MONTH(\`source\`.\`opened_at\`) * DAYOFMONTH(\`source\`.\`opened_at\`) > 0 THEN \`source\`.\`opened_at\` END) < (CASE WHEN YEAR(\`target\`.\`opened_at\`) * MONTH(\`target\`.\`opened_at\`) * DAYOFMONTH(\`target\`.\`opened_at\`) > 0 THEN \`target\`.\`opened_at\` END)
  AND (CASE WHEN YEAR(\`source\`.\`opened_at\`) * MONTH(\`source\`.\`opened_at\`) * DAYOFMONTH(\`source\`.\`opened_at\`) > 0 THEN \`source\`.\`opened_at\` END) <= (CASE WHEN YEAR(\`target\`.\`opened_at\`) * MONTH(\`target\`.\`opened_at\`) * DAYOFMONTH(\`target\`.\`opened_at\`) > 0 THEN \`target\`.\`opened_at\` END)
  AND (CASE WHEN YEAR(\`source\`.\`opened_at\`) * MONTH(\`source\`.\`opened_at\`) * DAYOFMONTH(\`source\`.\`opened_at\`) > 0 THEN \`source\`.\`opened_at\` END) > (CASE WHEN YEAR(\`target\`.\`opened_at\`) * MONTH(\`target\`.\`opened_at\`) * DAYOFMONTH(\`target\`.\`opened_at\`) > 0 THEN \`target\`.\`opened_at\` END)
  AND (CASE WHEN YEAR(\`source\`.\`opened_at\`) * MONTH(\`source\`.\`opened_at\`) * DAYOFMONTH(\`source\`.\`opened_at\`) > 0 THEN \`source\`.\`opened_at\` END) >= (CASE WHEN YEAR(\`target\`.\`opened_at\`) * MONTH(\`target\`.\`opened_at\`) * DAYOFMONTH(\`target\`.\`opened_at\`) > 0 THEN \`target\`.\`opened_at\` END)
  AND CONVERT(\`source\`.\`category\` USING utf8mb4) COLLATE utf8mb4_bin LIKE CONVERT(\`target\`.\`pattern\` USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '\\'
  AND CONVERT(\`source\`.\`number\` USING utf8mb4) COLLATE utf8mb4_bin NOT LIKE CONVERT(\`target\`.\`pattern\` USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '\\'
WHERE \`source\`.\`sys_id\` IS NOT NULL
  AND \`target\`.\`sys_id\` IS NOT NULL
GROUP BY CAST(CONVERT(\`source\`.\`sys_id\` USING utf8mb4) AS BINARY), CAST(CONVERT(\`target\`.\`sys_id\` USING utf8mb4) AS BINARY)`,
    },
  },
  {
    title: 'expressions, joined columns in mappings and expressions, filters on both ends',
    elements: [openWithCaller, { ...investigate, where: 'problem.category IS NOT NULL' }],
    relationships: [
      {
        source: 'Open',
        target: 'Investigate',
        mappings: [
          ['caller.name', 'category'],
          'source."caller.manager.name" = target.category -- by name',
          'lower(source.category) = lower(target.category)\nOR source.state IS NULL',
        ],
      },
    ],
    sql: {
      postgresql: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*,
    "caller"."name" AS "caller.name",
    "caller"."manager.name" AS "caller.manager.name"
  FROM "public"."incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS "source"
JOIN (
  SELECT "problem".*
  FROM "public"."problem" AS "problem"
  WHERE (
problem.category IS NOT NULL
)
) AS "target"
  ON "source"."caller.name" = "target"."category"
  AND (
source."caller.manager.name" = target.category -- by name
)
  AND (
lower(source.category) = lower(target.category)
OR source.state IS NULL
)
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      duckdb: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*,
    "caller"."name" AS "caller.name",
    "caller"."manager.name" AS "caller.manager.name"
  FROM "incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS "source"
JOIN (
  SELECT "problem".*
  FROM "problem" AS "problem"
  WHERE (
problem.category IS NOT NULL
)
) AS "target"
  ON "source"."caller.name" = "target"."category"
  AND (
source."caller.manager.name" = target.category -- by name
)
  AND (
lower(source.category) = lower(target.category)
OR source.state IS NULL
)
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      trino: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*,
    "caller"."name" AS "caller.name",
    "caller"."manager.name" AS "caller.manager.name"
  FROM "public"."incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS "source"
JOIN (
  SELECT "problem".*
  FROM "public"."problem" AS "problem"
  WHERE (
problem.category IS NOT NULL
)
) AS "target"
  ON "source"."caller.name" = "target"."category"
  AND (
source."caller.manager.name" = target.category -- by name
)
  AND (
lower(source.category) = lower(target.category)
OR source.state IS NULL
)
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      mysql: `
SELECT
  \`source\`.\`sys_id\` AS \`source_key_1\`,
  \`target\`.\`sys_id\` AS \`target_key_1\`
FROM (
  SELECT \`incident\`.*,
    \`caller\`.\`name\` AS \`caller.name\`,
    \`caller\`.\`manager.name\` AS \`caller.manager.name\`
  FROM \`public\`.\`incident\` AS \`incident\`
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS \`source\`
JOIN (
  SELECT \`problem\`.*
  FROM \`public\`.\`problem\` AS \`problem\`
  WHERE (
problem.category IS NOT NULL
)
) AS \`target\`
  ON \`source\`.\`caller.name\` = \`target\`.\`category\`
  AND CAST(CONVERT(\`source\`.\`caller.name\` USING utf8mb4) AS BINARY) = CAST(CONVERT(\`target\`.\`category\` USING utf8mb4) AS BINARY)
  AND (
source."caller.manager.name" = target.category -- by name
)
  AND (
lower(source.category) = lower(target.category)
OR source.state IS NULL
)
WHERE \`source\`.\`sys_id\` IS NOT NULL
  AND \`target\`.\`sys_id\` IS NOT NULL
GROUP BY CAST(CONVERT(\`source\`.\`sys_id\` USING utf8mb4) AS BINARY), CAST(CONVERT(\`target\`.\`sys_id\` USING utf8mb4) AS BINARY)`,
    },
  },
  {
    title: 'a cross table with operators on both sides, its alias in an expression',
    elements: [open, investigate],
    relationships: [
      {
        source: 'Open',
        target: 'Investigate',
        crossTable: {
          dataObject: 'itsm.task_ci',
          source: [
            ['sys_id', 'task'],
            ['priority', '>=', 'weight'],
          ],
          target: [['ci_item', 'not like', 'sys_id']],
        },
        mappings: ['cross.weight > 1 AND CROSS . task <> source.number'],
      },
    ],
    sql: {
      postgresql: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*
  FROM "public"."incident" AS "incident"
) AS "source"
JOIN "itsm"."task_ci" AS "cross"
  ON "source"."sys_id" = "cross"."task"
  AND "source"."priority" >= "cross"."weight"
JOIN (
  SELECT "problem".*
  FROM "public"."problem" AS "problem"
) AS "target"
  ON "cross"."ci_item" NOT LIKE "target"."sys_id"
  AND (
"cross".weight > 1 AND "cross" . task <> source.number
)
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      duckdb: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*
  FROM "incident" AS "incident"
) AS "source"
JOIN "itsm.task_ci" AS "cross"
  ON "source"."sys_id" = "cross"."task"
  AND "source"."priority" >= "cross"."weight"
JOIN (
  SELECT "problem".*
  FROM "problem" AS "problem"
) AS "target"
  ON "cross"."ci_item" NOT LIKE "target"."sys_id" ESCAPE '\\'
  AND (
"cross".weight > 1 AND "cross" . task <> source.number
)
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      trino: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*
  FROM "public"."incident" AS "incident"
) AS "source"
JOIN "itsm"."task_ci" AS "cross"
  ON "source"."sys_id" = "cross"."task"
  AND "source"."priority" >= "cross"."weight"
JOIN (
  SELECT "problem".*
  FROM "public"."problem" AS "problem"
) AS "target"
  ON "cross"."ci_item" NOT LIKE "target"."sys_id" ESCAPE '\\'
  AND (
"cross".weight > 1 AND "cross" . task <> source.number
)
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      mysql: `
SELECT
  \`source\`.\`sys_id\` AS \`source_key_1\`,
  \`target\`.\`sys_id\` AS \`target_key_1\`
FROM (
  SELECT \`incident\`.*
  FROM \`public\`.\`incident\` AS \`incident\`
) AS \`source\`
JOIN \`itsm\`.\`task_ci\` AS \`cross\`
  ON \`source\`.\`sys_id\` = \`cross\`.\`task\`
  AND CAST(CONVERT(\`source\`.\`sys_id\` USING utf8mb4) AS BINARY) = CAST(CONVERT(\`cross\`.\`task\` USING utf8mb4) AS BINARY)
  AND \`source\`.\`priority\` >= \`cross\`.\`weight\`
JOIN (
  SELECT \`problem\`.*
  FROM \`public\`.\`problem\` AS \`problem\`
) AS \`target\`
  ON CONVERT(\`cross\`.\`ci_item\` USING utf8mb4) COLLATE utf8mb4_bin NOT LIKE CONVERT(\`target\`.\`sys_id\` USING utf8mb4) COLLATE utf8mb4_bin ESCAPE '\\'
  AND (
\`cross\`.weight > 1 AND \`cross\` . task <> source.number
)
WHERE \`source\`.\`sys_id\` IS NOT NULL
  AND \`target\`.\`sys_id\` IS NOT NULL
GROUP BY CAST(CONVERT(\`source\`.\`sys_id\` USING utf8mb4) AS BINARY), CAST(CONVERT(\`target\`.\`sys_id\` USING utf8mb4) AS BINARY)`,
    },
  },
  {
    title: 'an element related to itself',
    elements: [openWithCaller],
    relationships: [{ source: 'Open', target: 'Open', mappings: [['problem_id', 'sys_id']] }],
    sql: {
      postgresql: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*
  FROM "public"."incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS "source"
JOIN (
  SELECT "incident".*
  FROM "public"."incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS "target"
  ON "source"."problem_id" = "target"."sys_id"
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      duckdb: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*
  FROM "incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS "source"
JOIN (
  SELECT "incident".*
  FROM "incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS "target"
  ON "source"."problem_id" = "target"."sys_id"
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      trino: `
SELECT DISTINCT
  "source"."sys_id" AS "source_key_1",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "incident".*
  FROM "public"."incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS "source"
JOIN (
  SELECT "incident".*
  FROM "public"."incident" AS "incident"
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS "target"
  ON "source"."problem_id" = "target"."sys_id"
WHERE "source"."sys_id" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      mysql: `
SELECT
  \`source\`.\`sys_id\` AS \`source_key_1\`,
  \`target\`.\`sys_id\` AS \`target_key_1\`
FROM (
  SELECT \`incident\`.*
  FROM \`public\`.\`incident\` AS \`incident\`
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS \`source\`
JOIN (
  SELECT \`incident\`.*
  FROM \`public\`.\`incident\` AS \`incident\`
LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id -- who called
  WHERE (
incident.state <> 'x' -- no tests
)
) AS \`target\`
  ON \`source\`.\`problem_id\` = \`target\`.\`sys_id\`
  AND CAST(CONVERT(\`source\`.\`problem_id\` USING utf8mb4) AS BINARY) = CAST(CONVERT(\`target\`.\`sys_id\` USING utf8mb4) AS BINARY)
WHERE \`source\`.\`sys_id\` IS NOT NULL
  AND \`target\`.\`sys_id\` IS NOT NULL
GROUP BY CAST(CONVERT(\`source\`.\`sys_id\` USING utf8mb4) AS BINARY), CAST(CONVERT(\`target\`.\`sys_id\` USING utf8mb4) AS BINARY)`,
    },
  },
  {
    title: 'strange names and a composite key in a relationship',
    elements: [order, open],
    relationships: [
      {
        source: 'Order',
        target: 'Open',
        mappings: [['a.b', 'sys_id'], ['Größe €😀', '!=', 'number'], 'source."it\'s" = target.state'],
      },
    ],
    sql: {
      postgresql: `
SELECT DISTINCT
  "source"."select" AS "source_key_1",
  "source"."a.b" AS "source_key_2",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "Ünïcode ""quoted"" Order".*
  FROM "Weird Schema"."Ünïcode ""quoted"" Order" AS "Ünïcode ""quoted"" Order"
) AS "source"
JOIN (
  SELECT "incident".*
  FROM "public"."incident" AS "incident"
) AS "target"
  ON "source"."a.b" = "target"."sys_id"
  AND "source"."Größe €😀" <> "target"."number"
  AND (
source."it's" = target.state
)
WHERE "source"."select" IS NOT NULL
  AND "source"."a.b" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      duckdb: `
SELECT DISTINCT
  "source"."select" AS "source_key_1",
  "source"."a.b" AS "source_key_2",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "Ünïcode ""quoted"" Order".*
  FROM "Ünïcode ""quoted"" Order" AS "Ünïcode ""quoted"" Order"
) AS "source"
JOIN (
  SELECT "incident".*
  FROM "incident" AS "incident"
) AS "target"
  ON "source"."a.b" = "target"."sys_id"
  AND "source"."Größe €😀" <> "target"."number"
  AND (
source."it's" = target.state
)
WHERE "source"."select" IS NOT NULL
  AND "source"."a.b" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      trino: `
SELECT DISTINCT
  "source"."select" AS "source_key_1",
  "source"."a.b" AS "source_key_2",
  "target"."sys_id" AS "target_key_1"
FROM (
  SELECT "Ünïcode ""quoted"" Order".*
  FROM "Weird Schema"."Ünïcode ""quoted"" Order" AS "Ünïcode ""quoted"" Order"
) AS "source"
JOIN (
  SELECT "incident".*
  FROM "public"."incident" AS "incident"
) AS "target"
  ON "source"."a.b" = "target"."sys_id"
  AND "source"."Größe €😀" <> "target"."number"
  AND (
source."it's" = target.state
)
WHERE "source"."select" IS NOT NULL
  AND "source"."a.b" IS NOT NULL
  AND "target"."sys_id" IS NOT NULL`,
      mysql: `
SELECT
  \`source\`.\`select\` AS \`source_key_1\`,
  \`source\`.\`a.b\` AS \`source_key_2\`,
  \`target\`.\`sys_id\` AS \`target_key_1\`
FROM (
  SELECT \`Ünïcode "quoted" Order\`.*
  FROM \`Weird Schema\`.\`Ünïcode "quoted" Order\` AS \`Ünïcode "quoted" Order\`
) AS \`source\`
JOIN (
  SELECT \`incident\`.*
  FROM \`public\`.\`incident\` AS \`incident\`
) AS \`target\`
  ON \`source\`.\`a.b\` = \`target\`.\`sys_id\`
  AND CAST(CONVERT(\`source\`.\`a.b\` USING utf8mb4) AS BINARY) = CAST(CONVERT(\`target\`.\`sys_id\` USING utf8mb4) AS BINARY)
  AND CAST(CONVERT(\`source\`.\`Größe €😀\` USING utf8mb4) AS BINARY) <> CAST(CONVERT(\`target\`.\`number\` USING utf8mb4) AS BINARY)
  AND (
source."it's" = target.state
)
WHERE \`source\`.\`select\` IS NOT NULL
  AND \`source\`.\`a.b\` IS NOT NULL
  AND \`target\`.\`sys_id\` IS NOT NULL
GROUP BY CAST(CONVERT(\`source\`.\`select\` USING utf8mb4) AS BINARY), CAST(CONVERT(\`source\`.\`a.b\` USING utf8mb4) AS BINARY), CAST(CONVERT(\`target\`.\`sys_id\` USING utf8mb4) AS BINARY)`,
    },
  },
];
