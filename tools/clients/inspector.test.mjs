// The command line of the MCP Inspector, which is what people check a server with.

import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {test} from 'node:test';
import {folder, here, index, program, serveHTTP, small} from './lib.mjs';

const inspector = join(here, 'node_modules/.bin/mcp-inspector');

// inspect runs the Inspector and returns its exit code and outputs. Its home is a folder of its own: it keeps a catalogue there.
const inspect = (home, target, ...args) => new Promise(done => {
  execFile(process.execPath, [inspector, '--cli', ...target, ...args], {env: {...process.env, HOME: home}, maxBuffer: 16 << 20},
    (error, out, err) => done({code: error ? error.code : 0, out, err}));
});

const call = (tool, ...pairs) => ['--method', 'tools/call', '--tool-name', tool, ...pairs.flatMap(p => ['--tool-arg', p])];

test('the Inspector', async t => {
  const dir = index(small(t)), home = folder(t);
  const {address} = await serveHTTP(t, dir);
  for (const [name, target] of [['standard input and output', [program, 'serve', '--mcp', '--repo', dir]], ['HTTP', [address + '/mcp', '--transport', 'http']]]) {
    const ok = async (...args) => {
      const r = await inspect(home, target, ...args);
      assert.equal(r.code, 0, r.err);
      return JSON.parse(r.out);
    };
    await t.test(`tools over ${name}: no schema that some client would not take`, async () => {
      const r = await inspect(home, target, '--method', 'tools/list', '--strict');
      assert.equal(r.code, 0, r.err);
      assert.doesNotMatch(r.err, /portab/i);
      assert.equal(JSON.parse(r.out).tools.length, 11);
    });
    await t.test(`calls over ${name}`, async () => {
      for (const [tool, pairs, said] of [
        ['search', ['query=Discount', 'top_k=3', 'path=["*.go"]'], 'shop.go:3-9'],
        ['pack', ['task=Why does Checkout take the discount off twice?', 'budget=1500'], 'func Checkout'],
        ['read', ['location=shop.go:1-4'], 'package shop'],
        ['symbol', ['name=Checkout'], 'shop.go'],
        ['map', [], 'shop.go'],
        ['status', [], 'generation'],
      ]) {
        const r = await ok(...call(tool, ...pairs));
        assert(r.content[0].text.includes(said), `${tool}: ${r.content[0].text}`);
      }
    });
    await t.test(`bad input over ${name}: the reason is shown`, async () => {
      const r = await inspect(home, target, ...call('search', 'qery=x'));
      assert.notEqual(r.code, 0);
      assert.match(r.out + r.err, /qery/);
      assert.notEqual((await inspect(home, target, ...call('no_such_tool'))).code, 0);
    });
  }
});
