import { type FakeGateway, sendEvents, startFakeGateway } from './fake-gateway.ts';
import { createInbox } from './inbox.ts';
import { words } from './scripted-gateway.ts';

/** A gateway that knows creates by a text such as `intent-1` or `intent-1-2` in their body. */
interface CountingGateway extends FakeGateway {
  /** Number of requests with this text. */
  count(text: string): number;
  waitForRequests(total: number): Promise<unknown>;
}

/** Answers each request after a random delay and records its text. */
export async function startCountingGateway(random: () => number): Promise<CountingGateway> {
  const texts = createInbox<string>();
  const gateway = await startFakeGateway((_request, response, body) => {
    texts.push(/intent-\d+(?:-\d+)?/.exec(body)?.[0] ?? 'none');
    setTimeout(
      () => {
        if (body.includes('gpt_description_prompt'))
          response.end(JSON.stringify({ code: 'success', data: `song-${texts.all.length}` }));
        else if (body.includes('"stream":true')) sendEvents(response, [...words('a', 'b'), '[DONE]']);
        else response.end(JSON.stringify({ choices: [{ message: { content: 'whole' } }] }));
      },
      Math.floor(random() * 40),
    );
  });
  return {
    ...gateway,
    count: (text) => texts.all.filter((known) => known === text).length,
    waitForRequests: (total) => texts.when((all) => all.length >= total),
  };
}
