import { createDice } from '../random.ts';
import { toContentFilterResults, toPromptFilterResults } from './content-filters.ts';
import { deliverImage, imageFailure, isFailing, type ImageOrder } from './order.ts';
import { toImageUsage } from './usage.ts';

export interface WholeReply {
  readonly body: Readonly<Record<string, unknown>>;
  /** Number of images, each of which is charged. */
  readonly made: number;
}

export async function writeReplyA(order: ImageOrder): Promise<WholeReply> {
  const { services, prompt, recipes } = order;
  const data = await Promise.all(
    recipes.map(async (recipe, index) =>
      isFailing(order, index) ? { error: imageFailure } : deliverImage(order, recipe),
    ),
  );
  const made = recipes.filter((_, index) => !isFailing(order, index));
  const created = Math.floor(services.clock() / 1000);
  return { body: { data, created, usage: toImageUsage(prompt, made) }, made: made.length };
}

export async function writeReplyB(order: ImageOrder, style: string | undefined): Promise<WholeReply> {
  const { services, prompt, recipes } = order;
  const data = await Promise.all(
    recipes.map(async (recipe) => ({
      ...(await deliverImage(order, recipe)),
      revised_prompt: revisePrompt(prompt, recipe.seed, style),
      content_filter_results: toContentFilterResults(prompt),
      prompt_filter_results: toPromptFilterResults(prompt),
    })),
  );
  return { body: { created: Math.floor(services.clock() / 1000), data }, made: recipes.length };
}

/** The prompt with details that a model adds. */
function revisePrompt(prompt: string, seed: string, style: string | undefined): string {
  const dice = createDice(`revise ${seed}`);
  const light = dice.pick(['in soft morning light', 'in the warm light of evening', 'under an open sky']);
  const detail = dice.pick([
    'with fine detail',
    'with rolling hills behind',
    'with floating points of light',
  ]);
  const manner = style === 'natural' ? 'natural and calm' : 'vivid and dramatic';
  return `${prompt.trim().replace(/[.。]$/, '')}, ${light}, ${detail}, ${manner}.`;
}
