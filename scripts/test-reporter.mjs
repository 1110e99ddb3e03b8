import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';

/**
 * mocha's spec output, and one line a finished test (`passed`, `failed` or `skipped`) in the file that
 * `--reporter-option counts=FILE` names, so that a run that is stopped is still counted; `end` is its last line.
 */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = options.reporterOptions.counts;
    const note = (word) => appendFileSync(file, `${word}\n`);
    runner.on('pass', () => note('passed'));
    runner.on('fail', () => note('failed'));
    runner.on('pending', () => note('skipped'));
    runner.once('end', () => note('end'));
  }
}
