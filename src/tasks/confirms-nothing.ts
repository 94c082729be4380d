import { hasFailureCode, isErrorBody, isSuccessCode, saysSuccess } from '../gateway/decode-error.ts';
import { isBlank, type Json } from '../lib/json.ts';
import { asText, openEnvelope } from './task-record.ts';

/** Whether a reply without a result says nothing, reports an error, or has words but none for success. */
export function confirmsNothing(reply: Json): boolean {
  return isBlank(reply) || isErrorBody(reply) || hasFailureCode(reply) || saysOther(reply);
}

/** Words other than those for success may be the reason of a failure. */
function saysOther(reply: Json): boolean {
  const { outer, inner } = openEnvelope(reply);
  if (saysSuccess(outer) || saysSuccess(inner)) return false;
  return [outer, inner].some((members) =>
    Object.entries(members).some(([name, value]) => wordNames.test(name) && !isSuccessCode(asText(value))),
  );
}

const wordNames = /(message|msg|detail|reason|description)$/i;
