import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };

/** An extension that uses the tools of this one as an agent does, because no model is at hand. */
export const agentCommands = {
  /** Calls `entity_graph_apply_edit` with the input, and shows a refusal as a message. */
  propose: 'Agent: Propose Edit',
  /** Starts the MCP server, and shows the names of all tools of this extension as a message. */
  list: 'Agent: List Tools',
} as const;

/** Has the input of the tool, in the folder that is open. */
export const inputFile = '.agent-input.json';

const server = `${packageJson.publisher}.${packageJson.name}/Entity Graph`;
const program = `const { commands, lm, window, workspace } = require('vscode');
const { readFileSync } = require('node:fs');
const show = (text) => void window.showInformationMessage(String(text));
exports.activate = () => {
  commands.registerCommand('agent.propose', () => {
    const input = JSON.parse(readFileSync(workspace.workspaceFolders[0].uri.fsPath + '/${inputFile}', 'utf8'));
    lm.invokeTool('entity_graph_apply_edit', { input, toolInvocationToken: undefined }).then(() => {}, show);
  });
  commands.registerCommand('agent.list', async () => {
    await commands.executeCommand('workbench.mcp.startServer', ${JSON.stringify(server)}).then(undefined, () => {});
    show('Tools: ' + (lm.tools.map(({ name }) => name).filter((name) => /entity_graph/.test(name)).sort().join(', ') || 'none'));
  });
};
`;

/** Adds the agent to a folder of extensions. A window that opens later has its commands. */
export function addAgent(extensionsFolder: string): void {
  const [name, version] = ['test.agent', '1.0.0'];
  const folder = join(extensionsFolder, `${name}-${version}`);
  mkdirSync(folder, { recursive: true });
  const command = (id: string, title: string) => ({
    command: id,
    title: title.replace('Agent: ', ''),
    category: 'Agent',
  });
  const manifest = {
    ...{ name: 'agent', publisher: 'test', version, engines: { vscode: '^1.95.0' }, main: './extension.js' },
    activationEvents: [],
    capabilities: { untrustedWorkspaces: { supported: true } },
    contributes: {
      commands: [command('agent.propose', agentCommands.propose), command('agent.list', agentCommands.list)],
    },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'extension.js'), program);
  const list = join(extensionsFolder, 'extensions.json');
  const installed = JSON.parse(readFileSync(list, 'utf8')) as readonly object[];
  const location = { $mid: 1, path: pathToFileURL(folder).pathname, scheme: 'file' };
  const own = { identifier: { id: name }, version, location, relativeLocation: `${name}-${version}` };
  writeFileSync(list, JSON.stringify([...installed, own]));
}
