import type { Dice } from '../../random.ts';
import type { Conversation } from './conversation.ts';
import { chineseBodies, chineseClosers, chineseGreetings, chineseOpeners } from './phrases-zh.ts';
import { createDeck, fill } from './sentences.ts';

/** The reply to a prompt in Chinese. */
export function writeChinese({ prompt, userName }: Conversation, dice: Dice): string {
  const name = userName === undefined ? '' : `，${userName}`;
  if (/^\s*(你好|您好|早上好|晚上好|嗨)/.test(prompt) && prompt.length <= 20)
    return fill(dice.pick(chineseGreetings), { name });
  const slots = { t: findChineseTopic(prompt) };
  const body = createDeck(chineseBodies, slots, dice);
  const isLong = /文章|作文|故事|详细|长文|\d+\s*字/.test(prompt);
  const paragraphs = [fill(dice.pick(chineseOpeners), slots)];
  for (let at = 0; at < (isLong ? 6 : 1); at += 1) {
    paragraphs.push(body() + body() + (isLong ? body() : ''));
  }
  paragraphs.push(dice.pick(chineseClosers));
  const greeting = userName === undefined ? '' : `${userName}，`;
  return greeting + paragraphs.join(isLong ? '\n\n' : '');
}

function findChineseTopic(prompt: string): string {
  const bare = prompt.replace(
    /^(请|你能|能否|可以|帮我|给我|告诉我|介绍|解释|说明|谈谈|写|一下|一篇|关于|什么是|为什么|如何|怎么|怎样)+/,
    '',
  );
  const clause = /[\p{L}\p{N}]+/u.exec(bare)?.[0] ?? /[\p{L}\p{N}]+/u.exec(prompt)?.[0] ?? '这个问题';
  return Array.from(clause)
    .slice(0, 12)
    .join('')
    .replace(/(是什么|吗|呢|的(文章|故事|作文))$/, '');
}
