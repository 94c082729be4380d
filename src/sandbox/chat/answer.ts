import type { Exchange, Services } from '../http/routes.ts';
import type { ModelName } from './model-name.ts';
import type { Reply } from './reply.ts';
import type { ChatRequest } from './request.ts';
import type { WireHead } from './wire.ts';

/** An admitted request and its reply. */
export interface Answer {
  readonly exchange: Exchange;
  readonly services: Services;
  readonly request: ChatRequest;
  readonly name: ModelName;
  readonly reply: Reply;
  readonly head: WireHead;
  /** Debits the token of the request. */
  readonly charge: (tokens: number) => void;
}
