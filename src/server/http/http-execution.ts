import { createCompiledQueries } from '../operation/compiled/compiled-queries.ts';
import { answerPost } from './answer-post.ts';
import { type JsonPost, readJsonPost } from './json-post.ts';
import { createStages, type HttpExchange, type StagesOptions } from '../operation/operation-stages.ts';
import { createYogaHandler } from './yoga.ts';

/** Answers GraphQL requests over HTTP: the common form in the fast way, all others by Yoga. */
export function createHttpExecution(
  shared: Omit<StagesOptions, 'queries'>,
): (exchange: HttpExchange) => Promise<void> {
  const options = { ...shared, queries: createCompiledQueries(shared.schema) };
  const yoga = createYogaHandler(options);
  return async (exchange) => {
    const { req, res } = exchange;
    const post = findJsonPost(exchange);
    if (!post) return yoga(req, res, { ...exchange });
    const stages = createStages(options, exchange, post.params);
    if (!(await answerPost(post, stages, { response: res, pauses: options.engine.pauses })))
      await yoga(req, res, { ...exchange, stages });
  };
}

function findJsonPost({ req, res, readJson }: HttpExchange): JsonPost | undefined {
  try {
    return readJsonPost(req, { acceptedRanges: res.acceptedRanges, readJson });
  } catch {
    return undefined; // Yoga reports malformed JSON.
  }
}
