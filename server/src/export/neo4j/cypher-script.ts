import type { Neo4jColumn, Neo4jFile, Neo4jType } from './neo4j-files.ts';

/** A script that loads the files from the import folder of a running Neo4j 5, ten thousand rows at a time. */
export function cypherScript(files: readonly Neo4jFile[]): string {
  return [
    '// Copy the CSV files into the import folder of the database, then: cypher-shell -f load.cypher',
    '// In Neo4j Browser, write :auto before each LOAD CSV.',
    'CREATE CONSTRAINT event_id IF NOT EXISTS FOR (n:Event) REQUIRE n.eventId IS UNIQUE;',
    'CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.entityId IS UNIQUE;',
    ...files.map(loadStatement),
    '',
  ].join('\n');
}

function loadStatement(file: Neo4jFile): string {
  return [
    `LOAD CSV WITH HEADERS FROM 'file:///${file.name}' AS row`,
    `CALL { WITH row ${file.kind === 'nodes' ? createNode(file) : createRelationship(file)} }`,
    'IN TRANSACTIONS OF 10000 ROWS;',
  ].join('\n');
}

function createNode({ label, columns }: Neo4jFile): string {
  return `CREATE (:${label} ${propertyMap(columns)})`;
}

function createRelationship({ label, columns }: Neo4jFile): string {
  const node = (role: 'start' | 'end'): string => {
    const column = columns.find((each) => each.role === role);
    return column ? `MATCH (${role}Node:${column.space} {${column.property}: ${cell(column)}})` : '';
  };
  const own = propertyMap(columns.filter(({ role }) => role === 'value'));
  return `${node('start')} ${node('end')} CREATE (startNode)-[:${label} ${own}]->(endNode)`;
}

function propertyMap(columns: readonly Neo4jColumn[]): string {
  return `{${columns.map((column) => `${name(column.property)}: ${typed(column.type, cell(column))}`).join(', ')}}`;
}

const functions: Readonly<Record<Neo4jType, string | undefined>> = {
  string: undefined,
  long: 'toInteger',
  double: 'toFloat',
  boolean: 'toBoolean',
  datetime: 'datetime',
};

function typed(type: Neo4jType, value: string): string {
  const convert = functions[type];
  return convert === undefined ? value : `${convert}(${value})`;
}

function cell({ header }: Neo4jColumn): string {
  return `row['${header.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
}

function name(property: string): string {
  return `\`${property.replaceAll('`', '``')}\``;
}
