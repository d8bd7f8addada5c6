// The checks that hold over every transport and with every client. `here` is a connection as of lib.mjs to a server of
// small(), whose index is built.

import assert from 'node:assert/strict';
import Ajv from 'ajv';
import {table, text} from './lib.mjs';

const names = ['search', 'pack', 'expand', 'read', 'symbol', 'neighbors', 'tests_for', 'changes_for', 'map', 'rehydrate', 'status'];

// plain are the words of JSON Schema that every client takes.
const plain = new Set(['type', 'properties', 'required', 'items', 'description', 'enum', 'additionalProperties', 'minimum', 'maximum', 'default', '$schema']);

function words(schema, visit) {
  for (const [word, value] of Object.entries(schema)) {
    visit(word);
    if (word === 'properties') for (const inner of Object.values(value)) words(inner, visit);
    else if (word === 'items') words(value, visit);
  }
}

// listing: every tool is there, reads only, and has schemas that compile and are plain.
async function listing(here) {
  const tools = await here.tools();
  assert.deepEqual(tools.map(t => t.name).sort(), [...names].sort());
  const ajv = new Ajv({strict: true});
  for (const tool of tools) {
    assert.equal(tool.annotations.readOnlyHint, true, tool.name);
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      ajv.compile(schema);
      words(schema, word => assert(plain.has(word), `${tool.name}: the schema has ${word}`));
    }
    assert(tool.description.length > 20 && tool.description.length < 250, `${tool.name}: ${tool.description}`);
  }
  assert(here.client.getInstructions().includes('search'), 'the instructions');
}

// answers: the client itself holds structured content against the schema that was listed.
async function answers(here) {
  for (const [name, args, said, check] of [
    ['search', {query: 'Discount'}, 'shop.go:3-9', s => s.results[0].path === 'shop.go' && s.results[0].symbol === 'Discount'],
    ['pack', {task: 'Why does Checkout take the discount off twice?', budget: 2000}, 'func Checkout', s => s.blocks.length > 0 && s.tokens <= 2000],
    ['read', {location: 'Checkout'}, 'func Checkout', s => s.items.length === 1],
    ['symbol', {name: 'Discount', relation: 'callers'}, 'shop.go', s => s.items.length === 2],
    ['tests_for', {location: 'Discount'}, 'TestDiscount', s => (s.items || s.tests).length > 0],
    ['changes_for', {location: 'shop.go'}, 'Begin the shop', s => s.commits.length === 1],
    ['map', {}, 'shop.go', s => s.files >= 36],
    ['status', {}, 'generation', s => s.state === 'ready'],
  ]) {
    const r = await here.call(name, {...args, fresh: name === 'search' || name === 'read' || undefined});
    assert(!r.isError, `${name}: ${text(r)}`);
    assert(text(r).includes(said), `${name}: want ${said} in\n${text(r)}`);
    assert(check(r.structuredContent), `${name}: ${JSON.stringify(r.structuredContent)}`);
    assert(r._meta['agenvantage/index'].channels.length > 0 || !['search', 'pack'].includes(name), `${name}: no live channel`);
  }
}

// badInput: a model is told what was wrong, in a result that the client takes.
async function badInput(here) {
  for (const [name, args, said] of [
    ['search', {}, '"query" is needed'],
    ['search', {qery: 'x'}, 'qery'],
    ['search', {query: 7}, 'query'],
    ['search', {query: 'x', top_k: -1}, 'top_k'],
    ['search', {query: 'x', path: ['../../etc/**']}, 'below the root'],
    ['read', {location: '../../../../etc/passwd'}, 'root'],
    ['read', {location: '/etc/passwd'}, 'root'],
    ['symbol', {name: 'Discount', relation: 'friends'}, 'callers'],
    ['rehydrate', {source_id: 'nonsense'}, 'nonsense'],
  ]) {
    const r = await here.call(name, args);
    assert.equal(r.isError, true, `${name} ${JSON.stringify(args)}: ${text(r)}`);
    assert(text(r).includes(said) && !text(r).includes('root:x:'), `${name} ${JSON.stringify(args)}: want ${said} in ${text(r)}`);
  }
  await assert.rejects(here.call('no_such_tool', {}), /no_such_tool/);
}

// concurrency: 32 questions at once get their own answers.
async function concurrency(here) {
  const all = await Promise.all(Array.from({length: 32}, (_, i) => here.call('search', {query: `ship_zone_${i}`, fresh: true})));
  all.forEach((r, i) => {
    assert.equal(r.structuredContent.query, `ship_zone_${i}`);
    assert.equal(r.structuredContent.results[0].path, `zones/zone${i}.py`, text(r));
    assert(text(r).includes(`def ship_zone_${i}(`), text(r));
  });
}

// continuation: a file that is larger than an answer comes whole in several, each of them within its bounds.
async function continuation(here) {
  let cursor, whole = '', pages = 0;
  do {
    const r = await here.call('read', {location: 'rates/table.go', fresh: true, ...(cursor && {cursor})});
    assert(!r.isError, text(r));
    assert(Buffer.byteLength(text(r)) <= 64 << 10 && JSON.stringify(r.structuredContent).length <= 128 << 10, `page ${pages}: ${text(r).length} bytes`);
    whole += r.structuredContent.items.map(x => x.text).join('');
    cursor = r.structuredContent.next;
    pages++;
  } while (cursor && pages < 200);
  assert(pages > 1, 'all in one answer');
  assert.equal(whole.trimEnd(), table.trimEnd());

  const seen = new Set();
  cursor = undefined;
  for (let page = 0; page < 3; page++) {
    const r = await here.call('search', {query: 'rate of zone for parcels', top_k: 5, ...(cursor && {cursor})});
    for (const x of r.structuredContent.results) {
      const place = `${x.path}:${x.start_line}`;
      assert(!seen.has(place), `twice: ${place}`);
      seen.add(place);
    }
    cursor = r.structuredContent.next;
    assert(cursor, `page ${page} names no next`);
  }
}

// memory: what a conversation was sent comes as a reference, and whole again when it asks for that.
async function memory(here) {
  const ask = async more => text(await here.call('read', {location: 'shop.go', ...more}));
  assert((await ask({fresh: true})).includes('return total - Discount'));
  const again = await ask({});
  assert(again.includes('already sent') && !again.includes('return total - Discount'), again);
  assert((await ask({fresh: true})).includes('return total - Discount'));
}

export const checks = {listing, answers, badInput, concurrency, continuation, memory};

// cancellation: a call that waits for the index of a large repository is given up, and the server goes on. Over standard input and
// output it never answers that call; over HTTP an answer ends the stream of the request, and nothing else may be strange.
export async function cancellation(here, {answered}) {
  const abort = new AbortController();
  const waiting = here.call('map', {}, {signal: abort.signal});
  setTimeout(() => abort.abort(new Error('given up')), 100);
  await assert.rejects(waiting, /given up|abort/i);
  const r = await here.call('search', {query: 'Discount'});
  assert(!r.isError && text(r).includes('shop.go'), text(r));
  assert(text(r).includes('PARTIAL') && text(r).includes('index is being built'), text(r));
  assert.deepEqual(here.errors.filter(e => !(answered && e.includes('"kind":"canceled"') || e.includes('AbortError'))), []);
}
