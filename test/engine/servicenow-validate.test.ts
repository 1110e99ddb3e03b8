import assert from 'node:assert/strict';
import { join } from 'node:path';
import { validateFile } from '../../server/src/operations/validation/validate.ts';
import type { Instance } from '../simulator/instance.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { graphText, withGraph } from '../support/import-text.ts';
import { hidesEverySecond } from '../support/servicenow-queries.ts';
import { instanceSettings } from '../support/servicenow-source.ts';
import { noSecrets } from '../support/no-secrets.ts';

const incident = 'activityName: Open, dataObject: incident, startTimestamp: opened_at';
const view = 'activityName: Measure, dataObject: incident_metric, key: mi_sys_id, startTimestamp: mi_start';

/**
 * One row per state of an instance and an element: the result of online validation and of an import; nothing if it can
 * be imported.
 */
const cases: readonly (readonly [
  what: string,
  element: string,
  prepare: (instance: Instance) => void,
  code?: string | undefined,
  message?: RegExp | undefined,
  settings?: object,
])[] = [
  ['a table that can be read', incident, () => undefined],
  ['a database view', view, () => undefined],
  [
    'a database view whose dictionary is not readable',
    view,
    ({ settings }) => (settings.mayRead = (table) => !/^sys_d/.test(table)),
  ],
  [
    'records that are hidden',
    incident,
    ({ settings }) => (settings.mayRead = hidesEverySecond),
    'permission-denied',
    /^Of 40 records of incident the user may not read all: an import would fail, .* Give the user a role/,
  ],
  [
    'records that are hidden before they are counted',
    incident,
    ({ settings }) =>
      Object.assign(settings, { mayRead: hidesEverySecond, pageCounts: 'readable', limitAfterAcl: true }),
    'permission-denied',
    /^Of 40 records of incident the user may not read all/,
  ],
  [
    'records that may be hidden',
    incident,
    ({ settings }) => (settings.mayRead = hidesEverySecond),
    undefined,
    undefined,
    { onShortfall: 'warn' },
  ],
  [
    'a filter by a hidden field',
    `${incident}, where: state = 1`,
    ({ settings }) => (settings.hiddenFields = new Set(['incident.state'])),
    'permission-denied',
    /^The user may not read state of incident, which where filters by: .* Give the user a role/,
  ],
  [
    'a filter by a hidden field that selects nothing',
    `${incident}, where: state = 1`,
    ({ settings }) => Object.assign(settings, { invalidQuery: 'none', hiddenFields: new Set(['incident.state']) }),
    'permission-denied',
    /^The user may not read state of incident/,
  ],
  [
    'a field that is hidden',
    `${incident}, properties: [state]`,
    ({ settings }) => (settings.hiddenFields = new Set(['incident.state'])),
  ],
  [
    'keys that may not be compared',
    incident,
    ({ settings }) => (settings.queryRange = false),
    'permission-denied',
    /^The instance ignores the condition on sys_id in queries of incident\. Give the user the query_range right/,
  ],
  [
    'keys of a view that may not be compared',
    view,
    ({ settings }) => (settings.queryRange = false),
    'permission-denied',
    /^The instance ignores the condition on md_sys_id, mi_sys_id, inc_sys_id in queries of incident_metric\. /,
  ],
  [
    'the whole audit trail',
    'activityName: Change, dataObject: sys_audit, key: documentkey, startTimestamp: sys_created_on',
    () => undefined,
    'sql-error',
    /^sys_audit holds the changes of every table, too many to read\. Say in where/,
  ],
];

describe('ServiceNow validate --online', () => {
  for (const [what, element, prepare, code, message, settings = {}] of cases) {
    it(`predicts what an import reports: ${what}`, async () => {
      const simulator = await startSimulator({ incidents: 40 });
      const tables = ['incident', 'incident_metric', 'sys_audit'];
      const source = instanceSettings(simulator, { tables, pageSize: 10, ...settings });
      const files = {
        'entity-sources.json': JSON.stringify({ version: 1, dataSources: { shop: source } }),
        'graph.entity.yaml': graphText(`  - { ${element} }\n`),
      };
      try {
        await withGraph(files, async (project) => {
          prepare(simulator.instance);
          const projectContext = {
            ...noSecrets,
            workspaceFolderOf: () => project.folder,
          };
          const { problems, text } = await validateFile(join(project.folder, 'graph.entity.yaml'), projectContext, {
            online: true,
          });
          const errors = problems.filter(({ severity }) => severity === 'error');
          assert.deepEqual(
            errors.map((problem) => problem.code),
            code === undefined ? [] : [code],
            JSON.stringify(problems),
          );
          if (message) assert.match(errors[0]?.message ?? '', message);
          const [problem] = errors;
          if (problem) assert.match(text.slice(problem.range.start, problem.range.end), /^(?:Open|Measure|Change)$/);
          const { status, error } = await project.import();
          assert.equal(status, code === undefined ? 'imported' : 'failed', error?.message);
        });
      } finally {
        await simulator.close();
      }
    });
  }

  it('sends equal requests once, and reads only a few records', async () => {
    const simulator = await startSimulator({ incidents: 400 });
    const source = instanceSettings(simulator, { tables: ['incident'], pageSize: 10 });
    const elements = ['A', 'B', 'C'].map(
      (name) => `  - { activityName: ${name}, dataObject: incident, startTimestamp: opened_at }\n`,
    );
    const files = {
      'entity-sources.json': JSON.stringify({ version: 1, dataSources: { shop: source } }),
      'graph.entity.yaml': graphText(elements.join('')),
    };
    try {
      await withGraph(files, async ({ folder }) => {
        const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
        await validateFile(join(folder, 'graph.entity.yaml'), projectContext, { online: true });
        const asked = simulator.requests.filter(({ path }) => path.endsWith('/incident'));
        assert.ok(asked.length <= 6, `${asked.length} requests`);
      });
    } finally {
      await simulator.close();
    }
  });

  it('fails when the instance is unreachable', async () => {
    const simulator = await startSimulator({ incidents: 4 });
    const source = instanceSettings(simulator, { tables: ['incident'] });
    const files = {
      'entity-sources.json': JSON.stringify({ version: 1, dataSources: { shop: source } }),
      'graph.entity.yaml': graphText(`  - { ${incident} }\n`),
    };
    try {
      await withGraph(files, async ({ folder }) => {
        const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
        simulator.failNext(
          { kind: 'unauthenticated' },
          {
            times: Infinity,
            on: ({ parameters }) =>
              parameters.has('sysparm_query') && !parameters.get('sysparm_query')?.startsWith('name'),
          },
        );
        await assert.rejects(validateFile(join(folder, 'graph.entity.yaml'), projectContext, { online: true }), {
          code: 'authentication-failed',
        });
      });
    } finally {
      await simulator.close();
    }
  });
});
