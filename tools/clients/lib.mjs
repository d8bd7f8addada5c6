// What the checks share: the program, repositories to serve, clients of two implementations, and ways to wait.

import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {Client as Client1} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport as Stdio1} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport as HTTP1} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {Client as Client2, StreamableHTTPClientTransport as HTTP2} from '@modelcontextprotocol/client';
import {StdioClientTransport as Stdio2} from '@modelcontextprotocol/client/stdio';

export const here = dirname(fileURLToPath(import.meta.url));

// program is what `make build` makes, or what AGENVANTAGE_TEST_BINARY names.
export const program = resolve(process.env.AGENVANTAGE_TEST_BINARY || join(here, '../../bin/agenvantage'));
if (!existsSync(program)) throw new Error(`${program} is missing: make build`);

const left = new WeakMap(); // of a test: what has to be done after it

// later has something done after a test, the last first, as a server has to end before its folder is removed.
export function later(t, what) {
  if (!left.has(t)) {
    left.set(t, []);
    t.after(async () => {
      for (const last of left.get(t).reverse()) await last();
    });
  }
  left.get(t).push(what);
}

// folder is a new folder that is removed after a test.
export function folder(t) {
  const dir = mkdtempSync(join(tmpdir(), 'agenvantage-clients-'));
  later(t, () => rmSync(dir, {recursive: true, force: true, maxRetries: 5}));
  return dir;
}

function git(dir, ...args) {
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'core.hooksPath=/dev/null', ...args], {cwd: dir, stdio: 'pipe'});
}

// commit makes a repository of files by name and returns its folder.
function commit(dir, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), {recursive: true});
    writeFileSync(join(dir, name), text);
  }
  git(dir, 'init', '-q', '-b', 'main');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '-m', 'Begin the shop');
  return dir;
}

export const shop = `package shop

// Discount is the share of a price that a customer is let off.
func Discount(total int) int {
	if total > 100 {
		return 10
	}
	return 0
}

// Checkout sums a basket and takes the discount off.
func Checkout(prices []int) int {
	total := 0
	for _, p := range prices {
		total += p
	}
	return total - Discount(total)
}
`;

// table is a file of which no answer holds the whole.
export const table = 'package shop\n' + Array.from({length: 600}, (_, i) => `
// Rate${i} is the rate of zone ${i}, for parcels up to ${i + 7} kilograms.
func Rate${i}(weight int) int {
	return weight*${i} + ${i * 3}
}
`).join('');

// small is a repository of a few files; each of the names ship_zone_0 to ship_zone_31 is in one of them.
export function small(t) {
  const files = {'go.mod': 'module shop\n\ngo 1.24\n', 'shop.go': shop, 'rates/table.go': table};
  files['shop_test.go'] = `package shop

import "testing"

func TestDiscount(t *testing.T) {
	if Discount(200) != 10 {
		t.Fatal("no discount")
	}
}
`;
  for (let i = 0; i < 32; i++) files[`zones/zone${i}.py`] = `def ship_zone_${i}(parcels):\n    return [p for p in parcels if p.zone == ${i}]\n`;
  return commit(folder(t), files);
}

// large is a repository whose first index run takes seconds.
export function large(t) {
  const files = {'shop.go': shop};
  for (let i = 0; i < 1500; i++) {
    files[`src/d${i % 40}/m${i}.py`] = Array.from({length: 12}, (_, k) => `def step_${i}_${k}(value):\n    return value + step_${(i + 1) % 1500}_${k}(value - ${k})\n`).join('\n');
  }
  return commit(folder(t), files);
}

// index builds the index, so that answers do not depend on how far it is.
export function index(dir) {
  execFileSync(program, ['index', '--repo', dir], {stdio: 'pipe'});
  return dir;
}

// until waits for a condition. It fails after ms, which is a bound against hanging and no measurement.
export async function until(what, condition, ms = 20_000) {
  for (const end = Date.now() + ms; ;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) assert.fail(`waited ${ms} ms in vain: ${what}`);
    await new Promise(done => setTimeout(done, 20));
  }
}

export function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// ended waits for the exit of a process that was started here.
export const ended = child => new Promise(done => child.exitCode !== null || child.signalCode !== null ? done() : child.once('exit', done));

// serveHTTP starts `serve --http` on a free port and returns its address and its process.
export async function serveHTTP(t, dir, ...flags) {
  const child = spawn(program, ['serve', '--http', '127.0.0.1:0', '--repo', dir, ...flags], {stdio: ['ignore', 'pipe', 'inherit']});
  later(t, () => {
    child.kill('SIGTERM');
    return ended(child);
  });
  const address = await new Promise((done, fail) => {
    child.stdout.once('data', line => done(String(line).trim()));
    child.once('exit', code => fail(new Error(`serve --http ended with ${code}`)));
  });
  return {address, child};
}

// clients are two implementations of the protocol, the second one in each of its ways to agree on a version. protocols are those
// that may be agreed on; the first implementation does not tell.
export const clients = [
  {
    name: 'sdk 1', protocols: [undefined], Stdio: Stdio1, HTTP: HTTP1,
    make: () => new Client1({name: 'checks', version: '1'}),
    call: (client, params, options) => client.callTool(params, undefined, options),
    version: () => undefined,
  },
  ...[
    {name: 'sdk 2', options: {}, protocols: ['2025-11-25']},
    {name: 'sdk 2, oldest protocol', options: {supportedProtocolVersions: ['2024-11-05']}, protocols: ['2024-11-05']},
    {name: 'sdk 2, newest protocol', options: {versionNegotiation: {mode: 'auto'}}, protocols: ['2026-07-28'], httpProtocols: ['2025-11-25', '2026-07-28']},
  ].map(kind => ({
    ...kind, Stdio: Stdio2, HTTP: HTTP2,
    make: () => new Client2({name: 'checks', version: '1'}, kind.options),
    call: (client, params, options) => client.callTool(params, options),
    version: client => client.getNegotiatedProtocolVersion(),
  })),
];

// connect connects a client over a transport. errors collects what the client could not make sense of: lines that are no protocol,
// answers to questions that it did not ask.
export async function connect(t, kind, transport) {
  const client = kind.make(), errors = [];
  client.onerror = e => errors.push(String(e));
  later(t, async () => {
    const {pid} = transport;
    await client.close();
    if (pid) await until(`end of ${pid}`, () => !alive(pid));
  });
  await client.connect(transport);
  return {
    client, transport, errors,
    tools: async () => (await client.listTools()).tools,
    call: (name, args, options) => kind.call(client, {name, arguments: args}, options),
  };
}

export const overStdio = (t, kind, dir, ...flags) =>
  connect(t, kind, new kind.Stdio({command: program, args: ['serve', '--mcp', '--repo', dir, ...flags], stderr: 'ignore'}));

export const overHTTP = (t, kind, address) => connect(t, kind, new kind.HTTP(new URL(address + '/mcp')));

// text is the text of a result.
export const text = result => result.content.map(c => c.text).join('');
