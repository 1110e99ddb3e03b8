// `node scripts/order-to-cash-data.mjs`: writes the data of samples/order-to-cash, the same every time. Plain Node.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMainModule, root } from './paths.mjs';

const orderCount = 420;
const firstDay = Date.UTC(2024, 0, 2);
const hour = 3_600_000;
const day = 24 * hour;

/** Germans pay on time, Italians late: one of the findings of the sample. */
const countries = [
  { code: 'DE', towns: ['Bremen', 'Kassel', 'Ulm'], daysToPay: [12, 29] },
  { code: 'NL', towns: ['Breda', 'Zwolle'], daysToPay: [10, 30] },
  { code: 'IT', towns: ['Parma', 'Udine'], daysToPay: [38, 75] },
  { code: 'PL', towns: ['Opole', 'Gdynia'], daysToPay: [14, 35] },
];
const firms = [
  ...['Alder & Sons', 'Birch Trading', 'Cedar Supply', 'Damson Foods', 'Elm Outdoor', 'Fir Logistics', 'Gorse Tools'],
  ...['Hazel Works', 'Ivy Interiors', 'Juniper Labs', 'Kelp Marine', 'Larch Homes', 'Maple Sports', 'Nettle Tea'],
  ...['Oak Furnishing', 'Pine Paper', 'Quince Kitchens', 'Rowan Cycles', 'Sorrel Pharma', 'Thyme Catering'],
  ...['Umbra Lighting', 'Vetch Farming', 'Willow Baskets', 'Yarrow Care'],
];
const goods = [
  ...[
    ['Desk lamp', 'LIGHT', 39],
    ['Floor lamp', 'LIGHT', 119],
    ['Light strip', 'LIGHT', 24],
  ],
  ...[
    ['Office chair', 'SEAT', 249],
    ['Stool', 'SEAT', 79],
    ['Bench', 'SEAT', 310],
  ],
  ...[
    ['Shelf', 'STORE', 145],
    ['Drawer unit', 'STORE', 189],
    ['Coat rack', 'STORE', 65],
    ['Locker', 'STORE', 399],
  ],
  ...[
    ['Desk', 'TABLE', 420],
    ['Meeting table', 'TABLE', 890],
    ['Side table', 'TABLE', 110],
  ],
];

/**
 * The tables of an order-to-cash process in the shape of SAP's: documents with numbers of ten digits, dates and times in
 * two columns, `00000000` without a date. All data is invented.
 * @returns {Record<string, string>} File name → CSV.
 */
export function orderToCashFiles() {
  const random = randomNumbers(20240102);
  const tables = {
    KNA1: table('KUNNR', 'NAME1', 'LAND1', 'ORT01', 'KTOKD'),
    MARA: table('MATNR', 'MAKTX', 'MATKL', 'MEINS'),
    VBAK: table('VBELN', 'ERDAT', 'ERZET', 'ERNAM', 'AUART', 'KUNNR', 'NETWR', 'WAERK', 'VDATU'),
    VBAP: table('VBELN', 'POSNR', 'MATNR', 'KWMENG', 'NETWR'),
    LIKP: table('VBELN', 'ERDAT', 'ERZET', 'ERNAM', 'WADAT_IST', 'SPE_WAUHR_IST'),
    LIPS: table('VBELN', 'POSNR', 'MATNR', 'LFIMG', 'VGBEL', 'VGPOS'),
    VBRK: table('VBELN', 'FKART', 'ERDAT', 'ERZET', 'ERNAM', 'KUNRG', 'NETWR', 'WAERK', 'SFAKN'),
    VBRP: table('VBELN', 'POSNR', 'VGBEL', 'NETWR'),
    FEBEP: table('KUKEY', 'ESNUM', 'BUDAT', 'BUTIM', 'KWBTR', 'KUNNR', 'XBLNR'),
    CDHDR: table('CHANGENR', 'OBJECTCLAS', 'OBJECTID', 'USERNAME', 'UDATE', 'UTIME', 'TCODE'),
    CDPOS: table('CHANGENR', 'TABNAME', 'TABKEY', 'FNAME', 'VALUE_OLD', 'VALUE_NEW'),
  };

  const customers = firms.map((name, index) => {
    const country = random.pick(countries);
    const number = `${(index + 1) * 7 + 100_000}`.padStart(10, '0');
    tables.KNA1.add(number, name, country.code, random.pick(country.towns), index % 6 === 0 ? 'KEY' : 'STD');
    return { number, country };
  });
  const materials = goods.map(([name, group, price], index) => {
    const number = `M-${String((index + 1) * 10).padStart(4, '0')}`;
    tables.MARA.add(number, name, group, 'PC');
    return { number, price };
  });

  let changes = 0;
  function change(at, order, user, code, lines) {
    changes += 1;
    const number = String(changes).padStart(10, '0');
    tables.CDHDR.add(number, 'VERKBELEG', order, user, ...dateAndTime(at), code);
    for (const line of lines) tables.CDPOS.add(number, ...line);
  }

  /** Invoices that are not paid yet, by customer. */
  const open = new Map(customers.map((customer) => [customer, []]));
  const documents = { delivery: 0, invoice: 0 };
  const clerks = ['KRUGER', 'DEVRIES', 'ROSSI', 'NOWAK'];

  for (let index = 0; index < orderCount; index += 1) {
    const order = String(10_000 + index).padStart(10, '0');
    const customer = random.pick(customers);
    const user = random.pick(clerks);
    const placed = workingTime(firstDay + Math.floor((index / orderCount) * 180) * day, random);
    const items = Array.from({ length: random.between(1, 4) }, (_, position) => {
      const material = random.pick(materials);
      const quantity = random.between(1, 12);
      return { position: String((position + 1) * 10).padStart(6, '0'), material, quantity };
    });
    const value = ({ material, quantity }) => material.price * quantity;
    const total = sum(items.map(value));
    const wanted = placed + random.between(7, 21) * day;
    tables.VBAK.add(order, ...dateAndTime(placed), user, 'TA', customer.number, money(total), 'EUR', date(wanted));
    for (const item of items)
      tables.VBAP.add(order, item.position, item.material.number, item.quantity, money(value(item)));

    let ready = placed + random.between(6, 60) * hour;
    if (total > 6000) {
      // Large orders wait for the credit department: a delivery block is set and taken away.
      const blocked = placed + random.between(1, 3) * hour;
      change(blocked, order, 'CREDIT', 'VA02', [['VBAK', order, 'LIFSK', '', '01']]);
      ready = workingTime(blocked + random.between(2, 9) * day, random);
      change(ready, order, 'CREDIT', 'VA02', [['VBAK', order, 'LIFSK', '01', '']]);
    }
    if (random.chance(0.12)) {
      const item = random.pick(items);
      const more = item.quantity + random.between(1, 5);
      const key = `${order}${item.position}`;
      change(placed + random.between(2, 30) * hour, order, user, 'VA02', [
        ['VBAP', key, 'KWMENG', item.quantity, more],
        ['VBAP', key, 'NETWR', money(value(item)), money(item.material.price * more)],
      ]);
      item.quantity = more;
    }
    if (random.chance(0.06)) {
      // Cancelled: a reason for rejection at every item, and nothing is delivered.
      const lines = items.map(({ position }) => ['VBAP', `${order}${position}`, 'ABGRU', '', '10']);
      change(ready + random.between(1, 40) * hour, order, user, 'VA02', lines);
      continue;
    }

    // Every eighth order or so is delivered in two parts.
    const isSplit = items.length > 1 && random.chance(0.2);
    const parts = isSplit ? [items.slice(0, 1), items.slice(1)] : [items];
    let at = workingTime(ready + random.between(4, 80) * hour, random);
    for (const [number, part] of parts.entries()) {
      if (number > 0) at = workingTime(at + random.between(3, 12) * day, random);
      documents.delivery += 1;
      const delivery = String(80_000_000 + documents.delivery).padStart(10, '0');
      const isLate = index > orderCount - 12;
      const issued = workingTime(at + random.between(1, 20) * hour, random);
      const shipper = random.pick(['SHIP1', 'SHIP2']);
      tables.LIKP.add(
        ...[delivery, ...dateAndTime(at), shipper],
        ...(isLate ? ['00000000', '000000'] : dateAndTime(issued)),
      );
      part.forEach((item, line) =>
        tables.LIPS.add(
          ...[delivery, String((line + 1) * 10).padStart(6, '0'), item.material.number, item.quantity],
          ...[order, item.position],
        ),
      );
      if (isLate) continue;
      const amount = sum(part.map(value));
      let billed = workingTime(issued + random.between(1, 30) * hour, random);
      let invoice = bill('F2', delivery, customer, amount, billed, '');
      if (random.chance(0.07)) {
        // Wrong at first: cancelled, and written again.
        billed = workingTime(billed + random.between(1, 6) * day, random);
        bill('S1', delivery, customer, -amount, billed, invoice);
        invoice = bill('F2', delivery, customer, amount, billed + random.between(1, 5) * hour, '');
      }
      open.get(customer).push({ invoice, amount, billed });
    }
  }

  function bill(kind, delivery, customer, amount, at, cancelled) {
    documents.invoice += 1;
    const number = String(90_000_000 + documents.invoice).padStart(10, '0');
    const user = kind === 'S1' ? 'MEYER' : random.pick(['MEYER', 'SANTOS']);
    tables.VBRK.add(...[number, kind, ...dateAndTime(at), user], ...[customer.number, money(amount), 'EUR', cancelled]);
    tables.VBRP.add(number, '000010', delivery, money(amount));
    return number;
  }

  payments(open, random, tables.FEBEP);
  return Object.fromEntries(Object.entries(tables).map(([name, { text }]) => [`${name}.csv`, text()]));
}

/** Lines of bank statements: customers pay due invoices, often several invoices at once; a tenth is not paid yet. */
function payments(open, random, lines) {
  const paid = [];
  for (const [customer, invoices] of open) {
    const due = invoices.toSorted((one, other) => one.billed - other.billed);
    while (due.length > 0) {
      const together = due.splice(0, random.chance(0.35) ? random.between(2, 4) : 1);
      if (random.chance(0.1)) continue;
      const [least, most] = customer.country.daysToPay;
      const at = together.at(-1).billed + random.between(least, most) * day;
      paid.push({ at, customer, together });
    }
  }
  paid.sort((one, other) => one.at - other.at);
  paid.forEach(({ at, customer, together }, index) =>
    lines.add(
      ...[String(3000 + Math.floor(index / 5)).padStart(8, '0'), String((index % 5) + 1).padStart(5, '0')],
      ...[...dateAndTime(at), money(sum(together.map(({ amount }) => amount))), customer.number],
      together.map(({ invoice }) => invoice).join(';'),
    ),
  );
}

function table(...columns) {
  const lines = [columns.join(',')];
  return {
    add(...values) {
      if (values.length !== columns.length) throw new Error(`${columns[0]}: ${values.length} values`);
      lines.push(values.map((value) => (/[",]/.test(String(value)) ? JSON.stringify(value) : String(value))).join(','));
    },
    text: () => `${lines.join('\n')}\n`,
  };
}

/** The time of an office day, not before the one given. */
function workingTime(at, random) {
  let start = Math.floor(at / day) * day;
  if (at - start > 16 * hour) start += day;
  while ([0, 6].includes(new Date(start).getUTCDay())) start += day;
  const earliest = Math.max(at, start + 8 * hour);
  return earliest + random.between(0, 90) * 60_000 + random.between(0, 59) * 1000;
}

const date = (at) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
const dateAndTime = (at) => [date(at), new Date(at).toISOString().slice(11, 19).replaceAll(':', '')];
const money = (amount) => amount.toFixed(2);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Numbers that are the same for a seed on every machine: a linear congruential generator (Numerical Recipes). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (values) => values[Math.floor(next() * values.length)],
    chance: (share) => next() < share,
  };
}

if (isMainModule(import.meta.url)) {
  const folder = join(root, 'samples/order-to-cash/data');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(orderToCashFiles())) await writeFile(join(folder, name), text);
}
