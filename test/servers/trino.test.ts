// Compares graphs built inside a Trino cluster with the embedded engine. Not part of `npm test`, which starts its own:
// `npm run try-server -- trino://…` runs it against the named one.
import { compareInTrino } from '../support/compare-in-trino.ts';
import { loadIncidents } from '../support/trino-samples.ts';
import { runStatement } from '../support/trino-statement.ts';
import { trinoGraphs, trinoShop } from '../support/trino-shop.ts';

const url = new URL(process.env['ENTITY_GRAPH_TRINO_SERVER'] ?? '');
const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
const isEncrypted = url.searchParams.get('ssl') !== 'false' && (password !== '' || url.searchParams.has('ssl'));
const port = url.port || (isEncrypted ? '443' : '8080');
const catalog = decodeURIComponent(url.pathname.slice(1));
const mark = Date.now().toString(36);
const [shop, graphSchema] = [`eg_try_${mark}`, `eg_try_${mark}_graph`];

describe(`engine: source at ${url.host}`, () => {
  const run = (sql: string): ReturnType<typeof runStatement> =>
    runStatement(`${isEncrypted ? 'https' : 'http'}://${url.hostname}:${port}`, sql, {
      'x-trino-user': user,
      ...(password !== '' && { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }),
    });

  const schemas = async (): Promise<readonly string[]> =>
    (await run(`SHOW SCHEMAS FROM "${catalog}" LIKE 'eg_try_${mark}%'`)).map(([name]) => String(name));

  before(async function () {
    this.timeout(600_000);
    await run(`CREATE SCHEMA "${catalog}".${shop}`);
    for (const sql of trinoShop(`"${catalog}".${shop}`)) await run(sql);
  });

  after(async function () {
    this.timeout(600_000);
    for (const name of await schemas()) await run(`DROP SCHEMA "${catalog}"."${name}" CASCADE`);
  });

  /** Over tables of a schema. */
  async function compare(schema: string, graph: string): Promise<void> {
    const login =
      password === ''
        ? ''
        : `, auth: { kind: basic, user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }`;
    const sources = `version: 1\ndataSources:\n  shop: { kind: trino, host: ${url.hostname}, port: ${port}, ssl: ${isEncrypted}, user: ${JSON.stringify(user)}, catalog: ${JSON.stringify(catalog)}, schemas: ${schema}, timeZone: Europe/Berlin${login} }\n`;
    await compareInTrino(sources, graph, { catalog, schema: graphSchema });
    // The next graph is of another file.
    for (const name of await schemas()) {
      if (name !== shop) await run(`DROP SCHEMA "${catalog}"."${name}" CASCADE`);
    }
  }

  for (const [what, graph] of Object.entries(trinoGraphs)) {
    it(`builds the same graph as the embedded engine: ${what}`, async function () {
      this.timeout(1_800_000);
      await compare(shop, graph);
    });
  }

  it('builds the same graph as the embedded engine: incidents sample', async function () {
    this.timeout(1_800_000);
    const sample = `eg_try_${mark}_sample`;
    const createSchema = async (): Promise<string> => {
      await run(`CREATE SCHEMA "${catalog}".${sample}`);
      return sample;
    };
    const { graph } = await loadIncidents({ run, createSchema }, catalog);
    await compare(sample, await graph('shop'));
  });
});
