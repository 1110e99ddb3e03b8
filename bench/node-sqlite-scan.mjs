// Reads a table with the `node:sqlite` of Node.js 22 and drops its rows; prints the seconds. Arguments: file, table, and
// `objects` (as that module gives rows by default) or `arrays`.
// The Node.js of the project may not have the module, so that an import would lead nowhere.
const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const [path, table, rowsAs] = process.argv.slice(2);
const started = performance.now();
const database = new DatabaseSync(path, { readOnly: true });
const statement = database.prepare(`SELECT * FROM "${table}"`);
statement.setReturnArrays(rowsAs === 'arrays');
const rows = statement.iterate();
while (!rows.next().done);
database.close();
console.log((performance.now() - started) / 1000);
