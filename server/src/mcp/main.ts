import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createTerminal } from '../cli/terminal.ts';
import { serve } from './serve.ts';
import type { Permission } from './tool.ts';

/** `entity-graph mcp [DIR] [--allow reach,edit]`, without the rest of the command line, which takes memory. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(3),
    options: { allow: { type: 'string', multiple: true } },
    allowPositionals: true,
    strict: true,
  });
  const allowed = (values.allow ?? []).flatMap((each) => each.split(',')).map((each) => each.trim());
  const unknown = allowed.find((each) => each !== 'reach' && each !== 'edit');
  if (unknown !== undefined) throw new Error(`--allow takes reach, edit, or both with a comma, not "${unknown}".`);
  if (positionals.length > 1) throw new Error(`There is one argument too many: "${positionals[1]}".`);
  const { stdin, stdout } = process;
  await serve({
    // Texts of entity graphs have up to 16 MB, and twice as much in JSON.
    transport: new StdioServerTransport(stdin, stdout, { maxBufferSize: 64 * 2 ** 20 }),
    folder: positionals[0] ?? '.',
    allowed: new Set(allowed as readonly Permission[]),
    program: join(__dirname, 'cli.js'),
    environment: process.env,
  });
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const { stdout, stderr, env } = process;
    createTerminal(stdout, stderr, env).note(`entity-graph mcp: ${message}`);
    process.exit(2);
  },
);
