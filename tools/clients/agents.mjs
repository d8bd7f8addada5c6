// Real coding agents, set up by `agenvantage setup` in a home folder of their own, without an account: they say that the server is
// connected, and driven by a stand-in for their model they call search and pack and hand the answers on. `make agents` runs them.

import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {folder, here, later, program, small} from './lib.mjs';
import {model} from './model.mjs';

const bin = name => {
  const path = join(here, 'agents/node_modules/.bin', name);
  assert(existsSync(path), `${name} is missing: npm --prefix tools/clients/agents ci`);
  return path;
};

// run runs a program to its end, within a minute and without anything on its input. A failure shows what it printed.
const run = (dir, env, command, ...args) => new Promise((done, fail) => {
  const child = execFile(command, args, {cwd: dir, env, timeout: 60_000, maxBuffer: 64 << 20}, (error, out, err) => {
    if (error) fail(new Error(`${command} ${args.join(' ')}: ${error.message}\n${out}\n${err}`));
    else done(out);
  });
  child.stdin.end();
});

// machine is a repository and a home folder in which agents find nothing but what setup writes. The environment is made anew, so that
// no key and no setting of the person who runs this gets in.
function machine(t) {
  const dir = small(t), home = folder(t);
  mkdirSync(join(home, '.codex'));
  const env = {
    PATH: process.env.PATH, HOME: home, NO_PROXY: '127.0.0.1', LANG: 'C.UTF-8',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1',
  };
  return {dir, home, env};
}

const script = [
  {tool: 'mcp__agenvantage__search', named: {namespace: 'mcp__agenvantage', name: 'search'}, input: {query: 'Discount'}},
  {tool: 'mcp__agenvantage__pack', named: {namespace: 'mcp__agenvantage', name: 'pack'}, input: {task: 'Why does Checkout take the discount off twice?', budget: 1500}},
];
const last = 'It is taken off once.';

// handedOn checks what the model was told: the text of the answers, as it is meant to be read.
function handedOn(seen) {
  assert.equal(seen.answers.length, 2, JSON.stringify(seen.answers));
  for (const [i, parts] of [['shop.go:3-9', 'func Discount(total int) int'], ['# Evidence', 'func Checkout(prices []int) int', 'of 1500 tokens']].entries()) {
    const {error, text} = seen.answers[i];
    assert(!error, text);
    for (const part of parts) assert(text.includes(part), `answer ${i}: want ${part} in\n${text}`);
    assert(/\[channels: .*\]/.test(text), `answer ${i} does not say what it rests on:\n${text}`);
    assert(!text.includes('"config_hash"') && !text.includes('"pack_id"'), `answer ${i} is JSON:\n${text}`);
  }
}

test('Claude Code', async t => {
  const {dir, home, env} = machine(t), claude = bin('claude');
  t.diagnostic(await run(dir, env, claude, '--version'));
  await run(dir, env, program, 'setup', 'claude-code', '--scope', 'user');
  assert(existsSync(join(home, '.claude.json')));
  assert(readFileSync(join(home, '.claude/CLAUDE.md'), 'utf8').includes('agenvantage'));
  assert.match(await run(dir, env, claude, 'mcp', 'list'), /^agenvantage: .*serve --mcp.*Connected/m);

  const seen = await model(script, last);
  later(t, seen.close);
  const out = await run(dir, {...env, ANTHROPIC_BASE_URL: seen.address, ANTHROPIC_API_KEY: 'none'}, claude,
    '-p', 'Why is the discount taken off twice?', '--output-format', 'json', '--allowedTools', script.map(s => s.tool).join(','));
  assert.equal(JSON.parse(out).result, last);
  handedOn(seen);
  // In view from the start, without a question to the client for its tools.
  for (const {tool} of script) assert(seen.tools.some(x => x.name === tool && x.input_schema.properties), seen.tools.map(x => x.name).join());

  await run(dir, env, program, 'setup', 'claude-code', '--scope', 'user', '--remove');
  assert.doesNotMatch(await run(dir, env, claude, 'mcp', 'list'), /agenvantage/);
});

test('Codex', async t => {
  const {dir, home, env} = machine(t), codex = bin('codex');
  t.diagnostic(await run(dir, env, codex, '--version'));
  await run(dir, env, program, 'setup', 'codex');
  assert(readFileSync(join(home, '.codex/config.toml'), 'utf8').includes('[mcp_servers.agenvantage]'));
  assert.match(await run(dir, env, codex, 'mcp', 'list'), /^agenvantage .*serve --mcp.* enabled/m);

  const seen = await model(script, last);
  later(t, seen.close);
  const settings = {
    model_provider: 'standin', model: 'standin-1', 'model_providers.standin.name': 'standin', 'model_providers.standin.base_url': `${seen.address}/v1`,
    'model_providers.standin.wire_api': 'responses', 'model_providers.standin.env_key': 'STANDIN_KEY',
  };
  const out = await run(dir, {...env, STANDIN_KEY: 'none'}, codex, 'exec', '--json',
    ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]), 'Why is the discount taken off twice?');
  const items = out.trim().split('\n').map(line => JSON.parse(line)).filter(x => x.type === 'item.completed').map(x => x.item);
  assert.deepEqual(items.filter(x => x.type === 'mcp_tool_call').map(x => `${x.server} ${x.tool} ${x.status}`), ['agenvantage search completed', 'agenvantage pack completed']);
  assert.equal(items.at(-1).text, last);
  handedOn(seen);

  await run(dir, env, program, 'setup', 'codex', '--remove');
  assert.doesNotMatch(await run(dir, env, codex, 'mcp', 'list'), /agenvantage/);
});
