import { lstat, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import entityGraphSchema from '../../../schemas/entity-graph.schema.json';
import entityTestsSchema from '../../../schemas/entity-tests.schema.json';
import { listEntityFiles, listSourcesFiles, listTestFiles } from '../project/list-entity-files.ts';

/** What an agent can read: the formats, the samples, and the files of the workspace. */
interface TextResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
  read(): Promise<string>;
}

interface ResourcePlaces {
  /** The folder of the workspace. */
  readonly root: string;
  /** That of the samples of this version, which may be absent. */
  readonly samples: string;
  /** What a data sources file says, without secrets. @param path absolute */
  readonly readSources: (path: string) => Promise<string>;
}

/** The resources of a workspace. Rejects with the file system error. */
export async function listResources({ root, samples, readSources }: ResourcePlaces): Promise<readonly TextResource[]> {
  const graphs = async (folder: string): Promise<readonly string[]> => [
    ...(await plainFiles(folder, listEntityFiles)),
    ...(await plainFiles(folder, listTestFiles)),
  ];
  const named = (path: string, folder: string): string => relative(folder, path).split(sep).join('/');
  const yaml = { mimeType: 'application/yaml' };
  return [
    schemaResource('entity-graph', 'entity graphs', entityGraphSchema),
    schemaResource('entity-tests', 'files of tests', entityTestsSchema),
    ...(await graphs(root)).map((path) => {
      const name = named(path, root);
      return { ...yaml, uri: pathToFileURL(path).href, name, title: name, read: () => readText(path, name) };
    }),
    ...(await plainFiles(root, listSourcesFiles)).map((path) => {
      const name = named(path, root);
      const title = `The data sources of ${name}, without secrets`;
      return {
        uri: `entity-graph://sources/${encodeURI(name)}`,
        name,
        title,
        mimeType: 'application/json',
        read: () => readSources(path),
      };
    }),
    ...[...(await graphs(samples)), ...(await plainFiles(samples, listSourcesFiles))].map((path) => {
      const name = named(path, samples);
      return {
        ...yaml,
        uri: `entity-graph://sample/${encodeURI(name)}`,
        name: `sample ${name}`,
        title: `Sample: ${name}`,
        read: () => readText(path, name),
      };
    }),
  ];
}

/** The text of a listed resource; undefined for others. Rejects with the file system error. */
export async function readResource(
  places: ResourcePlaces,
  uri: string,
): Promise<{ mimeType: string; text: string } | undefined> {
  const found = (await listResources(places)).find((each) => each.uri === uri);
  return found && { mimeType: found.mimeType, text: await found.read() };
}

/** Where the samples are, from the folder of the program: the extension and this repository have the same folders. */
export function samplesBeside(program: string): string {
  return join(program, '../../../samples');
}

function schemaResource(name: string, of: string, schema: object): TextResource {
  return {
    uri: `entity-graph://schema/${name}`,
    name: `schema-${name}`,
    title: `JSON Schema of ${of}, with the meaning of each field`,
    mimeType: 'application/schema+json',
    read: () => Promise.resolve(JSON.stringify(schema)),
  };
}

/** Files of a folder, which may be absent; links may lead out of it. */
async function plainFiles(
  folder: string,
  list: (folder: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const files = await list(folder).catch(() => []);
  const isPlain = await Promise.all(files.map(async (path) => (await lstat(path)).isFile()));
  return files.filter((_, index) => isPlain[index]);
}

const mostBytes = 1_000_000;

async function readText(path: string, name: string): Promise<string> {
  const { size } = await stat(path);
  if (size > mostBytes) throw new Error(`${name} has ${size} bytes; at most ${mostBytes} are read.`);
  return readFile(path, 'utf8');
}
