import assert from 'node:assert/strict';
import { join } from 'node:path';
import { chinook } from '../support/chinook.ts';
import { withDraftProject } from '../support/draft-projects.ts';
import { postgresqlSources } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { projectFolder } from '../support/vscode-host.ts';
import { undeclaredKeys } from '../support/undeclared-keys/data-sets.ts';
import { type ExpertAnswer, readExpertAnswers, scoreDraft } from '../support/undeclared-keys/draft-score.ts';

const leastF1 = 0.85;
/** The least of the sets on which nothing was tuned. */
const leastHeldOutF1 = 0.8;

/** `npm run bench -- undeclared-keys` prints what is right, wrong and missing. */
describe('first graphs of tables without declared keys', () => {
  let answers: Readonly<Record<string, ExpertAnswer>> = {};
  before(async () => (answers = await readExpertAnswers()));

  for (const [name, files] of Object.entries(undeclaredKeys)) {
    it(`agree with an expert about ${name}, and can be imported`, async () => {
      const answer = answers[name];
      assert.ok(answer);
      await withTables(await files(), async ({ draft, project }) => {
        const { graph } = await draft();
        const { elements, relationships } = scoreDraft(graph, answer);
        const least = answer.heldOut ? leastHeldOutF1 : leastF1;
        assert.ok(elements.f1 >= least, `elements: ${JSON.stringify(elements)}`);
        assert.ok(relationships.f1 >= least, `relationships: ${JSON.stringify(relationships)}`);
        const summary = await project.import();
        assert.equal(summary.status, 'imported', summary.error?.message);
        assert.ok(summary.totals !== undefined && summary.totals.events > 0);
        const unpaired = summary.relationships.filter(({ pairs }) => pairs === 0).map((each) => each.name);
        assert.deepEqual(unpaired, [], 'each relationship has pairs');
      });
    });
  }

  describe('of databases', () => {
    const dropKeys = `DO $$ DECLARE found record; BEGIN
      FOR found IN SELECT conrelid::regclass AS owner, conname FROM pg_constraint
        WHERE contype IN ('p', 'f', 'u') AND connamespace = 'public'::regnamespace AND conparentid = 0
        ORDER BY contype = 'f' DESC
      LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', found.owner, found.conname); END LOOP;
      FOR found IN SELECT indexrelid::regclass AS owner FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indisunique AND relnamespace = 'public'::regnamespace AND NOT relispartition
      LOOP EXECUTE format('DROP INDEX %s', found.owner); END LOOP;
    END $$`;
    const fill: Readonly<Record<string, (server: TestPostgres, database: string) => Promise<unknown>>> = {
      chinook: (server, database) => server.query(database, chinook),
      pagila: (server, database) => server.loadSqlFile(database, join(projectFolder, 'test/data/pagila.sql.gz')),
    };
    for (const [name, make] of Object.entries(fill)) {
      it(`agree with an expert about ${name} without its keys`, async () => {
        const answer = answers[name];
        assert.ok(answer);
        const server = await sharedPostgres();
        const database = await server.createDatabase();
        await make(server, database);
        await server.query(database, dropKeys);
        await withDraftProject({ 'entity-sources.yaml': postgresqlSources(server, database) }, async ({ draft }) => {
          const { graph } = await draft();
          const { elements, relationships } = scoreDraft(graph, answer);
          assert.ok(elements.f1 >= leastHeldOutF1, `elements: ${JSON.stringify(elements)}`);
          assert.ok(relationships.f1 >= leastHeldOutF1, `relationships: ${JSON.stringify(relationships)}`);
        });
      });
    }
  });
});

type Use = Parameters<typeof withDraftProject<void>>[1];

function withTables(files: Readonly<Record<string, string>>, use: Use): Promise<void> {
  const placed = Object.entries(files).map(([name, content]) => [`data/${name}`, content] as const);
  const sources = `version: 1\ndataSources:\n  shop: { kind: csv, path: "data/*", nullValues: [NA] }\n`;
  return withDraftProject({ ...Object.fromEntries(placed), 'entity-sources.yaml': sources }, use);
}
