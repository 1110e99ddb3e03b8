// The program of the server of VS Code 1.93, which the package `code-server` contains without one. Copied beside its
// server-main.js by vscode-install.mjs; takes its options as newer servers do.
'use strict';
const { createServer } = require('node:http');
const { join } = require('node:path');
const { parseArgs } = require('node:util');

const { loadCodeWithNls } = require(join(__dirname, 'server-main.js'));

async function start() {
  const { spawnCli, createServer: createHandler } = await loadCodeWithNls();
  const options = { host: { type: 'string' }, port: { type: 'string' }, 'install-extension': { type: 'string' } };
  const { values } = parseArgs({ options, strict: false });
  if (values['install-extension'] !== undefined) return spawnCli();
  const server = createServer();
  await new Promise((resolve) => server.listen(Number(values.port), values.host, resolve));
  const handler = await createHandler(server.address());
  server.on('request', (request, response) => handler.handleRequest(request, response));
  server.on('upgrade', (request, socket) => handler.handleUpgrade(request, socket));
  server.on('error', (error) => handler.handleServerError(error));
  // The line that newer servers print.
  console.log(`Extension host agent listening on ${server.address().port}`);
}

void start();
