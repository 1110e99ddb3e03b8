import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { latency } from './servicenow-pull-order.ts';

/** An instance with one sorted table and a constant delay, so that the client is measured. */
process.once('message', (count: number) => {
  const records = Array.from({ length: count }, (_, index) => {
    const id = createHash('md5').update(String(index)).digest('hex');
    const number = `INC${String(index).padStart(7, '0')}`;
    const opened = new Date(Date.UTC(2020, 0, 1) + index * 37_000).toISOString().slice(0, 19).replace('T', ' ');
    const values = { number, opened_at: opened, state: String(index % 7), short_description: `Description ${index}` };
    return { id, text: JSON.stringify({ sys_id: id, ...values }) };
  }).sort((one, other) => (one.id < other.id ? -1 : 1));
  const firstBehind = (key: string, isBehind: (id: string) => boolean): number => {
    let [low, high] = [0, records.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBehind(records[middle]?.id ?? key)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const query = url.searchParams.get('sysparm_query') ?? '';
    const after = /sys_id>([0-9a-f]+)/.exec(query)?.[1];
    const from = /sys_id>=([0-9a-f]+)/.exec(query)?.[1];
    const below = /sys_id<([0-9a-f]+)/.exec(query)?.[1];
    const start =
      after !== undefined
        ? firstBehind(after, (id) => id > after)
        : from !== undefined
          ? firstBehind(from, (id) => id >= from)
          : Number(url.searchParams.get('sysparm_offset') ?? '0');
    const end = below === undefined ? records.length : firstBehind(below, (id) => id >= below);
    const limit = Number(url.searchParams.get('sysparm_limit') ?? '0');
    const page = records.slice(start, Math.min(end, start + limit)).map(({ text }) => text);
    const isCount = url.pathname.includes('/stats/');
    const body = isCount ? `{"result":{"stats":{"count":"${count}"}}}` : `{"result":[${page.join(',')}]}`;
    const isCounted = url.searchParams.get('sysparm_no_count') !== 'true';
    setTimeout(() => {
      response.writeHead(200, {
        'Content-Type': 'application/json;charset=UTF-8',
        ...(isCounted && { 'X-Total-Count': String(end - start) }),
      });
      response.end(body);
    }, latency);
  });
  server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
});
