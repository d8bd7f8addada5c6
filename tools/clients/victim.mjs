// A client that is killed in the middle of its calls: it prints the id of its server's process, and waits for answers.

import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [target, dir] = process.argv.slice(2);
const transport = target.startsWith('http')
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({command: target, args: ['serve', '--mcp', '--repo', dir, '--wait', '60s'], stderr: 'ignore'});
const client = new Client({name: 'victim', version: '1'});
await client.connect(transport);
const calls = Array.from({length: 4}, () => client.callTool({name: 'map', arguments: {}}));
console.log(transport.pid ?? 1);
await Promise.all(calls);
