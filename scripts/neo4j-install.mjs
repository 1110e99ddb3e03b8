// A real Neo4j from Maven Central, for tests of its export.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDebianPackages } from './debian-packages.mjs';
import { installOnce } from './install-once.mjs';
import { cacheFolder } from './paths.mjs';
import { runCommand } from './run-command.mjs';

const version = '5.26.30';

/** The server, `neo4j-admin database import`, and the shell. */
const artifacts = [
  ['org.neo4j', 'neo4j'],
  ['org.neo4j.app', 'neo4j-server'],
  ['org.neo4j', 'neo4j-import-tool'],
  ['org.neo4j', 'cypher-shell'],
];

const folder = join(cacheFolder, `neo4j-${version}`);

/** Whether it is installed. */
export function hasNeo4j() {
  return existsSync(folder);
}

/** Installs it once into `.cache/`; resolves to the class path. Needs Java 17 or 21 and Maven, which are installed where that is allowed. */
export async function ensureNeo4j() {
  await installOnce(folder, async (draft) => {
    await ensureDebianPackages(['java', 'mvn']);
    console.log(`set-up: Neo4j ${version} (about 1 min, 130 MB)`);
    const project = join(draft, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'pom.xml'), projectFile());
    const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${join(draft, 'lib')}`];
    await runCommand('mvn', ['--batch-mode', '--quiet', ...copy], { cwd: project }).catch((error) => {
      throw new Error(`Neo4j could not be set up. Is Maven Central reachable?\n${error.message}`, { cause: error });
    });
  });
  return join(folder, 'lib', '*');
}

function projectFile() {
  const dependencies = artifacts.map(
    ([group, name]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`,
  );
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>local</groupId><artifactId>neo4j</artifactId><version>1</version>
<dependencies>${dependencies.join('\n')}</dependencies>
</project>
`;
}
