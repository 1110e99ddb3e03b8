// Draws the sketches of docs/data-quality.md into docs/images/findings: for each kind a few entities as lines with their
// events as dots, those that the finding is about in another colour and shape.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../docs/images/findings');
const [width, left, rowHeight] = [480, 110, 34];

/** An event: its place from 0 to 100, its name, and whether it is odd. */
const ok = (at, name = '') => ({ at, name });
const odd = (at, name = '') => ({ at, name, isOdd: true });
const days = ['Mon', 'Tue', 'Wed', 'Thu'];

/** By kind: rows of events, names below the axis, and spans without events. */
const sketches = {
  'same-time-order': {
    rows: {
      'order 7': [ok(10, 'place'), odd(50, 'pack | ship')],
      'order 8': [ok(20, 'place'), odd(70, 'ship | pack')],
    },
  },
  'midnight-times': {
    rows: { 'order 7': [ok(16, 'place'), odd(50, 'ship 00:00')], 'order 8': [ok(8, 'place'), ok(62, 'ship 07:12')] },
    axis: days,
  },
  'dates-beside-times': {
    rows: {
      'order 7': [ok(46, 'deliver 20:10'), odd(25, 'pay')],
      'order 8': [ok(71, 'deliver 20:05'), odd(50, 'pay')],
    },
    axis: days,
  },
  'whole-hours': {
    rows: { 'order 7': [odd(25, '09:00'), ok(60, '10:23')], 'order 8': [odd(50, '10:00'), odd(75, '11:00')] },
  },
  'zone-shift': {
    rows: { 'order 7': [odd(20, 'ship'), ok(45, 'pack')], 'order 8': [ok(30, 'pack'), ok(55, 'ship')] },
  },
  'time-gap': {
    rows: {
      'all orders': [...[3, 8, 12, 18, 24, 30].map((at) => ok(at)), ...[66, 72, 77, 83, 90, 96].map((at) => ok(at))],
    },
    gap: [33, 63],
  },
  'late-arrivals': {
    rows: {
      'order 7': [ok(10, 'happened'), ok(16), odd(85, 'recorded')],
      'order 8': [ok(30), ok(36, 'recorded')],
    },
  },
  'duration-outliers': {
    rows: { 'order 7': [ok(8, 'place'), odd(97, '2034')], 'order 8': [ok(5), ok(14, 'pay 2024')] },
  },
  'batch-bursts': {
    rows: { 'order 7': [ok(10), odd(80, 'close')], 'order 8': [ok(32), odd(80)], 'order 9': [ok(55), odd(80)] },
  },
  'order-anomalies': {
    rows: {
      'order 7': [odd(20, 'invoice'), ok(50, 'order')],
      'order 8': [ok(15, 'order'), ok(60, 'invoice')],
      'order 9': [ok(30, 'order'), ok(75, 'invoice')],
    },
  },
  'truncated-cases': {
    rows: {
      'order 1': [odd(4, 'pack'), ok(30, 'ship')],
      'order 8': [ok(35, 'place'), ok(60, 'pack'), ok(75, 'ship')],
      'order 9': [ok(80, 'place'), odd(96, 'pack')],
    },
  },
  'number-gaps': {
    rows: { orders: [ok(6, '1041'), ok(20, '1042'), ok(34, '1043'), ok(80, '1047'), ok(94, '1048')] },
    gap: [40, 74],
  },
  'duplicate-events': {
    rows: { 'order 7': [ok(20, 'place'), ok(60, 'pay 10:31, 50.00'), odd(63)] },
  },
  'near-equal-labels': {
    rows: {
      'order 7': [ok(20, 'Place Order'), odd(65, 'ship  order')],
      'order 8': [ok(25, 'Place Order'), ok(70, 'Ship Order')],
    },
  },
  'dominant-entity': {
    rows: {
      'N/A': [4, 9, 15, 22, 29, 37, 44, 52, 58, 66, 73, 79, 86, 94].map((at) => odd(at)),
      'order 8': [ok(30), ok(55), ok(80)],
    },
  },
  'exploded-keys': {
    rows: { C17: [ok(15, 'place'), ok(70, 'pay')], c17: [odd(45, 'ship')] },
  },
  'almost-key': {
    rows: { 'invoice no.': [ok(8, '4711'), ok(30, '4712'), odd(52, '4713'), odd(74, '4713'), ok(94, '4714')] },
  },
  'changing-attribute': {
    rows: {
      'order 7': [ok(15, 'country DE'), ok(45, 'DE'), odd(75, 'FR')],
      'order 8': [ok(15, 'country FR'), ok(50, 'FR'), ok(80, 'FR')],
    },
  },
  'shared-events': {
    rows: { 'order 7': [ok(15, 'place'), odd(70, 'payment 3')], 'order 8': [ok(30, 'place'), odd(70)] },
  },
  'diverging-events': {
    rows: { 'order 7': [ok(8, 'place'), odd(35, 'deliver 1'), odd(60, 'deliver 2'), odd(85, 'deliver 3')] },
  },
};

const x = (at) => Math.round(left + (at / 100) * (width - left - 20));
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function drawn({ rows, axis = [], gap }) {
  const names = Object.keys(rows);
  const height = names.length * rowHeight + 16 + (axis.length > 0 ? 14 : 0);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
  ];
  for (const [place, name] of axis.entries()) {
    const at = x(place * 25);
    parts.push(`<path d="M${at} 4V${height - 14}" stroke="#888" stroke-opacity="0.4" stroke-dasharray="2 3"/>`);
    parts.push(`<text x="${at + 3}" y="${height - 4}" fill="#888">${name}</text>`);
  }
  if (gap)
    parts.push(
      `<rect x="${x(gap[0])}" y="6" width="${x(gap[1]) - x(gap[0])}" height="${height - 12}" fill="#d9822b" fill-opacity="0.15" stroke="#d9822b" stroke-dasharray="3 3"/>`,
    );
  for (const [place, name] of names.entries()) {
    const y = 26 + place * rowHeight;
    parts.push(`<text x="${left - 12}" y="${y + 4}" fill="#888" text-anchor="end">${escaped(name)}</text>`);
    parts.push(`<path d="M${left} ${y}H${width - 10}" stroke="#888" stroke-opacity="0.6"/>`);
    for (const { at, name: label, isOdd } of rows[name]) {
      const [cx, r] = [x(at), 5];
      parts.push(
        isOdd
          ? `<path d="M${cx - 6} ${y}L${cx} ${y - 6}L${cx + 6} ${y}L${cx} ${y + 6}Z" fill="#d9822b"/>`
          : `<circle cx="${cx}" cy="${y}" r="${r}" fill="#4a90d9"/>`,
      );
      const anchor = at > 90 ? 'end' : at < 6 ? 'start' : 'middle';
      if (label)
        parts.push(`<text x="${cx}" y="${y - 10}" fill="#888" text-anchor="${anchor}">${escaped(label)}</text>`);
    }
  }
  return `${[...parts, '</svg>'].join('\n')}\n`;
}

mkdirSync(folder, { recursive: true });
for (const [kind, sketch] of Object.entries(sketches)) writeFileSync(join(folder, `${kind}.svg`), drawn(sketch));
