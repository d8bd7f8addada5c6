// A stand-in for the APIs of two models, on the loopback: it knows no language, and asks for the calls of a script one after the
// other, as a model would that has made up its mind. Both APIs are spoken as streams of server-sent events.

import {createServer} from 'node:http';

// model serves the script: a list of {tool, input}. It returns its address, what each call was answered (in the order of the
// script), the tools that the agent offered, and every path that was asked for.
export async function model(script, last) {
  const seen = {answers: [], tools: [], paths: [], address: '', close: () => {}};
  const server = createServer(async (question, answer) => {
    seen.paths.push(`${question.method} ${question.url}`);
    let text = '';
    for await (const part of question) text += part;
    const path = question.url.split('?')[0];
    if (question.method === 'POST' && path === '/v1/messages') messages(JSON.parse(text), answer, seen, script, last);
    else if (question.method === 'POST' && path === '/v1/responses') responses(JSON.parse(text), answer, seen, script, last);
    else {
      answer.writeHead(404, {'Content-Type': 'application/json'});
      answer.end('{"type":"error","error":{"type":"not_found_error","message":"not here"}}');
    }
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  seen.address = `http://127.0.0.1:${server.address().port}`;
  seen.close = () => new Promise(done => {
    server.close(done);
    server.closeAllConnections();
  });
  return seen;
}

function stream(answer, events) {
  answer.writeHead(200, {'Content-Type': 'text/event-stream'});
  for (const e of events) answer.write(`event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`);
  answer.end();
}

const textOf = content => typeof content === 'string' ? content : (content || []).map(c => c.text ?? '').join('');

// messages is Anthropic's API. Requests without tools are the agent's own (a title, a check of the connection).
function messages(body, answer, seen, script, last) {
  const results = body.messages.flatMap(m => Array.isArray(m.content) ? m.content : []).filter(c => c.type === 'tool_result');
  const working = (body.tools || []).some(t => t.name.startsWith('mcp__agenvantage__'));
  if ((body.tools || []).length > 0) seen.tools = body.tools;
  if (working) {
    seen.answers = results.map(r => ({error: !!r.is_error, text: textOf(r.content)}));
  }
  const next = working ? script[results.length] : undefined;
  const block = next ? {type: 'tool_use', id: `toolu_${results.length}`, name: next.tool, input: {}} : {type: 'text', text: ''};
  const delta = next ? {type: 'input_json_delta', partial_json: JSON.stringify(next.input)} : {type: 'text_delta', text: last};
  const usage = {input_tokens: 1, output_tokens: 1};
  const message = {id: 'msg_1', type: 'message', role: 'assistant', model: body.model, content: [], stop_reason: null, stop_sequence: null, usage};
  const stop_reason = next ? 'tool_use' : 'end_turn';
  if (!body.stream) {
    const content = next ? {...block, input: next.input} : {...block, text: last};
    answer.writeHead(200, {'Content-Type': 'application/json'});
    answer.end(JSON.stringify({...message, content: [content], stop_reason}));
    return;
  }
  stream(answer, [
    {type: 'message_start', message},
    {type: 'content_block_start', index: 0, content_block: block},
    {type: 'content_block_delta', index: 0, delta},
    {type: 'content_block_stop', index: 0},
    {type: 'message_delta', delta: {stop_reason, stop_sequence: null}, usage},
    {type: 'message_stop'},
  ]);
}

// responses is OpenAI's API.
function responses(body, answer, seen, script, last) {
  const results = body.input.filter(x => x.type === 'function_call_output');
  seen.tools = body.tools || [];
  seen.answers = results.map(r => ({error: false, text: typeof r.output === 'string' ? r.output : textOf(r.output)}));
  const next = script[results.length];
  const item = next
    ? {type: 'function_call', id: `fc_${results.length}`, call_id: `call_${results.length}`, status: 'completed', arguments: JSON.stringify(next.input), ...next.named}
    : {type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{type: 'output_text', text: last, annotations: []}]};
  const response = {id: `resp_${results.length}`, object: 'response', model: body.model, status: 'completed', output: [item],
    usage: {input_tokens: 1, input_tokens_details: {cached_tokens: 0}, output_tokens: 1, output_tokens_details: {reasoning_tokens: 0}, total_tokens: 2}};
  stream(answer, [
    {type: 'response.created', response: {...response, status: 'in_progress', output: []}},
    {type: 'response.output_item.added', output_index: 0, item},
    {type: 'response.output_item.done', output_index: 0, item},
    {type: 'response.completed', response},
  ]);
}
