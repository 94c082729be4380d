import type { ServerResponse } from 'node:http';
import { type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import { type JsonText, lengthOfJson, stringifyInPieces } from '../../lib/json-pieces.ts';
import type { Pauses } from '../../lib/pauses.ts';
import type { OperationStages } from '../operation/operation-stages.ts';
import type { JsonPost } from './json-post.ts';

/**
 * Answers a query or mutation without Yoga's HTTP layer. Returns false without a reply for everything else: subscriptions,
 * invalid operations, and results with errors. Yoga then answers from the same stages, so all errors look the same.
 */
export async function answerPost(
  { params, mediaType }: JsonPost,
  stages: OperationStages,
  { response, pauses }: { readonly response: ServerResponse; readonly pauses: Pauses },
): Promise<boolean> {
  try {
    const operation = getOperationAST(stages.document(), params.operationName);
    if (operation?.operation === OperationTypeNode.SUBSCRIPTION || stages.errors().length > 0) return false;
    const answer = await stages.answer();
    if (typeof answer === 'string') {
      sendText(response, answer, mediaType);
      return true;
    }
    if (answer.errors || answer.extensions) return false;
    sendText(response, await toText(answer, stages.isLarge(), pauses), mediaType);
    return true;
  } catch {
    // Yoga gets the same error from the stages, and reports it.
    return false;
  }
}

async function toText(result: ExecutionResult, isLarge: boolean, pauses: Pauses): Promise<JsonText> {
  if (!isLarge) return JSON.stringify(result);
  await pauses.beginAnswer();
  return stringifyInPieces(result, pauses);
}

function sendText(response: ServerResponse, text: JsonText, mediaType: string): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(200, {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'content-length': typeof text === 'string' ? Buffer.byteLength(text) : lengthOfJson(text),
  });
  if (typeof text === 'string') response.write(text);
  else for (const piece of text) response.write(piece);
  response.end();
}
