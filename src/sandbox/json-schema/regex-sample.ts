import { RegExpParser, type AST } from '@eslint-community/regexpp';
import type { Dice } from '../random.ts';
import { UnsatisfiableSchema } from './schema.ts';

/** Writes a sample; `extra` limits how often a quantifier repeats beyond its minimum. */
export type Sampler = (extra: number) => string;

const maxSteps = 100_000;
const ascii = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index));
const candidates = [...ascii, ...Array.from('\t\né中あ한яλאع😀')];

/**
 * Writes strings for a regular expression. It ignores assertions and back references, so the caller checks each string.
 * @throws SyntaxError for a malformed pattern
 */
export function createSampler(pattern: string, dice: Dice): Sampler {
  const root = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  const characters = new Map<AST.Node, readonly string[]>();
  return (extra) => {
    let steps = 0;
    const write = (node: AST.Node): string => {
      steps += 1;
      if (steps > maxSteps) throw new UnsatisfiableSchema(`pattern ${pattern} asks for too long a string`);
      switch (node.type) {
        case 'Pattern':
        case 'Group':
        case 'CapturingGroup':
          return write(dice.pick<AST.Node>(node.alternatives));
        case 'Alternative':
          return node.elements.map(write).join('');
        case 'Quantifier': {
          const most = Math.min(node.max, node.min + extra);
          let text = '';
          for (let left = dice.between(node.min, most); left > 0; left -= 1) text += write(node.element);
          return text;
        }
        case 'Character':
          return String.fromCodePoint(node.value);
        case 'CharacterClass':
        case 'CharacterSet': {
          const known = characters.get(node) ?? listCharacters(node);
          characters.set(node, known);
          return dice.pick(known);
        }
        default:
          return '';
      }
    };
    return write(root);
  };
}

/** Characters that a class or an escape matches, only letters and digits if there are any. */
function listCharacters(node: AST.CharacterClass | AST.CharacterSet): readonly string[] {
  const named = node.type === 'CharacterClass' ? node.elements.flatMap(listNamed) : [];
  const matcher = new RegExp(`^${node.raw}$`, 'u');
  const matching = [...candidates, ...named].filter((character) => matcher.test(character));
  const plain = matching.filter((character) => /^[A-Za-z0-9]$/.test(character));
  if (matching.length === 0) throw new UnsatisfiableSchema(`no known character matches ${node.raw}`);
  return plain.length > 0 ? plain : matching;
}

function listNamed(element: AST.CharacterClassElement): string[] {
  if (element.type === 'Character') return [String.fromCodePoint(element.value)];
  if (element.type !== 'CharacterClassRange') return [];
  return [element.min, element.max].map(({ value }) => String.fromCodePoint(value));
}
