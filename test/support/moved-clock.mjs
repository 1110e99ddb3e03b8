// Loaded before a program (`--import`): its clock is set back and forth by hours, as ENTITY_GRAPH_CLOCK says. `+5` is five hours ahead all the
// time; `0,+5,-7` is another one at each reading, over and over. What counts time without a clock, such as `performance.now()`, goes on as ever.
const offsets = (process.env.ENTITY_GRAPH_CLOCK ?? '0').split(',').map((hours) => Number(hours) * 3_600_000);
const RealDate = Date;
let readings = 0;

function now() {
  return RealDate.now() + offsets[readings++ % offsets.length];
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args));
  }

  static now() {
    return now();
  }
};
