import { lstat, readFile, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import entityGraphSchema from '../../../schemas/entity-graph.schema.json';
import entityTestsSchema from '../../../schemas/entity-tests.schema.json';
import { listEntityFiles, listTestFiles } from '../project/list-entity-files.ts';

/** What an agent can read: the formats, and the files of the workspace. Data sources files may hold secrets. */
interface TextResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
}

const schemas = [
  {
    uri: 'entity-graph://schema/entity-graph',
    name: 'schema-entity-graph',
    title: 'JSON Schema of entity graphs, with the meaning of each field',
    schema: entityGraphSchema,
  },
  {
    uri: 'entity-graph://schema/entity-tests',
    name: 'schema-entity-tests',
    title: 'JSON Schema of files of tests, with the meaning of each field',
    schema: entityTestsSchema,
  },
] as const;

/** The resources of a workspace. Rejects with the file system error. */
export async function listResources(root: string): Promise<readonly TextResource[]> {
  const files = await plainFiles(root);
  return [
    ...schemas.map(({ uri, name, title }) => ({ uri, name, title, mimeType: 'application/schema+json' })),
    ...files.map((path) => {
      const name = relative(root, path).split(sep).join('/');
      return { uri: pathToFileURL(path).href, name, title: name, mimeType: 'application/yaml' };
    }),
  ];
}

/** The text of a listed resource; undefined for others. Rejects with the file system error. */
export async function readResource(root: string, uri: string): Promise<{ mimeType: string; text: string } | undefined> {
  const schema = schemas.find((each) => each.uri === uri);
  if (schema) return { mimeType: 'application/schema+json', text: JSON.stringify(schema.schema) };
  const path = (await plainFiles(root)).find((each) => pathToFileURL(each).href === uri);
  if (path === undefined) return undefined;
  const { size } = await stat(path);
  if (size > mostBytes) throw new Error(`${relative(root, path)} has ${size} bytes; at most ${mostBytes} are read.`);
  return { mimeType: 'application/yaml', text: await readFile(path, 'utf8') };
}

/** Entity graphs and files of tests; links may lead out of the workspace. */
async function plainFiles(root: string): Promise<readonly string[]> {
  const files = [...(await listEntityFiles(root)), ...(await listTestFiles(root))];
  const isPlain = await Promise.all(files.map(async (path) => (await lstat(path)).isFile()));
  return files.filter((_, index) => isPlain[index]);
}

const mostBytes = 1_000_000;
