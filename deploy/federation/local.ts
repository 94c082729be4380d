import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { composeSupergraph, readSdl } from '../../test/support/federation/compose.ts';
import { startHiveGateway } from '../../test/support/federation/hive-gateway.ts';
import { startNeighbour } from '../../test/support/federation/neighbour.ts';
import { postJson } from '../../test/support/http.ts';

/**
 * `npm run federation`: Gengraph, a neighbour that reviews what it makes, and Hive Gateway before both, on one machine.
 * Takes Gengraph's settings, and NEIGHBOUR_PORT and ROUTER_PORT.
 */
const { NEIGHBOUR_PORT = '4001', ROUTER_PORT = '4002', LOG_LEVEL = 'warn' } = process.env;
const app = await createApp(loadConfig({ ...process.env, LOG_LEVEL }));
const neighbour = await startNeighbour(Number(NEIGHBOUR_PORT));
const own = `${app.url}/graphql`;
const supergraph = composeSupergraph([
  { name: 'gengraph', url: own, sdl: await readSdl(own) },
  { name: 'reviews', url: neighbour.url, sdl: await readSdl(neighbour.url) },
]);
const gateway = await startHiveGateway(supergraph, { port: Number(ROUTER_PORT) });

const authorization = `Bearer ${app.sandbox?.apiKey ?? '<your API key>'}`;
const query = '{ reviews { edges { node { stars generation { prompt status headline } } } } }';
const socketUrl = gateway.url.replace('http', 'ws');
process.stdout.write(`
Gengraph       ${own}
A neighbour    ${neighbour.url}   (reviews what Gengraph makes)
Hive Gateway   ${gateway.url}   (both as one graph; WebSocket at ${socketUrl})

Make something to review, through the gateway:

curl -s ${gateway.url} -H 'authorization: ${authorization}' -H 'content-type: application/json' \\
  -d '{"query": "mutation { startChat(input: {model: \\"gpt-4o\\", messages: [{role: USER, content: {text: \\"Hello\\"}}]}) { ... on Generation { id status stars } } }"}'

Then this, which begins at the neighbour and crosses to Gengraph and back:

curl -s ${gateway.url} -H 'authorization: ${authorization}' -H 'content-type: application/json' \\
  -d '{"query": "${query}"}'
`);
if (app.sandbox) await showAnswer();

async function showAnswer(): Promise<void> {
  const headers = { authorization };
  const start = `mutation { startChat(input: {model: "gpt-4o", messages: [{role: USER, content: {text: "Hello"}}]}) { ... on Generation { id } } }`;
  const { json } = await postJson(gateway.url, { query: start }, headers);
  const { startChat } = json.data as { startChat: { id: string } }; // A sandbox does not refuse it.
  const { id } = startChat;
  neighbour.reviews.push({ id: 'review_0', stars: 5, generation: id });
  await postJson(gateway.url, { query: `{ awaitGeneration(id: "${id}") { status } }` }, headers);
  const answer = await postJson(gateway.url, { query }, headers);
  process.stdout.write(
    `\nOne is made and reviewed already, so it answers:\n\n${JSON.stringify(answer.json, null, 2)}\n`,
  );
}

const stop = async (): Promise<void> => {
  await gateway[Symbol.asyncDispose]();
  await neighbour[Symbol.asyncDispose]();
  await app.close();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stop().finally(() => process.exit()));
}
