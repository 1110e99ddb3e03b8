// Loaded before a program (`--import`): its clock begins at a fixed time and runs at a thousandth of the speed, so that
// times in pictures are the same to the minute. Times still differ, as locks and names need. Monotonic clocks, such as
// `performance.now()`, are unchanged.
const RealDate = Date;
const start = RealDate.parse('2026-11-19T14:02:00Z');
const begun = performance.timeOrigin;

function now() {
  return start + (RealDate.now() - begun) / 1000;
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args));
  }

  static now() {
    return Math.floor(now());
  }
};
