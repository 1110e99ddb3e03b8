// `node scripts/cross-system-data.mjs`: writes the data of samples/cross-system, parts of Northwind, the same every time.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMainModule, root } from './paths.mjs';

const day = 24 * 3_600_000;

/**
 * The data about orders in the systems beside the shop's database.
 * @returns {Promise<{ catalog: readonly string[], shipments: string, complaints: readonly Complaint[] }>} SQL of the SQLite file with customers and products,
 *   the CSV file of shipments, and the complaints of the service desk.
 * @typedef {{ number: string, text: string, opened: number, resolved?: number }} Complaint Times in milliseconds, UTC.
 */
export async function crossSystemData() {
  const sql = await readFile(join(root, 'samples/northwind/northwind.sql'), 'utf8');
  const database = await openDatabase(':memory:');
  try {
    for (const table of ['orders', 'shippers'])
      for (const statement of statementsOf(sql, table)) database.exec(statement);
    const orders = database
      .prepare(
        `SELECT order_id, order_date, shipped_date, company_name, round(freight, 2) AS freight, ship_city, ship_country
         FROM orders JOIN shippers ON shipper_id = ship_via ORDER BY shipped_date, order_id`,
      )
      .all();
    // The prices of Northwind are single precision: 17.4500008 is 17.45.
    const prices = 'UPDATE products SET unit_price = round(unit_price, 2);';
    const catalog = [...statementsOf(sql, 'customers'), ...statementsOf(sql, 'products'), prices];
    return { catalog, shipments: shipmentsOf(orders), complaints: complaintsOf(orders) };
  } finally {
    database.close();
  }
}

/** Writes the SQLite file with customers and products. */
export async function writeCatalog(path, statements) {
  const database = await openDatabase(path);
  try {
    database.exec(`BEGIN; ${statements.join('\n')} COMMIT; VACUUM`);
  } finally {
    database.close();
  }
}

/** Imports the package when it is needed, because this module is also loaded before packages are installed. */
async function openDatabase(path) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  return new DatabaseSync(path);
}

/** The statements that create and fill a table; SQLite understands them as they are. */
function statementsOf(sql, table) {
  const create = sql.match(new RegExp(`^CREATE TABLE ${table} \\([^;]*\\);`, 'm'))?.[0];
  const inserts = sql.match(new RegExp(`^INSERT INTO ${table} VALUES .*;$`, 'gm'));
  if (!create || !inserts) throw new Error(`northwind.sql has no table ${table}.`);
  return [create, ...inserts];
}

function shipmentsOf(orders) {
  const sent = orders.filter(({ shipped_date: shipped }) => shipped !== null);
  const lines = sent.map(({ order_id: order, shipped_date: shipped, company_name: carrier, ...rest }) =>
    [`S${order}`, order, shipped, carrier, rest.freight.toFixed(2), rest.ship_city, rest.ship_country]
      .map(cell)
      .join(','),
  );
  return `${['shipment,order_number,shipped,carrier,freight,city,country', ...lines].join('\n')}\n`;
}

function cell(value) {
  const text = String(value ?? '');
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Customers open a ticket after three weeks without a delivery, or for a damaged one. */
function complaintsOf(orders) {
  const found = orders.flatMap(({ order_id: order, order_date: ordered, shipped_date: shipped }) => {
    const placed = Date.parse(ordered);
    const sent = shipped === null ? undefined : Date.parse(shipped);
    const hours = (9 + (order % 8)) * 3_600_000;
    if (sent !== undefined && sent - placed > 21 * day) {
      const opened = placed + 20 * day + hours;
      return [{ text: `Where is order ${order}?`, opened, resolved: sent + hours }];
    }
    if (sent === undefined || order % 31 !== 0) return [];
    const opened = sent + 4 * day + hours;
    // One in three is not resolved.
    return [
      {
        text: `What came with order ${order} is damaged`,
        opened,
        ...(order % 3 > 0 && { resolved: opened + 2 * day }),
      },
    ];
  });
  return found
    .toSorted((one, other) => one.opened - other.opened)
    .map((complaint, index) => ({ number: `INC${String(index + 1).padStart(7, '0')}`, ...complaint }));
}

if (isMainModule(import.meta.url)) {
  const folder = join(root, 'samples/cross-system/data');
  const { catalog, shipments } = await crossSystemData();
  await mkdir(folder, { recursive: true });
  await rm(join(folder, 'catalog.sqlite'), { force: true });
  await writeCatalog(join(folder, 'catalog.sqlite'), catalog);
  await writeFile(join(folder, 'shipments.csv'), shipments);
}
