import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { explainStart } from '../../src/explain-start.ts';
import { composeSupergraph, readSdl } from '../../test/support/federation/compose.ts';
import { startHiveGateway } from '../../test/support/federation/hive-gateway.ts';
import { startReviewsSubgraph } from '../../test/support/federation/reviews-subgraph.ts';
import { postJson } from '../../test/support/http.ts';

/**
 * `npm run federation` runs Gengraph, a second subgraph with reviews, and Hive Gateway in one process. Accepts Gengraph's
 * settings, NEIGHBOUR_PORT (of the reviews subgraph) and ROUTER_PORT.
 */
const { NEIGHBOUR_PORT = '4001', ROUTER_PORT = '4002', LOG_LEVEL = 'warn' } = process.env;
const { app, reviewsSubgraph, gateway } = await start().catch((error: unknown) => {
  const ports = 'PORT, SANDBOX_PORT, NEIGHBOUR_PORT or ROUTER_PORT';
  process.stderr.write(`${explainStart(error, ports)}\n`);
  process.exit(1);
});
const own = `${app.url}/graphql`;

const authorization = `Bearer ${app.sandbox?.apiKey ?? '<your API key>'}`;
const query = '{ reviews { edges { node { stars generation { prompt status headline } } } } }';
const socketUrl = gateway.url.replace('http', 'ws');
process.stdout.write(`
Gengraph       ${own}
Reviews        ${reviewsSubgraph.url}   (a second subgraph, with reviews of generations)
Hive Gateway   ${gateway.url}   (both as one graph; WebSocket at ${socketUrl})

Create a generation through the gateway:

curl -s ${gateway.url} -H 'authorization: ${authorization}' -H 'content-type: application/json' \\
  -d '{"query": "mutation { startChat(input: {model: \\"gpt-4o\\", messages: [{role: USER, content: {text: \\"Hello\\"}}]}) { ... on Generation { id status stars } } }"}'

Then run a query that starts at the reviews subgraph and joins fields of both:

curl -s ${gateway.url} -H 'authorization: ${authorization}' -H 'content-type: application/json' \\
  -d '{"query": "${query}"}'
`);
if (app.sandbox) await showAnswer();

async function start() {
  const app = await createApp(loadConfig({ ...process.env, LOG_LEVEL }));
  const reviewsSubgraph = await startReviewsSubgraph(Number(NEIGHBOUR_PORT));
  const url = `${app.url}/graphql`;
  const supergraph = composeSupergraph([
    { name: 'gengraph', url, sdl: await readSdl(url) },
    { name: 'reviews', url: reviewsSubgraph.url, sdl: await readSdl(reviewsSubgraph.url) },
  ]);
  return { app, reviewsSubgraph, gateway: await startHiveGateway(supergraph, { port: Number(ROUTER_PORT) }) };
}

async function showAnswer(): Promise<void> {
  const headers = { authorization };
  const start = `mutation { startChat(input: {model: "gpt-4o", messages: [{role: USER, content: {text: "Hello"}}]}) { ... on Generation { id } } }`;
  const { json } = await postJson(gateway.url, { query: start }, headers);
  const { startChat } = json.data as { startChat: { id: string } }; // The sandbox accepts this request.
  const { id } = startChat;
  reviewsSubgraph.reviews.push({ id: 'review_0', stars: 5, generation: id });
  await postJson(gateway.url, { query: `{ awaitGeneration(by: { id: "${id}" }) { status } }` }, headers);
  const answer = await postJson(gateway.url, { query }, headers);
  process.stdout.write(
    `\nOne reviewed generation exists already, so the query returns:\n\n${JSON.stringify(answer.json, null, 2)}\n`,
  );
}

const stop = async (): Promise<void> => {
  await gateway[Symbol.asyncDispose]();
  await reviewsSubgraph[Symbol.asyncDispose]();
  await app.close();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stop().finally(() => process.exit()));
}
