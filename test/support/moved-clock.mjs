// Loaded before a program (`--import`): shifts its clock by hours, as ENTITY_GRAPH_CLOCK says. `+5` is constant;
// `0,+5,-7` changes cyclically with each reading. Monotonic clocks, such as `performance.now()`, are unchanged.
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
