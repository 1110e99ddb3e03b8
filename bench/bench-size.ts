/** `npm run bench -- --quick` leaves the largest sizes out: a few minutes instead of a good quarter of an hour. */
export const isQuick = process.env['ENTITY_GRAPH_BENCH_QUICK'] === '1';
