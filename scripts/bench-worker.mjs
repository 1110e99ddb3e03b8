// Started by bench.mjs: runs one bench and writes its results as JSON.
import { writeFileSync } from 'node:fs';

const [bench, file] = process.argv.slice(2);
const { run } = await import(bench);
writeFileSync(file, JSON.stringify(await run()));
