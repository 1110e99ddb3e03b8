// Started by bench.mjs: runs one bench, prints its results and writes them as JSON.
import { writeFileSync } from 'node:fs';
import { describeResult } from '../bench/describe-result.ts';

const [bench, file] = process.argv.slice(2);
const { run } = await import(bench);
const results = await run();
for (const result of results) console.log(`  ${describeResult(result)}`);
writeFileSync(file, JSON.stringify(results));
